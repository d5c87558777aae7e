"""When processes waited for each other, one by one, and for which call."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from pomp_clang.causes.mpi_waits.call_counts import CallCount
from pomp_clang.causes.mpi_waits.call_waits import WaitState
from pomp_clang.causes.run.instance import Instances
from pomp_clang.causes.run.run import Run


def in_state(run: Run, state: WaitState) -> Iterator[Instances]:
    """Yield the waits of calls in one state; the partner is the call that is waited for."""
    if run.mpi is None:
        return
    waits, spans = run.mpi.waits, run.mpi.spans
    rows = np.flatnonzero(waits.state == state)
    call = waits.call[rows]
    yield Instances(
        run.thread[run.location_of_calls()[call]],
        run.places.rows[run.mpi.calls.path[call]],
        spans.begin[rows],
        spans.end[rows],
        waits.ns[rows] / 1e9,
        waits.cause[rows],
    )


def counting(run: Run, *counts: CallCount) -> Iterator[Instances]:
    """Yield each call that counts, from its begin to its end."""
    if run.mpi is None:
        return
    calls = run.mpi.calls
    for count in counts:
        amount = run.mpi.counts[count]
        rows = np.flatnonzero(amount)
        yield Instances(
            run.thread[run.location_of_calls()[rows]],
            run.places.rows[calls.path[rows]],
            calls.enter[rows],
            calls.leave[rows],
            amount[rows].astype(np.float64),
        )


def job_delay_instances(run: Run, metric: str) -> Iterator[Instances]:
    """Yield delays between the processes, whose partner is the waiting call, or waits by their cause
    or effect, whose partner is the awaited call."""
    if run.peers is not None:
        yield run.peers.delaying(run, metric)
