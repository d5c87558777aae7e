"""Where the processes of a job wait for each other: their calls of MPI as points of their courses."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from pomp_clang.causes.course import Flags
from pomp_clang.causes.graph import Point, Rows
from pomp_clang.causes.mpi.dependencies import Dependencies
from pomp_clang.causes.mpi.inserted import Own, clock_of, ticks_at
from pomp_clang.causes.run import Run
from pomp_clang.trace.model import Ints
from pomp_clang.trace.mpi.columns import Job

_ENTER, _NEED, _LEAVE = 0, 2, 3
"""Places of a call's points among those at one moment."""


def points_of(job: Job, number: int, run: Run, of: Dependencies) -> list[list[Rows]]:
    """Return, for each course of the process in that row of `Job.processes`, what its calls give
    and what they need.  A call has one point for each state that it could wait in: that of what
    comes last.  The last of these points has the time that the call takes after it."""
    if run.mpi is None:
        return [[] for _ in run.courses]
    own, course = run.mpi.own, run.course_of_calls()
    points = [
        _given(own, of, at_end=False), _given(own, of, at_end=True), _needed(job, number, own, of)
    ]  # fmt: skip
    by_course = [_by_course(rows, course[call], len(run.courses)) for rows, call in points]
    return [list(several) for several in zip(*by_course, strict=True)]


def _given(own: Own, of: Dependencies, *, at_end: bool) -> tuple[Rows, Ints]:
    rows = np.flatnonzero(_mine(own, of.given.call) & (of.given.at_end == at_end))
    call = of.given.call[rows] - own.rows.start
    when = own.leave[call] if at_end else own.enter[call]
    place = 4 * call + (_LEAVE if at_end else _ENTER)
    none = np.zeros(len(call), np.int64)
    return Rows(Point.RELEASE, of.given.object[rows], own.path[call], when, when, none, place), call


def _needed(job: Job, number: int, own: Own, of: Dependencies) -> tuple[Rows, Ints]:
    rows = np.flatnonzero(_mine(own, of.needed.call))
    call, since = of.needed.call[rows] - own.rows.start, of.needed.since[rows]
    state = of.state[of.needed.object[rows]]
    rows = rows[(order := np.lexsort((since, state, call)))]
    rows = rows[_last(call[order], state[order])]
    call, since = of.needed.call[rows] - own.rows.start, of.needed.since[rows]
    order = np.lexsort((since, call))
    rows, call, since = rows[order], call[order], since[order]
    enter, leave = own.enter[call], own.leave[call]
    free = np.clip(ticks_at(clock_of(job, number), since), enter, leave)
    lag = np.where(_last(call), leave - free, 0)
    place = 4 * call + _NEED
    needed = of.needed.object[rows]
    return Rows(Point.GOT, needed, own.path[call], enter, leave, lag, place), call


def _last(*columns: Ints) -> Flags:
    """Of each row whether the next one differs."""
    found = np.ones(len(columns[0]), np.bool_)
    found[:-1] = False
    for column in columns:
        found[:-1] |= column[1:] != column[:-1]
    return found


def _by_course(rows: Rows, course: Ints, courses: int) -> list[Rows]:
    order = np.argsort(course, kind="stable")
    first = np.searchsorted(course[order], np.arange(courses + 1))
    return [rows.take(order[begin:end]) for begin, end in pairwise(first)]


def _mine(own: Own, call: Ints) -> Flags:
    found: Flags = (call >= own.rows.start) & (call < own.rows.stop)
    return found
