"""Who others wait for, and what kinds of waits there are."""

from __future__ import annotations

from itertools import chain

import numpy as np

from pomp_clang.causes.delayers import long_term, short_term
from pomp_clang.causes.delays import delays_of
from pomp_clang.causes.idle import idle_of
from pomp_clang.causes.instance_sources import (
    Pieces,
    alone,
    held,
    propagating,
    terminal,
    waits_of_another,
)
from pomp_clang.causes.mpi.instances import between
from pomp_clang.causes.property import Property
from pomp_clang.causes.run import Cells, Run


class DelayCosts(Property):
    name = "Delay costs"
    description = "What others wait, at the place and on the thread that they wait for."


class BarrierDelay(Property):
    name = "Barrier delay"
    parent = DelayCosts
    description = "What others wait at barriers for who comes last."


class ShortTerm(Property):
    """A barrier's waits, by the work of who comes last beyond the others' mean (Scalasca)."""

    name = "Short-term"
    parent = BarrierDelay
    description = "The work that who comes last to a barrier has beyond the others there."
    advice = "Give this thread less to do here, or the others more."

    def severity(self, run: Run) -> Cells:
        return delays_of(run).short_term

    def instances(self, run: Run) -> Pieces:
        return short_term(run)


class LongTerm(Property):
    """A barrier's waits for a wait of who comes last, at who made it wait (Scalasca)."""

    name = "Long-term"
    parent = BarrierDelay
    description = (
        "Who comes last to a barrier had waited itself: for a lock or critical section, at who had "
        "it; for tasks or its turn, at the barrier."
    )
    advice = "Hold it for less: the one who waits for it is waited for."

    def severity(self, run: Run) -> Cells:
        return delays_of(run).long_term

    def instances(self, run: Run) -> Pieces:
        return long_term(run)


class ContentionDelay(Property):
    """Contention, at the call path and on the thread that had the lock (Scalasca)."""

    name = "Contention delay"
    parent = DelayCosts
    description = "What others wait for a lock or critical section, at who had it."
    advice = "Do less while it is held."

    def severity(self, run: Run) -> Cells:
        return delays_of(run).contention

    def instances(self, run: Run) -> Pieces:
        return held(run)


class IdlenessDelay(Property):
    """Idle Threads, on the main thread instead: it is what they lack work from (Scalasca)."""

    name = "Thread idleness delay"
    parent = DelayCosts
    description = "What other threads are idle, at what the main thread does meanwhile."
    advice = "Parallelize this."

    def severity(self, run: Run) -> Cells:
        found = run.cells()
        idle, limited = idle_of(run)
        if run.courses:
            found[:, run.thread[run.main]] = (idle + limited).sum(axis=1)
        return found

    def instances(self, run: Run) -> Pieces:
        return alone(run)


def _between(run: Run, what: str) -> Cells:
    """Of delays between the processes of a job."""
    if run.peers is None:
        return run.cells()
    found: Cells = getattr(run.peers.delays(run), what)
    return found


class MpiDelay(Property):
    name = "MPI delay"
    parent = DelayCosts
    description = "What others wait in MPI for this one."


class MpiShortTerm(Property):
    name = "MPI short-term"
    parent = MpiDelay
    description = "The work that it has beyond who waits for it, since the two last met."
    advice = "Give this process less to do here, or the others more."

    def severity(self, run: Run) -> Cells:
        return _between(run, "short_term")

    def instances(self, run: Run) -> Pieces:
        return between(run, "short_term")


class MpiLongTerm(Property):
    name = "MPI long-term"
    parent = MpiDelay
    description = "The same work, as who waited for it then made others wait."
    advice = "Give this process less to do here: what others wait for it goes on from them."

    def severity(self, run: Run) -> Cells:
        return _between(run, "long_term")

    def instances(self, run: Run) -> Pieces:
        return between(run, "long_term")


class WaitStates(Property):
    name = "Wait states"
    description = "Waits at barriers, for locks and in MPI, by what they come from."


class Direct(Property):
    """The part of waits that is not for a wait of who is waited for (Scalasca)."""

    name = "Direct"
    parent = WaitStates
    description = "Waits for another's work."

    def severity(self, run: Run) -> Cells:
        return delays_of(run).direct + _between(run, "direct")

    def instances(self, run: Run) -> Pieces:
        return chain(waits_of_another(run, is_wait=False), between(run, "direct"))


class Indirect(Property):
    """The part of waits that is for a wait of who is waited for (Scalasca)."""

    name = "Indirect"
    parent = WaitStates
    description = "Waits for another's wait."

    def severity(self, run: Run) -> Cells:
        return delays_of(run).indirect + _between(run, "indirect")

    def instances(self, run: Run) -> Pieces:
        return chain(waits_of_another(run, is_wait=True), between(run, "indirect"))


class Propagation(Property):
    name = "Wait states by effect"
    description = "The same waits, by whether others wait for them."


class Propagating(Property):
    """Waits of those for which others wait later (Scalasca)."""

    name = "Propagating"
    parent = Propagation
    description = "Waits that make others wait."

    def severity(self, run: Run) -> Cells:
        return delays_of(run).propagating + _between(run, "propagating")

    def instances(self, run: Run) -> Pieces:
        return chain(propagating(run), between(run, "propagating"))


class Terminal(Property):
    """Waits that are not propagating (Scalasca)."""

    name = "Terminal"
    parent = Propagation
    description = "Waits that make nobody wait."

    def severity(self, run: Run) -> Cells:
        found = delays_of(run)
        waits = found.direct + found.indirect - found.propagating
        waits += _between(run, "direct") + _between(run, "indirect")
        return np.maximum(0.0, waits - _between(run, "propagating"))

    def instances(self, run: Run) -> Pieces:
        return chain(terminal(run), between(run, "terminal"))
