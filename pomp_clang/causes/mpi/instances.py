"""When processes waited for each other, one by one, and for which call."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from pomp_clang.causes.mpi.count import Count
from pomp_clang.causes.mpi.waits import State
from pomp_clang.causes.occurrence import Occurrences
from pomp_clang.causes.run import Run

_Pieces = Callable[[Run], Iterator[Occurrences]]


def in_state(state: State) -> _Pieces:
    """The partner is the call that is waited for."""

    def pieces(run: Run) -> Iterator[Occurrences]:
        if run.mpi is None:
            return
        waits, spans = run.mpi.waits, run.mpi.spans
        rows = np.flatnonzero(waits.state == state)
        call = waits.call[rows]
        yield Occurrences(
            run.thread[run.course_of_calls()[call]],
            run.places.rows[run.mpi.own.path[call]],
            spans.begin[rows],
            spans.end[rows],
            waits.ns[rows] / 1e9,
            waits.cause[rows],
        )

    return pieces


def counting(*counts: Count) -> _Pieces:
    """Each call, from its begin to its end."""

    def pieces(run: Run) -> Iterator[Occurrences]:
        if run.mpi is None:
            return
        own = run.mpi.own
        for each in counts:
            amount = run.mpi.counts[each]
            rows = np.flatnonzero(amount)
            yield Occurrences(
                run.thread[run.course_of_calls()[rows]],
                run.places.rows[own.path[rows]],
                own.enter[rows],
                own.leave[rows],
                amount[rows].astype(np.float64),
            )

    return pieces


def between(what: str) -> _Pieces:
    """Of delays between the processes: the partner is who waits.  Of waits by what they come of
    and what comes of them it is the call that is waited for."""

    def pieces(run: Run) -> Iterator[Occurrences]:
        if run.peers is not None:
            yield run.peers.delaying(run, what)

    return pieces
