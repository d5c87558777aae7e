"""The graph of waits: points on locations' timelines, and what each of them needs."""

from __future__ import annotations

import ctypes
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain, pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from pomp_clang.causes.run.points import Point, PointRows, merged
from pomp_clang.causes.run.run import Run, once
from pomp_clang.causes.run.thread_timeline import in_order
from pomp_clang.causes.timeline.columns import Durations, not_above, rows_by
from pomp_clang.causes.timeline.location_timeline import Arrivals, Numbers
from pomp_clang.causes.waits.thread_waits import WaitDependencies, awaited_of, drop_awaited
from pomp_clang.shared_dataclass import dataclass
from pomp_clang.trace.kernel import load, members, point
from pomp_clang.trace.model import Ints

Turns = npt.NDArray[np.uint32]

_HEAD = 3
"""Numbers of a struct pomp_head."""


@dataclass(frozen=True, slots=True)
class WaitGraph:
    """A row for each point, location by location in time order.

    A point is over at `after`. `object` numbers teams, barrier instances, releases and objects of
    MPI calls in one sequence; `path` is as the trace numbers it. `work` is the ticks from the
    location's previous point, `lag` those from the point that this one needs, or its own duration.
    `turn` lists locations in global time order: the next point is the next one of that location.
    `first` is the first row of each location, and at its end the number of rows.
    """

    kind: npt.NDArray[np.uint8]
    object: npt.NDArray[np.int32]
    path: npt.NDArray[np.uint16]
    after: Ints
    work: Durations
    lag: Durations
    turn: Turns
    first: Ints
    objects: int
    instances_from: int
    locks_from: int
    waits_from: int
    calls_from: int

    def location_of(self, rows: Ints) -> Ints:
        """Return the location of each of some points."""
        return np.asarray(np.searchsorted(self.first, rows, "right") - 1)


@once
def graph_of(run: Run) -> WaitGraph:
    """Build the graph of all points at which a location waits or is waited for.

    They are teams, barriers, locks, tasks, turns, and MPI calls if the run is part of a job.
    """
    teams, instances = len(run.teams.number), len(run.instances.last)
    locks = len(run.contention.location)
    awaited = awaited_of(run)
    waits = sum(len(waits.end) for waits in awaited)
    before = teams + instances + locks
    in_barriers = _task_arrivals(run)
    sources = [
        _teams(run), _barriers(run, teams, *in_barriers), _locks(run, teams + instances),
        _awaited(run, awaited, before),
    ]  # fmt: skip
    capacity = len(run.membership.location) + teams + 2 * (locks + waits)
    capacity += 2 * sum(map(len, run.instances.of)) + sum(map(len, in_barriers[0]))
    calls = 0
    if run.peers is not None:
        point_rows, calls = run.peers.points(run)
        capacity += sum(len(part.after) for part in chain.from_iterable(point_rows))
        sources.append(_numbered(point_rows, before + waits))
    columns = _GraphColumns(capacity)
    for column in zip(*sources, strict=True):
        columns.add(run, chain.from_iterable(column))
    drop_awaited(run)
    merged, first = columns.filled(), np.array(columns.first)
    return WaitGraph(
        **merged,
        turn=turns_of(merged["after"], merged["kind"], first),
        first=first,
        objects=before + waits + calls,
        instances_from=teams,
        locks_from=teams + instances,
        waits_from=before,
        calls_from=before + waits,
    )


_OF_LOCATION = {
    "kind": np.uint8, "object": np.int32, "path": np.uint16, "after": np.int64,
    "work": np.uint32, "lag": np.uint32,
}  # fmt: skip
"""Columns of a graph that are known of each location, and their types; what takes longer
than these durations has real ones."""


class _GraphColumns:
    """Preallocated columns for `most` points, filled one location at a time."""

    def __init__(self, capacity: int) -> None:
        self.first = [0]
        self._columns: dict[str, npt.NDArray[Any]] = {
            name: np.empty(capacity, kind) for name, kind in _OF_LOCATION.items()
        }

    def add(self, run: Run, point_rows: Iterable[PointRows]) -> None:
        """Append a location's points, sorted by time and then by `place`."""
        rows = [row for row in point_rows if len(row.after)]
        begin, end = self.first[-1], self.first[-1] + sum(len(row.after) for row in rows)
        self.first.append(end)
        while real := merged(rows, run.start, self._cut(slice(begin, end))):
            for name in real:
                self._columns[name] = self._columns[name].astype(np.float64)

    def _cut(self, rows: slice) -> dict[str, npt.NDArray[Any]]:
        return {name: column[rows] for name, column in self._columns.items()}

    def filled(self) -> dict[str, npt.NDArray[Any]]:
        return self._cut(slice(self.first[-1]))


