"""Where threads wait for each other: points on their courses, and what each of them needs."""

from __future__ import annotations

import ctypes
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import IntEnum
from itertools import chain, pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from pomp_clang.causes.awaited import Awaited, awaited_of
from pomp_clang.causes.course import Arrivals, Numbers
from pomp_clang.causes.run import Run, once
from pomp_clang.causes.ticks import Durations, narrowed
from pomp_clang.trace.kernel import load, members, point
from pomp_clang.trace.model import Ints

Turns = npt.NDArray[np.uint32]

_HEAD = 3
"""Numbers of a struct pomp_head."""


class Point(IntEnum):
    """The first ones, before `BEGIN`, give what the others need: each a moment of their object."""

    FORK = 0
    """object: team"""
    ARRIVE = 1
    """object: barrier's instance; one that is free gives nothing: nobody waits for it"""
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
    reaches it from the point before, and `lag` from what it needs, or of itself.  In the order of
    time the next is that which is next of the course whose `turn` it is; `first` is where each
    course begins, and at the end how many there are.
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

    def course_of(self, rows: Ints) -> Ints:
        """Whose points some are."""
        return np.asarray(np.searchsorted(self.first, rows, "right") - 1)


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
    teams, instances = len(run.teams.number), len(run.instances.last)
    locks = len(run.contention.course)
    awaited = tuple(awaited_of(run))
    waits = sum(len(each.end) for each in awaited)
    before = teams + instances + locks
    sources = [
        _teams(run), _barriers(run, teams), _locks(run, teams + instances),
        _awaited(run, awaited, before),
    ]  # fmt: skip
    most = 2 * len(run.membership.course) + 3 * sum(map(len, run.instances.of))
    most += 2 * (locks + waits)
    calls = 0
    if run.peers is not None:
        several, calls = run.peers.points(run)
        most += sum(len(each.after) for each in chain.from_iterable(several))
        sources.append(_numbered(several, before + waits))
    columns = _Columns(most)
    for each in zip(*sources, strict=True):
        columns.add(run, chain.from_iterable(each))
    told, first = columns.told(), np.array(columns.first)
    return Graph(
        **told,
        turn=turns_of(told["after"], told["kind"], first),
        first=first,
        objects=before + waits + calls,
        instances_from=teams,
        locks_from=teams + instances,
        waits_from=before,
        calls_from=before + waits,
    )


_OF_COURSE = {
    "kind": np.uint8, "object": np.int32, "path": np.uint16, "after": np.int64,
    "work": np.uint32, "lag": np.uint32,
}  # fmt: skip
"""Columns of a graph that are known of each course on its own, and their types; what takes longer
than these durations has real ones."""


class _Columns:
    """Room for `most` points, of which one course after the other is told: what that needs besides
    is in the same memory for each."""

    def __init__(self, most: int) -> None:
        self.first = [0]
        self._columns: dict[str, npt.NDArray[Any]] = {
            name: np.empty(most, kind) for name, kind in _OF_COURSE.items()
        }

    def add(self, run: Run, several: Iterable[Rows]) -> None:
        """The points of a course by time, and at the same moment by their place."""
        rows = list(several)
        lengths = [len(each.after) for each in rows]
        begin, end = self.first[-1], self.first[-1] + sum(lengths)
        self.first.append(end)
        here = slice(begin, end)
        kind = np.repeat(np.array([each.kind for each in rows], np.uint8), lengths)
        order = _order_of(rows, kind)
        kind.take(order, out=self._columns["kind"][here], mode="clip")
        for name in ("after", "object", "path"):
            _column(rows, name).take(order, out=self._columns[name][here], mode="clip")
        lag = np.concatenate([narrowed(each.lag) for each in rows])
        self._set("lag", here, lag.take(order))
        kind, after = self._columns["kind"][here], self._columns["after"][here]
        if all(each.before is each.after for each in rows if len(each.after)):
            before = after.copy()
        else:
            before = _column(rows, "before").take(order)
        before[1:] -= after[:-1]
        before[:1] -= run.start
        before[(kind == Point.BEGIN) | (kind == Point.PASS)] = 0
        self._set("work", here, np.maximum(before, 0, out=before))

    def _set(self, name: str, here: slice, durations: npt.NDArray[Any]) -> None:
        column = narrowed(durations)
        if column.dtype != self._columns[name].dtype:
            self._columns[name] = self._columns[name].astype(np.float64)
        self._columns[name][here] = column

    def told(self) -> dict[str, npt.NDArray[Any]]:
        return {name: column[: self.first[-1]] for name, column in self._columns.items()}


