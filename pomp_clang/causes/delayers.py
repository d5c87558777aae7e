"""When others were kept waiting: the work that made one come late, and what made it wait itself."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from pomp_clang.causes.charge import charged, segments_of
from pomp_clang.causes.delays import held_up, passed_on, waited_at
from pomp_clang.causes.occurrence import Occurrences, piece_of
from pomp_clang.causes.run import Run
from pomp_clang.trace.model import Ints


def short_term(run: Run) -> Iterator[Occurrences]:
    """Work at a call path, from the first of it to the last, of who comes last to a barrier; and
    where that is not for work, the time in which the others are there."""
    thread = np.append(run.thread, 0)[run.instances.last_course]
    first = _first_of(run)
    for charge in charged(run, segments_of(run), waited_at(run)):
        here = slice(charge.begin, charge.begin + len(charge.rest))
        late, early = run.instances.last[here], first[here]
        yield piece_of(run, thread[here], charge.where, early, late, charge.rest)
        who = thread[charge.instance]
        yield piece_of(run, who, charge.path, charge.since, charge.until, charge.ticks)


def long_term(run: Run) -> Iterator[Occurrences]:
    """The last of a lock's holding, for which who comes last to the barrier waited; where that was
    no lock, the time in which the others are at the barrier."""
    cost, left = passed_on(run)
    locks, rows = run.contention, held_up(run)
    held_at, holder = locks.holder_at(rows)
    freed, thread = locks.freed[rows], run.thread[holder]
    yield piece_of(run, thread, run.places.rows[held_at], freed - locks.waited[rows], freed, cost)
    first = _first_of(run)
    for number, (course, of) in enumerate(zip(run.courses, run.instances.of, strict=True)):
        mine = np.flatnonzero(run.instances.last_course[of] == number)
        path, met = run.places.rows[course.arrivals.path[mine]], of[mine]
        begin, end = first[met], run.instances.last[met]
        yield piece_of(run, int(run.thread[number]), path, begin, end, left[met])


def _first_of(run: Run) -> Ints:
    """When the first member came to each barrier."""
    first = np.full(len(run.instances.last), np.iinfo(np.int64).max)
    for course, of in zip(run.courses, run.instances.of, strict=True):
        np.minimum.at(first, of, course.arrivals.enter)
    return np.asarray(np.minimum(first, run.instances.last))
