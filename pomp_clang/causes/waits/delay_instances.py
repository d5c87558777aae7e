"""Instances of delays: the intervals in which a thread made others wait."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from pomp_clang.causes.run.instance import Instances, piece_of
from pomp_clang.causes.run.run import Run
from pomp_clang.causes.waits.delay_costs import held_up, passed_on, waited_at
from pomp_clang.causes.waits.delay_kernel import delay_charges, segments_of
from pomp_clang.trace.model import Ints


def short_term(run: Run) -> Iterator[Instances]:
    """Yield the work of last arrivers at a call path, from its begin to its end. Waits that no work
    explains become instances that last while the other threads are at the barrier."""
    thread = np.append(run.thread, 0)[run.instances.last_location]
    first = _first_of(run)
    for charge in delay_charges(run, segments_of(run), waited_at(run)):
        rows = slice(charge.begin, charge.begin + len(charge.rest))
        late, early = run.instances.last[rows], first[rows]
        yield piece_of(run.second, thread[rows], charge.places, early, late, charge.rest)
        last_thread = thread[charge.instance]
        yield piece_of(
            run.second, last_thread, charge.path, charge.since, charge.until, charge.ticks
        )


def long_term(run: Run) -> Iterator[Instances]:
    """Yield the end of each holding of a lock for which the last arriver at a barrier waited. Waits
    for anything else become instances that last while the other threads are at the barrier."""
    cost, left = passed_on(run)
    locks, rows = run.contention, held_up(run)
    held_at, holder = locks.holder_at(rows)
    freed, thread = locks.freed[rows], run.thread[holder]
    yield piece_of(
        run.second, thread, run.places.rows[held_at], freed - locks.waited[rows], freed, cost
    )
    first = _first_of(run)
    for number, (timeline, instance) in enumerate(
        zip(run.timelines, run.instances.of, strict=True)
    ):
        is_last = np.flatnonzero(run.instances.last_location[instance] == number)
        path, met_instance = run.places.rows[timeline.arrivals.path[is_last]], instance[is_last]
        begin, end = first[met_instance], run.instances.last[met_instance]
        yield piece_of(run.second, int(run.thread[number]), path, begin, end, left[met_instance])


def _first_of(run: Run) -> Ints:
    """Return, for each barrier instance, the tick at which its first member arrived."""
    first = np.full(len(run.instances.last), np.iinfo(np.int64).max)
    for timeline, instance in zip(run.timelines, run.instances.of, strict=True):
        np.minimum.at(first, instance, timeline.arrivals.enter)
    return np.asarray(np.minimum(first, run.instances.last))
