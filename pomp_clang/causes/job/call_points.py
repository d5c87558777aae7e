"""Points of the wait graph for MPI calls: where processes release each other and wait for each
other."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from pomp_clang.causes.mpi_waits.call_dependencies import Dependencies
from pomp_clang.causes.mpi_waits.mpi_intervals import ProcessCalls, clock_of, ticks_at
from pomp_clang.causes.run.points import Point, PointRows
from pomp_clang.causes.run.run import Run
from pomp_clang.causes.timeline.location_timeline import Flags
from pomp_clang.trace.model import Ints
from pomp_clang.trace.mpi.columns import Job

_ENTER, _NEED, _LEAVE = 0, 2, 3
"""The order of a call's points at the same moment."""


def points_of(job: Job, number: int, run: Run, dependencies: Dependencies) -> list[list[PointRows]]:
    """Return, for each location of the process in row `number` of `Job.processes`, the points at
    which its calls release others and wait for others. A call has one point for each state that it
    can wait in, for the object that comes last. The last of these points carries the time that the
    call takes afterwards."""
    if run.mpi is None:
        return [[] for _ in run.timelines]
    calls, location = run.mpi.calls, run.location_of_calls()
    points = [
        _release_points(calls, dependencies, at_end=False), _release_points(calls, dependencies, at_end=True), _needed(job, number, calls, dependencies)
    ]  # fmt: skip
    by_location = [_by_location(rows, location[call], len(run.timelines)) for rows, call in points]
    return [list(rows) for rows in zip(*by_location, strict=True)]


def _release_points(
    calls: ProcessCalls, dependencies: Dependencies, *, at_end: bool
) -> tuple[PointRows, Ints]:
    rows = np.flatnonzero(
        _own_calls(calls, dependencies.releases.call) & (dependencies.releases.at_end == at_end)
    )
    call = dependencies.releases.call[rows] - calls.rows.start
    moment = calls.leave[call] if at_end else calls.enter[call]
    place = 4 * call + (_LEAVE if at_end else _ENTER)
    none = np.zeros(len(call), np.int64)
    return PointRows(
        Point.RELEASE,
        dependencies.releases.object[rows],
        calls.path[call],
        moment,
        moment,
        none,
        place,
    ), call


def _needed(
    job: Job, number: int, calls: ProcessCalls, dependencies: Dependencies
) -> tuple[PointRows, Ints]:
    rows = np.flatnonzero(_own_calls(calls, dependencies.needed.call))
    call, since = dependencies.needed.call[rows] - calls.rows.start, dependencies.needed.since[rows]
    state = dependencies.state[dependencies.needed.object[rows]]
    rows = rows[(order := np.lexsort((since, state, call)))]
    rows = rows[_last(call[order], state[order])]
    call, since = dependencies.needed.call[rows] - calls.rows.start, dependencies.needed.since[rows]
    order = np.lexsort((since, call))
    rows, call, since = rows[order], call[order], since[order]
    enter, leave = calls.enter[call], calls.leave[call]
    free = np.clip(ticks_at(clock_of(job, number), since), enter, leave)
    lag = np.where(_last(call), leave - free, 0)
    place = 4 * call + _NEED
    needed = dependencies.needed.object[rows]
    return PointRows(Point.ACQUIRED, needed, calls.path[call], enter, leave, lag, place), call


def _last(*columns: Ints) -> Flags:
    """Return a mask of the rows after which any of the columns changes."""
    is_last = np.ones(len(columns[0]), np.bool_)
    is_last[:-1] = False
    for column in columns:
        is_last[:-1] |= column[1:] != column[:-1]
    return is_last


def _by_location(rows: PointRows, location: Ints, locations: int) -> list[PointRows]:
    order = np.argsort(location, kind="stable")
    first = np.searchsorted(location[order], np.arange(locations + 1))
    return [rows.take(order[begin:end]) for begin, end in pairwise(first)]


def _own_calls(calls: ProcessCalls, call: Ints) -> Flags:
    is_mine: Flags = (call >= calls.rows.start) & (call < calls.rows.stop)
    return is_mine
