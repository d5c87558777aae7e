"""When others were kept waiting: the work that made one come late, and what made it wait itself."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from pomp_clang.causes.activity import are
from pomp_clang.causes.course import Course
from pomp_clang.causes.delays import (
    WAITS,
    Charge,
    Segments,
    charged,
    held_up,
    passed_on,
    segments_of,
    waited_at,
)
from pomp_clang.causes.distinct import numbered
from pomp_clang.causes.occurrence import Occurrences, piece_of
from pomp_clang.causes.run import Run
from pomp_clang.trace.model import Ints

_PART = 1 << 16
"""Stretches that are looked at together, or those of one segment."""


def short_term(run: Run) -> Iterator[Occurrences]:
    """Work at a call path, from the first of it to the last, of who comes last to a barrier; and
    where that is not for work, the time in which the others are there."""
    segments = segments_of(run)
    first = _first_of(run)
    for charge in charged(run, segments, waited_at(run)):
        instance = charge.begin + np.arange(len(charge.last))
        thread = np.append(run.thread, 0)[charge.last]
        late, early = run.instances.last[instance], first[instance]
        yield piece_of(run, thread, charge.where, early, late, charge.rest)
        for number, course in enumerate(run.courses):
            yield from _of_work(run, number, course, segments[number], charge)


def _of_work(
    run: Run, number: int, course: Course, own: Segments, charge: Charge
) -> Iterator[Occurrences]:
    """Of who comes last, some segments at a time."""
    is_late = (charge.last == number) & (charge.costs[:, : len(run.paths)] > 0).any(axis=1)
    late = np.flatnonzero(is_late)
    segment = np.searchsorted(own.instance, charge.begin + late)
    begin = np.searchsorted(course.begin, own.since[segment])
    length = np.maximum(0, np.searchsorted(course.begin, own.until[segment]) - begin)
    part = np.cumsum(length) // _PART
    for rows in np.split(np.arange(len(late)), np.flatnonzero(np.diff(part)) + 1):
        yield _at_once(run, number, course, charge, late[rows], begin[rows], length[rows])


def _at_once(
    run: Run, number: int, course: Course, charge: Charge, late: Ints, begin: Ints, length: Ints
) -> Occurrences:
    """Of segments from some stretches on, so many of them."""
    paths = len(run.paths)
    of = np.repeat(np.arange(len(late)), length)
    row = begin[of] + np.arange(len(of)) - (np.cumsum(length) - length)[of]
    works = ~are(course.activity[row], *WAITS)
    of, row = of[works], row[works]
    key, group = numbered(of * paths + run.places.rows[course.path[row]])
    since = np.full(len(key), np.iinfo(np.int64).max)
    until = np.zeros(len(key), np.int64)
    np.minimum.at(since, group, course.begin[row])
    np.maximum.at(until, group, np.append(course.begin, course.end)[row + 1])
    path, costs = key % paths, charge.costs[late[key // paths], key % paths]
    return piece_of(run, int(run.thread[number]), path, since, until, costs)


def long_term(run: Run) -> Iterator[Occurrences]:
    """The last of a lock's holding, for which who comes last to the barrier waited; where that was
    no lock, the time in which the others are at the barrier."""
    cost, left = passed_on(run)
    locks, rows = run.contention, held_up(run)
    path = run.places.rows[locks.path[np.maximum(rows - 1, 0)]]
    freed = locks.freed[rows]
    thread = run.thread[locks.holder[rows]]
    yield piece_of(run, thread, path, freed - locks.waited[rows], freed, cost)
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
