"""Where threads wait for each other: points on their courses, and what each of them needs."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import IntEnum
from itertools import chain, pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from pomp_clang.causes.awaited import Awaited, awaited_of
from pomp_clang.causes.course import Ticks
from pomp_clang.causes.run import Run, once
from pomp_clang.trace.kernel import load, members, point
from pomp_clang.trace.model import Ints

Order = npt.NDArray[np.uint32]


class Point(IntEnum):
    """The first ones, before `BEGIN`, give what the others need: each a moment of their object."""

    FORK = 0
    """object: team"""
    ARRIVE = 1
    """object: barrier's instance"""
    RELEASE = 2
    """object: a lock or critical that was got, as `Contention` has it"""
    DONE = 3
    """the last task that a member ran in a barrier is done, object: the barrier's instance; or
    what somebody waits for, object: that wait"""
    BEGIN = 4
    """a member begins the region; needs the fork"""
    PASS = 5
    """a barrier is left; needs all arrivals, and the tasks run in it to be done"""
    GOT = 6
    """a lock is got; needs the release before, where there is one"""
    WAITED = 7
    """a wait for a task or a turn is over, object: that wait"""


_NEEDS = Point.BEGIN
_KEPT = {
    "object": np.int32, "path": np.uint16, "before": np.int64, "after": np.int64,
    "lag": np.float64, "place": np.int32,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Graph:
    """A row for each point, course by course in the order of time.

    A point is done with at `after`.  `object` numbers teams, instances, releases and what calls of
    MPI give, in one row; `path` is as the trace numbers it.  `work` is ticks by which the course
    reaches it from the point before, and `lag` from what it needs, or of itself.  `order` are the
    rows in the order of time, and `first` where each course begins.
    """

    kind: npt.NDArray[np.uint8]
    course: npt.NDArray[np.int32]
    object: npt.NDArray[np.int32]
    path: npt.NDArray[np.uint16]
    after: Ints
    work: Ticks
    lag: Ticks
    order: Order
    first: Ints
    objects: int
    instances_from: int
    locks_from: int
    calls_from: int


_OF_COURSE = {
    "kind": np.uint8, "object": np.int32, "path": np.uint16, "after": np.int64,
    "work": np.float64, "lag": np.float64,
}  # fmt: skip
"""Columns of a graph that are known of each course on its own."""


@dataclass(frozen=True, slots=True)
class Rows:
    """Points of a course; it reaches them at `before`.  Of those at one moment that with the lower
    `place` comes first."""

    kind: Point
    object: npt.NDArray[Any]
    path: npt.NDArray[Any]
    before: Ints
    after: Ints
    lag: npt.NDArray[Any]
    place: npt.NDArray[Any]

    def take(self, rows: Ints) -> Rows:
        """Some of them."""
        return Rows(self.kind, *(getattr(self, name)[rows] for name in _KEPT))


@once
def graph_of(run: Run) -> Graph:
    """Of all points at which somebody waits or is waited for: teams, barriers, locks, tasks, turns,
    and MPI where the run is of a job."""
    locks = len(run.contention.course)
    awaited = tuple(awaited_of(run))
    waits = sum(len(each.end) for each in awaited)
    first = len(run.teams.number) + len(run.instances.last)
    more = [_locks(run, first), _awaited(run, awaited, first + locks)]
    calls = 0
    if run.peers is not None:
        several, calls = run.peers.points(run)
        more.append(_numbered(several, first + locks + waits))
    return _graph(run, more, locks, waits, calls)


def _graph(
    run: Run, more: Sequence[Iterable[list[Rows]]], locks: int, waits: int, calls: int
) -> Graph:
    """Of each course some points after the others', so that few are held in two ways."""
    teams, instances = len(run.teams.number), len(run.instances.last)
    sources = _teams(run), _barriers(run, teams), *more
    parts = [_arranged(run, chain.from_iterable(several)) for several in zip(*sources, strict=True)]
    lengths = [len(each["kind"]) for each in parts]
    columns = {
        name: np.concatenate([np.zeros(0, of), *(each.pop(name) for each in parts)], dtype=of)
        for name, of in _OF_COURSE.items()
    }
    course = np.repeat(np.arange(len(parts), dtype=np.int32), lengths)
    return Graph(
        **columns,
        course=course,
        order=in_order(columns["after"], course, columns["kind"]),
        first=np.cumsum([0, *lengths]),
        objects=teams + instances + locks + waits + calls,
        instances_from=teams,
        locks_from=teams + instances,
        calls_from=teams + instances + locks + waits,
    )


def _arranged(run: Run, several: Iterable[Rows]) -> dict[str, npt.NDArray[Any]]:
    """The points of a course by time, and at the same moment by their place."""
    rows = list(several)
    lengths = [len(each.after) for each in rows]
    kind = np.repeat(np.array([each.kind for each in rows], np.uint8), lengths)
    named = {
        name: np.concatenate([getattr(each, name) for each in rows], dtype=kept, casting="unsafe")
        for name, kept in _KEPT.items()
    }
    del rows
    place = named.pop("place")
    order = _sorted(named["after"], lambda tied: 2 * place[tied] + (kind[tied] >= _NEEDS))
    kind = kind[order]
    for name in named:
        named[name] = named[name][order]
    work = named.pop("before")
    work[1:] -= named["after"][:-1]
    work[:1] -= run.start
    work[(kind == Point.BEGIN) | (kind == Point.PASS)] = 0
    return {"kind": kind, "work": np.maximum(work, 0, out=work).astype(np.float64), **named}


def _sorted(time: Ints, otherwise: Callable[[Ints], Ints]) -> Ints:
    """The rows by time; where that is the same, by something else of them.  What is in pieces that
    are sorted is merged."""
    order = np.argsort(time, kind="stable")
    at = time[order]
    same = at[1:] == at[:-1]
    if same.any():
        tied = np.flatnonzero(np.append(same, False) | np.append(False, same))
        rows = order[tied]
        order[tied] = rows[np.lexsort((otherwise(rows), time[rows]))]
    return order


def in_order(time: Ints, course: npt.NDArray[Any], kind: npt.NDArray[np.uint8]) -> Order:
    """The rows by time; at the same, those of a course as they are, and of several courses those
    that give before those that need."""

    def otherwise(tied: Ints) -> Ints:
        """How many points of the same course at the same moment come before."""
        who, when = course[tied], time[tied]
        begins = np.append(True, (who[1:] != who[:-1]) | (when[1:] != when[:-1]))
        number = np.arange(len(tied))
        depth = number - np.maximum.accumulate(np.where(begins, number, 0))
        return 2 * depth + (kind[tied] >= _NEEDS)

    return _sorted(time, otherwise).astype(np.uint32)


def _nothing(rows: npt.NDArray[Any], value: int = 0) -> npt.NDArray[np.int8]:
    """As many times the same, in the memory of one."""
    return np.broadcast_to(np.int8(value), len(rows))


def _teams(run: Run) -> Iterator[list[Rows]]:
    members = run.membership
    first = np.searchsorted(members.course, np.arange(len(run.courses) + 1))
    for begin, end in pairwise(first):
        mine = slice(begin, end)
        master = begin + np.flatnonzero(members.is_master[mine])
        fork, team, body = members.fork[master], members.team[mine], members.body[mine]
        yield [
            Rows(
                Point.FORK, members.team[master], members.path[master], fork, fork,
                _nothing(fork), members.place[master],
            ),
            Rows(
                Point.BEGIN, team, members.path[mine], body, body, body - run.teams.fork[team],
                members.place[mine],
            ),
        ]  # fmt: skip


def _barriers(run: Run, first: int) -> Iterator[list[Rows]]:
    leaves = [
        np.maximum(course.arrivals.leave, run.instances.last[of])
        for course, of in zip(run.courses, run.instances.of, strict=True)
    ]
    ran, done = _done(run, leaves)
    for course, of, leave, rows in zip(run.courses, run.instances.of, leaves, ran, strict=True):
        met, final = course.arrivals, course.arrivals.final[rows]
        yield [
            Rows(Point.ARRIVE, first + of, met.path, met.enter, met.enter, _nothing(of), met.place),
            Rows(
                Point.DONE, first + of[rows], met.path[rows], final, final, _nothing(rows),
                met.place[rows],
            ),
            Rows(Point.PASS, first + of, met.path, leave, leave, leave - done[of], met.place),
        ]  # fmt: skip


def _done(run: Run, leaves: Sequence[Ints]) -> tuple[list[Ints], Ints]:
    """For each course its arrivals at which it ran tasks before anybody left the barrier, and for
    each instance when all had come and had run these."""
    met = [(of, each.arrivals) for each, of in zip(run.courses, run.instances.of, strict=True)]
    free = np.full(len(run.instances.last), np.iinfo(np.int64).max)
    for (of, _), leave in zip(met, leaves, strict=True):
        np.minimum.at(free, of, leave)
    ran = [np.flatnonzero((each.final > each.enter) & (each.final <= free[of])) for of, each in met]
    done = run.instances.last.copy()
    for (of, each), rows in zip(met, ran, strict=True):
        np.maximum.at(done, of[rows], each.final[rows])
    return ran, done


def _locks(run: Run, first: int) -> Iterator[list[Rows]]:
    """What was got needs that it was given up before; where nobody had it but who gets it again,
    nothing."""
    found = run.contention
    for got, number in zip(found.of, found.rows_of(), strict=True):
        freed = found.freed[number]
        was_held = (freed > 0) & (freed <= got.got)
        needs = np.where(was_held, first + found.before[number].astype(np.int64), -1)
        free = np.where(was_held, np.maximum(got.asked, freed), got.asked)
        known = np.flatnonzero(got.released >= got.got)
        released = got.released[known]
        yield [
            Rows(
                Point.GOT, needs, got.path, got.asked, got.got, got.got - free,
                _nothing(needs, -1),
            ),
            Rows(
                Point.RELEASE, first + number[known], got.path[known], released, released,
                _nothing(known), _nothing(known, -1),
            ),
        ]  # fmt: skip


def _awaited(run: Run, awaited: Sequence[Awaited], first: int) -> Iterator[list[Rows]]:
    number = first + np.cumsum([0, *(len(each.end) for each in awaited)])
    cause, since = (
        np.concatenate([np.zeros(0, np.int64), *(getattr(each, name) for each in awaited)])
        for name in ("cause", "since")
    )
    for row, (course, each) in enumerate(zip(run.courses, awaited, strict=True)):
        mine = np.flatnonzero(cause == row)
        moment, waits = since[mine], number[row] + np.arange(len(each.end))
        path = course.path[np.searchsorted(course.begin, each.begin, "right") - 1]
        lag = each.end - each.since
        yield [
            Rows(Point.DONE, first + mine, _nothing(mine), moment, moment, _nothing(mine), _nothing(mine, -1)),
            Rows(Point.WAITED, waits, path, each.begin, each.end, lag, _nothing(lag, -1)),
        ]  # fmt: skip


def _numbered(calls: Iterable[list[Rows]], first: int) -> Iterator[list[Rows]]:
    for several in calls:
        yield [replace(each, object=first + each.object) for each in several]


class _Arriving(ctypes.Structure):
    """struct pomp_arriving of runtime/replay/retime.h"""

    _fields_ = members(
        "COUNT", "kind", "course", "object", "TEAMS", "team", "newest",
        "ARRIVALS", "arrival", "since",
    )  # fmt: skip


def syncs_before(run: Run, graph: Graph, arrivals: Ints) -> Ints:
    """For each arrival, which are in their order, the row from which on its member was on its own:
    the newest before at which it began the region or left a barrier of the same team."""
    since = np.empty(len(arrivals), np.int64)
    teams = len(run.teams.number)
    columns: dict[str, npt.NDArray[Any]] = {
        "kind": graph.kind, "course": graph.course, "object": graph.object,
        "team": np.ascontiguousarray(run.instances.team, np.int64),
        "newest": np.empty(teams, np.int64), "arrival": arrivals, "since": since,
    }  # fmt: skip
    passed = _Arriving(count=len(graph.kind), teams=teams, arrivals=len(arrivals))
    for name, column in columns.items():
        point(passed, name, column)
    load().pomp_alone_since(ctypes.byref(passed))
    return since
