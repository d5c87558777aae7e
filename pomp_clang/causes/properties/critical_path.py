"""What decides how long the program takes."""

from __future__ import annotations

import numpy as np

from pomp_clang.causes.critical import critical_time
from pomp_clang.causes.instance_sources import ON_PATH, Pieces, critical, impact, shared
from pomp_clang.causes.properties.mpi import waits_in_mpi
from pomp_clang.causes.properties.openmp import waits_for_others
from pomp_clang.causes.properties.time import taken
from pomp_clang.causes.property import Property
from pomp_clang.causes.run import Cells, Run, once


@once
def _busy(run: Run) -> Cells:
    return taken(run) - waits_for_others(run) - waits_in_mpi(run)


@once
def critical_imbalance(run: Run) -> Cells:
    """What of a call path the critical path has beyond the mean of all threads, which is without
    what they wait there for others."""
    critical = critical_time(run)
    total = run.over_all(critical_time)
    mean = run.over_all(_busy) / run.everyone
    excess = np.maximum(0.0, total - mean)
    return np.asarray(np.divide(critical * excess, total, out=run.cells(), where=total > 0))


class CriticalPath(Property):
    """Back from the program's end, at each wait on to who was waited for (Scalasca)."""

    name = "Critical path"
    description = "What the program's end had to wait for: where less time makes it end sooner."
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
        "What the critical path has of a call path beyond the mean of all threads: their time "
        "there, without what they wait for others."
    )
    advice = "Spread over the threads, this would not be on the critical path."
    instances_are_counted = False

    def severity(self, run: Run) -> Cells:
        return critical_imbalance(run)

    def instances(self, run: Run) -> Pieces:
        return shared(self, ON_PATH, run)


class PerformanceImpact(Property):
    """On the critical path, times the threads (Scalasca)."""

    name = "Performance impact"
    description = "What all threads are reserved for while this is on the critical path."
    instances_are_counted = False

    def severity(self, run: Run) -> Cells:
        return critical_time(run) * run.everyone

    def instances(self, run: Run) -> Pieces:
        return impact(run)


class ImbalanceImpact(Property):
    """Critical-path imbalance, times the threads (Scalasca)."""

    name = "Critical imbalance impact"
    parent = PerformanceImpact
    description = "What of that the critical path has beyond the mean of all threads."
    advice = "Spread over the threads, this would cost nobody else any time."
    instances_are_counted = False

    def severity(self, run: Run) -> Cells:
        return critical_imbalance(run) * run.everyone

    def instances(self, run: Run) -> Pieces:
        return shared(self, ON_PATH, run)
