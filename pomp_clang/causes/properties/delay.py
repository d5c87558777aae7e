"""Delay costs, booked where they arise, and wait states by cause and effect."""

from __future__ import annotations

from itertools import chain

import numpy as np

from pomp_clang.causes.properties.instance_sources import (
    Pieces,
    alone,
    held,
    propagating,
    terminal,
    waits_of_another,
)
from pomp_clang.causes.properties.mpi_instances import job_delay_instances
from pomp_clang.causes.properties.property import Property
from pomp_clang.causes.run.idle import idle_of
from pomp_clang.causes.run.run import Cells, Run
from pomp_clang.causes.waits.delay_costs import delays_of, long_term, short_term


class DelayCosts(Property):
    name = "Delay costs"
    description = "Wait time of other threads, booked at the place and thread that causes it."


class BarrierDelay(Property):
    name = "Barrier delay"
    parent = DelayCosts
    description = "Wait time at barriers, booked at the last arriver."


class ShortTerm(Property):
    """Direct delay at a barrier: the last arriver's work beyond the others' mean (Scalasca)."""

    name = "Short-term"
    parent = BarrierDelay
    description = "Work of the last arriver at a barrier beyond that of the others."
    advice = "Give this thread less to do here, or the others more."

    def severity(self, run: Run) -> Cells:
        return delays_of(run).short_term

    def instances(self, run: Run) -> Pieces:
        return short_term(run)


class LongTerm(Property):
    """Indirect delay at a barrier: charged to the thread that made the last arriver wait (Scalasca)."""

    name = "Long-term"
    parent = BarrierDelay
    description = (
        "The last arriver at a barrier had waited itself. A wait for a lock or critical section is "
        "booked at its holder, a wait for tasks or a turn at the barrier."
    )
    advice = "Hold it for a shorter time: other threads wait for the thread that waits for it."

    def severity(self, run: Run) -> Cells:
        return delays_of(run).long_term

    def instances(self, run: Run) -> Pieces:
        return long_term(run)


class ContentionDelay(Property):
    """Contention, at the call path and on the thread that had the lock (Scalasca)."""

    name = "Contention delay"
    parent = DelayCosts
    description = "Wait time for a lock or critical section, booked at its holder."
    advice = "Do less while it is held."

    def severity(self, run: Run) -> Cells:
        return delays_of(run).contention

    def instances(self, run: Run) -> Pieces:
        return held(run)


class IdlenessDelay(Property):
    """Idle Threads, on the main thread instead: it is what they lack work from (Scalasca)."""

    name = "Thread idleness delay"
    parent = DelayCosts
    description = "Idle time of other threads, booked at what the main thread does meanwhile."
    advice = "Parallelize this."

    def severity(self, run: Run) -> Cells:
        severity = run.cells()
        idle, limited = idle_of(run)
        if run.timelines:
            severity[:, run.thread[run.main]] = (idle + limited).sum(axis=1)
        return severity

    def instances(self, run: Run) -> Pieces:
        return alone(run)


def _job_delays(run: Run, metric: str) -> Cells:
    """Return one kind of the delays between the processes of a job."""
    if run.peers is None:
        return run.cells()
    severity: Cells = getattr(run.peers.delays(run), metric)
    return severity


class MpiDelay(Property):
    name = "MPI delay"
    parent = DelayCosts
    description = "Wait time of other processes in MPI for this process."


class MpiShortTerm(Property):
    name = "MPI short-term"
    parent = MpiDelay
    description = "Work beyond that of the waiting process, since the two last synchronized."
    advice = "Give this process less to do here, or the others more."

    def severity(self, run: Run) -> Cells:
        return _job_delays(run, "short_term")

    def instances(self, run: Run) -> Pieces:
        return job_delay_instances(run, "short_term")


class MpiLongTerm(Property):
    name = "MPI long-term"
    parent = MpiDelay
    description = "The same work, where the waiting process then made others wait."
    advice = "Give this process less to do here: the processes that wait for it delay others."

    def severity(self, run: Run) -> Cells:
        return _job_delays(run, "long_term")

    def instances(self, run: Run) -> Pieces:
        return job_delay_instances(run, "long_term")


class WaitStates(Property):
    name = "Wait states"
    description = "Waits at barriers, for locks and in MPI, by their cause."


class Direct(Property):
    """The part of waits that is due to the awaited thread's work (Scalasca)."""

    name = "Direct"
    parent = WaitStates
    description = "Waits for another thread's work."

    def severity(self, run: Run) -> Cells:
        return delays_of(run).direct + _job_delays(run, "direct")

    def instances(self, run: Run) -> Pieces:
        return chain(waits_of_another(run, is_wait=False), job_delay_instances(run, "direct"))


class Indirect(Property):
    """The part of waits that is due to a wait of the awaited thread (Scalasca)."""

    name = "Indirect"
    parent = WaitStates
    description = "Waits for another thread's wait."

    def severity(self, run: Run) -> Cells:
        return delays_of(run).indirect + _job_delays(run, "indirect")

    def instances(self, run: Run) -> Pieces:
        return chain(waits_of_another(run, is_wait=True), job_delay_instances(run, "indirect"))


class Propagation(Property):
    name = "Wait states by effect"
    description = "The same waits, by their effect: whether they make others wait."


class Propagating(Property):
    """Waits of those for which others wait later (Scalasca)."""

    name = "Propagating"
    parent = Propagation
    description = "Waits that make others wait."

    def severity(self, run: Run) -> Cells:
        return delays_of(run).propagating + _job_delays(run, "propagating")

    def instances(self, run: Run) -> Pieces:
        return chain(propagating(run), job_delay_instances(run, "propagating"))


class TerminalWaits(Property):
    """Waits that are not propagating (Scalasca)."""

    name = "Terminal"
    parent = Propagation
    description = "Waits that make no other thread wait."

    def severity(self, run: Run) -> Cells:
        delays = delays_of(run)
        waits = delays.direct + delays.indirect - delays.propagating
        waits += _job_delays(run, "direct") + _job_delays(run, "indirect")
        return np.maximum(0.0, waits - _job_delays(run, "propagating"))

    def instances(self, run: Run) -> Pieces:
        return chain(terminal(run), job_delay_instances(run, "terminal"))