class _Turns(ctypes.Structure):
    """struct pomp_turns of runtime/replay/retime.h"""

    _fields_ = members("LOCATIONS", "first", "after", "kind", "next", "heads", "turn")


def turns_of(after: Ints, kind: npt.NDArray[np.uint8], first: Ints) -> Turns:
    """Return, for each step in global time order, the location whose next point comes next. At the
    same moment, points that release others go before points that need them, if as many points of
    their locations precede them."""
    locations = len(first) - 1
    turn = np.empty(len(kind), np.uint32)
    columns: dict[str, npt.NDArray[Any]] = {
        "first": np.ascontiguousarray(first, np.int64),
        "after": np.ascontiguousarray(after, np.int64), "kind": kind,
        "next": np.empty(locations, np.int64), "heads": np.empty(_HEAD * locations, np.int64),
        "turn": turn,
    }  # fmt: skip
    run = _Turns(locations=locations)
    for name, column in columns.items():
        point(run, name, column)
    load().pomp_take_turns(ctypes.byref(run))
    return turn


def _repeated(rows: npt.NDArray[Any], value: int = 0) -> npt.NDArray[np.int8]:
    """Return a column of one repeated value, in the memory of one."""
    return np.broadcast_to(np.int8(value), len(rows))


def _teams(run: Run) -> Iterator[list[PointRows]]:
    members = run.membership
    first = np.searchsorted(members.location, np.arange(len(run.timelines) + 1))
    for begin, end in pairwise(first):
        span = slice(begin, end)
        master = begin + np.flatnonzero(members.is_master[span])
        fork, team, body = members.fork[master], members.team[span], members.body[span]
        yield [
            PointRows(
                Point.FORK, members.team[master], members.path[master], fork, fork,
                _repeated(fork), members.place[master],
            ),
            PointRows(
                Point.BEGIN, team, members.path[span], body, body, body - run.teams.fork[team],
                members.place[span],
            ),
        ]  # fmt: skip


def _barriers(
    run: Run, first: int, arrived_rows: list[Ints], complete: Ints
) -> Iterator[list[PointRows]]:
    """Yield each location's points of barriers, with the result of `_task_arrivals`."""
    for timeline, instance_of, rows in zip(
        run.timelines, run.instances.of, arrived_rows, strict=True
    ):
        arrivals, final = timeline.arrivals, timeline.arrivals.final[rows]
        leave, instance = _leave(run, arrivals, instance_of), (first + instance_of).astype(np.int32)
        yield [
            PointRows(Point.ARRIVE, instance, arrivals.path, arrivals.enter, arrivals.enter, _repeated(instance_of), arrivals.place),
            PointRows(
                Point.DONE, instance[rows], arrivals.path[rows], final, final, _repeated(rows),
                arrivals.place[rows],
            ),
            PointRows(Point.PASS, instance, arrivals.path, leave, leave, leave - complete[instance_of], arrivals.place),
        ]  # fmt: skip


def _leave(run: Run, arrivals: Arrivals, instance: Ints) -> Ints:
    """Return when each member leaves its barrier, not before all have arrived."""
    return np.asarray(np.maximum(arrivals.leave, run.instances.last[instance]))


