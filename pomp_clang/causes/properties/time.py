"""The roots of the properties: time, and counts of visits and synchronizations."""

from __future__ import annotations

import numpy as np

from pomp_clang.causes.mpi_waits.call_counts import CallCount
from pomp_clang.causes.properties.instance_sources import ALIKE, Pieces, shared
from pomp_clang.causes.properties.measurement_cost import own_cost
from pomp_clang.causes.properties.mpi_instances import counting
from pomp_clang.causes.properties.property import Property, Remedy
from pomp_clang.causes.run.idle import idle_beside_main, idle_of
from pomp_clang.causes.run.instance import Instances, in_pieces
from pomp_clang.causes.run.run import Cells, Run, once


@once
def thread_lifetimes(run: Run) -> Cells:
    """Return the seconds for which threads existed, by call path."""
    return np.asarray(run.spent.sum(axis=2).T / run.second)


@once
def overhead(run: Run) -> Cells:
    """Return what events take, in whatever the threads do."""
    return np.asarray(sum(own_cost(run).values(), run.cells()), np.float64)


class Time(Property):
    """(Program's end - its start) on each thread: the reserved processor time (EXPERT)."""

    name = "Time"
    description = "The time of all threads from the program's start to its end."

    def severity(self, run: Run) -> Cells:
        idle, limited = idle_of(run)
        return thread_lifetimes(run) + idle + limited + idle_beside_main(run)


class Execution(Property):
    name = "Execution"
    parent = Time
    description = "Time of threads in the program, OpenMP included."

    def severity(self, run: Run) -> Cells:
        return thread_lifetimes(run) - overhead(run)


class MeasurementOverhead(Property):
    name = "Overhead"
    parent = Time
    description = (
        "Time of the measurement itself, estimated from the cost of an event on this machine."
    )
    advice = "Measure fewer functions and regions: --pomp-filter and --pomp-disable leave out more."
    remedy = Remedy.SKIP
    instances_are_counted = False

    def severity(self, run: Run) -> Cells:
        return overhead(run)

    def instances(self, run: Run) -> Pieces:
        return shared(self.severity(run), ALIKE, run)


class VisitCount(Property):
    name = "Visits"
    unit = "visits"
    description = "How often a call path was entered."

    def severity(self, run: Run) -> Cells:
        return run.visits.astype(np.float64)


class Synchronizations(Property):
    name = "Synchronizations"
    unit = "times"
    description = (
        "How often a thread arrived at a barrier, or got a lock, critical section or window."
    )

    def severity(self, run: Run) -> Cells:
        severity = run.cells()
        for row, timeline in enumerate(run.timelines):
            for path in (timeline.arrivals.path, timeline.acquisitions.path):
                run.add(severity, row, path, np.ones(len(path)))
        return severity + run.counted(CallCount.SYNCHRONIZATIONS)

    def instances(self, run: Run) -> Pieces:
        """Yield barriers, from coming to leaving, locks, from being asked for to being got, and
        calls of MPI that synchronize."""
        for row, timeline in enumerate(run.timelines):
            thread, arrivals, locks = int(run.thread[row]), timeline.arrivals, timeline.acquisitions
            waits = (
                (arrivals.path, arrivals.enter, arrivals.leave),
                (locks.path, locks.requested, locks.acquired),
            )
            for path, begin, end in waits:
                for piece in in_pieces(np.arange(len(path))):
                    place_rows, since = run.places.rows[path[piece]], begin[piece]
                    at = np.broadcast_to(np.asarray(thread), since.shape)
                    until = np.maximum(since, end[piece])
                    yield Instances(at, place_rows, since, until, np.ones(len(piece)))
        yield from counting(run, CallCount.SYNCHRONIZATIONS)