def _column(rows: list[Rows], name: str) -> npt.NDArray[Any]:
    several = [getattr(each, name) for each in rows]
    return np.concatenate(several, dtype=_KEPT[name], casting="unsafe")


def _order_of(rows: list[Rows], kind: npt.NDArray[np.uint8]) -> Ints:
    """By time; where that is the same, by place.  What is in pieces that are sorted is merged."""
    time = _column(rows, "after")
    order = np.argsort(time, kind="stable")
    at = time.take(order)
    same = at[1:] == at[:-1]
    if same.any():
        tied = np.flatnonzero(np.append(same, False) | np.append(False, same))
        some = order[tied]
        place = 2 * _column(rows, "place")[some] + (kind[some] >= _NEEDS)
        order[tied] = some[np.lexsort((place, time[some]))]
    return order


class _Turns(ctypes.Structure):
    """struct pomp_turns of runtime/replay/retime.h"""

    _fields_ = members("COURSES", "first", "after", "kind", "next", "heads", "turn")


def turns_of(after: Ints, kind: npt.NDArray[np.uint8], first: Ints) -> Turns:
    """Whose next point is next in the order of time; at the same moment those that give come before
    those that need, where the same number of their course's are before them."""
    courses = len(first) - 1
    turn = np.empty(len(kind), np.uint32)
    columns: dict[str, npt.NDArray[Any]] = {
        "first": np.ascontiguousarray(first, np.int64),
        "after": np.ascontiguousarray(after, np.int64), "kind": kind,
        "next": np.empty(courses, np.int64), "heads": np.empty(_HEAD * courses, np.int64),
        "turn": turn,
    }  # fmt: skip
    run = _Turns(courses=courses)
    for name, column in columns.items():
        point(run, name, column)
    load().pomp_take_turns(ctypes.byref(run))
    return turn


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
    ran, done = _done(run)
    for course, of, rows in zip(run.courses, run.instances.of, ran, strict=True):
        met, final = course.arrivals, course.arrivals.final[rows]
        leave, instance = _leave(run, met, of), (first + of).astype(np.int32)
        yield [
            Rows(Point.ARRIVE, instance, met.path, met.enter, met.enter, _nothing(of), met.place),
            Rows(
                Point.DONE, instance[rows], met.path[rows], final, final, _nothing(rows),
                met.place[rows],
            ),
            Rows(Point.PASS, instance, met.path, leave, leave, leave - done[of], met.place),
        ]  # fmt: skip


def _leave(run: Run, met: Arrivals, of: Ints) -> Ints:
    """Nobody leaves before all have come."""
    return np.asarray(np.maximum(met.leave, run.instances.last[of]))


def _done(run: Run) -> tuple[list[Ints], Ints]:
    """For each course its arrivals at which it ran tasks before anybody left the barrier, and for
    each instance when all had come and had run these."""
    met = [(of, each.arrivals) for each, of in zip(run.courses, run.instances.of, strict=True)]
    free = np.full(len(run.instances.last), np.iinfo(np.int64).max)
    for of, each in met:
        np.minimum.at(free, of, _leave(run, each, of))
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
    by_cause = np.argsort(cause, kind="stable")
    begin = np.searchsorted(cause[by_cause], np.arange(len(awaited) + 1))
    for row, (course, each) in enumerate(zip(run.courses, awaited, strict=True)):
        mine = by_cause[begin[row] : begin[row + 1]]
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
        "COURSES", "first", "kind", "object", "TEAMS", "team", "newest",
        "ARRIVALS", "arrival", "since",
    )  # fmt: skip


def syncs_before(run: Run, graph: Graph, arrivals: Numbers) -> Numbers:
    """For each arrival, which are in their order, the row from which on its member was on its own:
    the newest before at which it began the region or left a barrier of the same team."""
    since = np.empty(len(arrivals), np.int32)
    teams = len(run.teams.number)
    columns: dict[str, npt.NDArray[Any]] = {
        "first": graph.first, "kind": graph.kind, "object": graph.object,
        "team": np.ascontiguousarray(run.instances.team, np.int64),
        "newest": np.empty(teams, np.int64), "arrival": arrivals, "since": since,
    }  # fmt: skip
    passed = _Arriving(courses=len(graph.first) - 1, teams=teams, arrivals=len(arrivals))
    for name, column in columns.items():
        point(passed, name, column)
    load().pomp_alone_since(ctypes.byref(passed))
    return since