def _task_arrivals(run: Run) -> tuple[list[Ints], Ints]:
    """Return, for each location, its arrivals at which it ran tasks before any member left the
    barrier.

    Return also, for each barrier instance, when all had arrived and had run these tasks.
    """
    meetings = [
        (of, timeline.arrivals)
        for timeline, of in zip(run.timelines, run.instances.of, strict=True)
    ]
    arrived_rows = [np.flatnonzero(arrivals.final > arrivals.enter) for _, arrivals in meetings]
    if not any(map(len, arrived_rows)):
        return arrived_rows, run.instances.last
    free = np.full(len(run.instances.last), np.iinfo(np.int64).max)
    for instance, arrivals in meetings:
        np.minimum.at(free, instance, _leave(run, arrivals, instance))
    arrived_rows = [
        rows[arrivals.final[rows] <= free[of[rows]]]
        for rows, (of, arrivals) in zip(arrived_rows, meetings, strict=True)
    ]
    complete = run.instances.last.copy()
    for (instance, arrivals), rows in zip(meetings, arrived_rows, strict=True):
        np.maximum.at(complete, instance[rows], arrivals.final[rows])
    return arrived_rows, complete


def _locks(run: Run, first: int) -> Iterator[list[PointRows]]:
    """Yield each location's points of locks. An acquired lock needs its previous release; if no
    other thread held the lock, it needs nothing."""
    contention = run.contention
    for location, number in enumerate(contention.rows_of()):
        acquisitions = contention.of[location]
        needs, lag = contention.needs(location, number, first)
        known = np.flatnonzero(acquisitions.released >= acquisitions.acquired)
        released = acquisitions.released[known]
        yield [
            PointRows(
                Point.ACQUIRED, needs, acquisitions.path, acquisitions.requested,
                acquisitions.acquired, lag,
                _repeated(needs, -1),
            ),
            PointRows(
                Point.RELEASE, np.int32(first) + number[known], acquisitions.path[known], released, released,
                _repeated(known), _repeated(known, -1),
            ),
        ]  # fmt: skip


def _awaited(
    run: Run, awaited: Sequence[WaitDependencies], first: int
) -> Iterator[list[PointRows]]:
    number = first + np.cumsum([0, *(len(waits.end) for waits in awaited)])
    cause, since = (
        np.concatenate([np.zeros(0, np.int64), *(getattr(waits, name) for waits in awaited)])
        for name in ("cause", "since")
    )
    by_cause = rows_by(cause, len(awaited))
    for row, (timeline, awaited_waits) in enumerate(zip(run.timelines, awaited, strict=True)):
        own_waits = by_cause[row]
        moment, waits = since[own_waits], number[row] + np.arange(len(awaited_waits.end))
        begun_before = not_above if in_order(run)[row] else _searched
        path = timeline.path[begun_before(timeline.begin, awaited_waits.begin) - 1]
        lag = awaited_waits.end - awaited_waits.since
        yield [
            PointRows(Point.DONE, first + own_waits, _repeated(own_waits), moment, moment, _repeated(own_waits), _repeated(own_waits, -1)),
            PointRows(Point.WAITED, waits, path, awaited_waits.begin, awaited_waits.end, lag, _repeated(lag, -1)),
        ]  # fmt: skip


def _searched(begin: Ints, moments: Ints) -> Ints:
    """Return the result of `not_above` for a column that is not sorted."""
    return begin.searchsorted(moments, "right")


def _numbered(calls: Iterable[list[PointRows]], first: int) -> Iterator[list[PointRows]]:
    for tied_calls in calls:
        yield [replace(part, object=first + part.object) for part in tied_calls]


class _Arriving(ctypes.Structure):
    """struct pomp_arriving of runtime/replay/retime.h"""

    _fields_ = members(
        "LOCATIONS", "first", "kind", "object", "TEAMS", "team", "newest",
        "ARRIVALS", "arrival", "since",
    )  # fmt: skip


def syncs_before(run: Run, graph: WaitGraph, arrivals: Numbers) -> Numbers:
    """Return, for each arrival (in order), the newest row before it at which its member began the
    region or left a barrier of the same team."""
    since = np.empty(len(arrivals), np.int32)
    teams = len(run.teams.number)
    columns: dict[str, npt.NDArray[Any]] = {
        "first": graph.first, "kind": graph.kind, "object": graph.object,
        "team": run.instances.team,
        "newest": np.empty(teams, np.int64), "arrival": arrivals, "since": since,
    }  # fmt: skip
    arriving = _Arriving(locations=len(graph.first) - 1, teams=teams, arrivals=len(arrivals))
    for name, column in columns.items():
        point(arriving, name, column)
    load().pomp_alone_since(ctypes.byref(arriving))
    return since
