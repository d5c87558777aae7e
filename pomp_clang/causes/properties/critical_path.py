"""The critical path and its imbalance, which decide how long the program takes."""

from __future__ import annotations

import numpy as np

from pomp_clang.causes.properties.instance_sources import ON_PATH, Pieces, critical, impact, shared
from pomp_clang.causes.properties.mpi import waits_in_mpi
from pomp_clang.causes.properties.property import Property
from pomp_clang.causes.properties.time import thread_lifetimes
from pomp_clang.causes.run.idle import everyone_at_once
from pomp_clang.causes.run.run import Cells, Run, once
from pomp_clang.causes.waits.find_critical_path import critical_time
from pomp_clang.causes.waits.thread_waits import all_wait_times


@once
def _busy(run: Run) -> Cells:
    return thread_lifetimes(run) - all_wait_times(run) - waits_in_mpi(run)


@once
def critical_imbalance(run: Run) -> Cells:
    """Return the seconds of a call path on the critical path beyond the mean of all threads, which
    does not count their waits for others there."""
    critical = critical_time(run)
    total = run.over_all(critical_time)
    mean = run.over_all(_busy) / everyone_at_once(run)
    excess = np.maximum(0.0, total - mean)
    return np.asarray(np.divide(critical * excess, total, out=run.cells(), where=total > 0))


class CriticalPath(Property):
    """The path back from the program's end, at each wait on to the awaited thread (Scalasca)."""

    name = "Critical path"
    description = (
        "The chain of work that determines the program's end: less time here ends it sooner."
    )
    instances_are_counted = False

    def severity(self, run: Run) -> Cells:
        return critical_time(run)

    def instances(self, run: Run) -> Pieces:
        return critical(run)


class CriticalImbalance(Property):
    """max(0, on the critical path - mean over the threads), by call path (Scalasca)."""

    name = "Critical-path imbalance"
    parent = CriticalPath
    description = (
        "Time of a call path on the critical path beyond the mean of all threads, which does not "
        "include their waits for others."
    )
    advice = "Spread this work over the threads: then it leaves the critical path."
    instances_are_counted = False

    def severity(self, run: Run) -> Cells:
        return critical_imbalance(run)

    def instances(self, run: Run) -> Pieces:
        return shared(self.severity(run), ON_PATH, run)


class PerformanceImpact(Property):
    """On the critical path, times the threads (Scalasca)."""

    name = "Performance impact"
    description = "Time of all threads while this is on the critical path."
    instances_are_counted = False

    def severity(self, run: Run) -> Cells:
        return critical_time(run) * everyone_at_once(run)

    def instances(self, run: Run) -> Pieces:
        return impact(run)


class ImbalanceImpact(Property):
    """Critical-path imbalance, times the threads (Scalasca)."""

    name = "Critical imbalance impact"
    parent = PerformanceImpact
    description = "The part of that time which exceeds the mean of all threads."
    advice = "Spread this work over the threads: then no other thread loses time."
    instances_are_counted = False

    def severity(self, run: Run) -> Cells:
        return critical_imbalance(run) * everyone_at_once(run)

    def instances(self, run: Run) -> Pieces:
        return shared(self.severity(run), ON_PATH, run)
