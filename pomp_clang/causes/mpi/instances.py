"""When processes waited for each other, one by one, and for which call."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from pomp_clang.causes.mpi.count import Count
from pomp_clang.causes.mpi.waits import State
from pomp_clang.causes.occurrence import Occurrences
from pomp_clang.causes.run import Run


def in_state(run: Run, state: State) -> Iterator[Occurrences]:
    """Yield the waits of calls in one state; the partner is the call that is waited for."""
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


def counting(run: Run, *counts: Count) -> Iterator[Occurrences]:
    """Yield each call that counts, from its begin to its end."""
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


def between(run: Run, what: str) -> Iterator[Occurrences]:
    """Yield delays between the processes, whose partner is the waiting call, or waits by their cause
    or effect, whose partner is the awaited call."""
    if run.peers is not None:
        yield run.peers.delaying(run, what)
