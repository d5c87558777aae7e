"""Where threads wait for each other: points on their courses, and what each of them needs."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import IntEnum
from typing import Any

import numpy as np
import numpy.typing as npt

from pomp_clang.causes.course import Flags, Ticks
from pomp_clang.causes.run import Run, once
from pomp_clang.trace.model import Ints


class Point(IntEnum):
    """The first three give what the others need: each a moment of their object."""

    FORK = 0
    """object: team"""
    ARRIVE = 1
    """object: barrier's instance"""
    RELEASE = 2
    """object: a lock or critical that was got, as `Contention` has it"""
    BEGIN = 3
    """a member begins the region; needs the fork"""
    PASS = 4
    """a barrier is left; needs all arrivals"""
    GOT = 5
    """a lock is got; needs the release before, where there is one"""


_NEEDS = Point.BEGIN
_KEPT = {
    "course": np.uint16, "object": np.int32, "path": np.uint16, "before": np.int64,
    "after": np.int64, "lag": np.float64, "place": np.int32,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Graph:
    """A row for each point, course by course in the order of time.

    A point is reached at `before` by what the course does from the one before, and done with at
    `after`.  `object` numbers teams, instances, releases and what calls of MPI give, in one row; `path` is as the trace
    numbers it.  `work` is ticks from the point before, and `lag` from what it needs, or of
    itself.  `order` are the rows in the order of time, and `first` where each course begins.
    """

    kind: npt.NDArray[np.uint8]
    course: npt.NDArray[np.int32]
    object: npt.NDArray[np.int32]
    path: npt.NDArray[np.uint16]
    before: Ints
    after: Ints
    work: Ticks
    lag: Ticks
    order: Ints
    first: Ints
    objects: int
    instances_from: int
    locks_from: int
    calls_from: int


@dataclass(frozen=True, slots=True)
class Rows:
    kind: Point
    course: npt.NDArray[Any]
    object: npt.NDArray[Any]
    path: npt.NDArray[Any]
    before: Ints
    after: Ints
    lag: npt.NDArray[Any]
    place: npt.NDArray[Any]


@once
def graph_of(run: Run) -> Graph:
    if not len(run.contention.course) and run.peers is None:
        return meetings_of(run)
    first = len(run.teams.number) + len(run.instances.last)
    calls, count = run.peers.points(run) if run.peers is not None else ([], 0)
    behind = first + len(run.contention.course)
    calls = [replace(each, object=each.object + behind) for each in calls]
    return _graph(run, [*_locks(run, first), *calls], len(run.contention.course), count)


@once
def meetings_of(run: Run) -> Graph:
    """Teams and barriers alone."""
    return _graph(run, [])


def _graph(run: Run, more: list[Rows], locks: int = 0, calls: int = 0) -> Graph:
    teams, instances = len(run.teams.number), len(run.instances.last)
    rows = [*_teams(run), *_barriers(run, teams), *more]
    kind = np.repeat(
        np.array([each.kind for each in rows], np.uint8), [len(each.course) for each in rows]
    )
    named = {
        name: np.concatenate([getattr(each, name) for each in rows], dtype=kept, casting="unsafe")
        for name, kept in _KEPT.items()
    }
    del rows
    by_course = _sorted(named["course"], named["after"], 2 * named.pop("place") + (kind >= _NEEDS))
    kind = kind[by_course]
    for name in named:
        named[name] = named[name][by_course]
    course = named["course"].astype(np.int32)
    first = np.searchsorted(course, np.arange(len(run.courses) + 1))
    work = named["before"] - np.append(np.int64(run.start), named["after"][:-1])[: len(kind)]
    begins = first[:-1][first[:-1] < len(kind)]
    work[begins] = named["before"][begins] - run.start
    work = np.maximum(0, work).astype(np.float64)
    work[(kind == Point.BEGIN) | (kind == Point.PASS)] = 0
    order = in_order(named["after"], 2 * depths(course, named["after"]), kind)
    return Graph(
        kind,
        course,
        named["object"],
        named["path"],
        named["before"],
        named["after"],
        work,
        named["lag"],
        order,
        first,
        teams + instances + locks + calls,
        teams,
        teams + instances,
        teams + instances + locks,
    )


def _sorted(group: npt.NDArray[np.uint16], time: Ints, otherwise: Ints) -> Ints:
    """The rows by group and time; where that is the same, by something else.  What is in pieces
    that are sorted is merged."""
    order = np.argsort(time, kind="stable")
    if group.any():
        order = order[np.argsort(group[order], kind="stable")]
    same = (np.diff(time[order]) == 0) & (np.diff(group[order]) == 0)
    if same.any():
        tied = np.flatnonzero(np.append(same, False) | np.append(False, same))
        rows = order[tied]
        order[tied] = rows[np.lexsort((otherwise[rows], time[rows], group[rows]))]
    return order


def in_order(time: Ints, otherwise: Ints, kind: npt.NDArray[np.uint8]) -> Ints:
    """The rows by time; at the same, those that give before those that need."""
    return _sorted(np.zeros(len(kind), np.uint16), time, otherwise + (kind >= _NEEDS))


def depths(course: npt.NDArray[np.int32], after: Ints) -> Ints:
    """How many points of the same course at the same moment come before."""
    begins = np.append(True, (course[1:] != course[:-1]) | (after[1:] != after[:-1]))[: len(after)]
    rows = np.arange(len(after))
    return rows - np.maximum.accumulate(np.where(begins, rows, 0))


def _teams(run: Run) -> list[Rows]:
    members = run.membership
    master = np.flatnonzero(members.is_master)
    none = np.zeros(len(master), np.int64)
    fork = members.fork[master]
    return [
        Rows(
            Point.FORK, members.course[master], members.team[master], members.path[master],
            fork, fork, none, members.place[master],
        ),
        Rows(
            Point.BEGIN, members.course, members.team, members.path,
            members.body, members.body, members.body - run.teams.fork[members.team], members.place,
        ),
    ]  # fmt: skip


def _barriers(run: Run, first: int) -> list[Rows]:
    rows = []
    for number, (course, of) in enumerate(zip(run.courses, run.instances.of, strict=True)):
        met = course.arrivals
        who = np.full(len(of), number, np.uint16)
        leave = np.maximum(met.leave, run.instances.last[of])
        lag = leave - run.instances.last[of]
        none = np.zeros(len(of), np.int8)
        rows += [
            Rows(Point.ARRIVE, who, first + of, met.path, met.enter, met.enter, none, met.place),
            Rows(Point.PASS, who, first + of, met.path, leave, leave, lag, met.place),
        ]
    return rows


def _locks(run: Run, first: int) -> list[Rows]:
    """What was got needs the release of the row before, which is of the same lock; where nobody
    had it, none."""
    found = run.contention
    number = first + np.arange(len(found.course))
    needs = np.where(found.freed > 0, number - 1, -1)
    free = np.maximum(found.asked, np.minimum(found.freed, found.got))
    known = found.released >= found.got
    first_of_all = np.full(len(known), -1)
    none = np.zeros(int(known.sum()), np.int64)
    released = found.released[known]
    return [
        Rows(
            Point.GOT, found.course, needs, found.path, found.asked, found.got, found.got - free,
            first_of_all,
        ),
        Rows(
            Point.RELEASE, found.course[known], number[known], found.path[known],
            released, released, none, first_of_all[known],
        ),
    ]  # fmt: skip


def pieces(graph: Graph, since: Ints, until: Ints) -> tuple[Ints, Ints]:
    """The rows after each `since` up to each `until`, and which pair each is of."""
    length = np.maximum(0, until - since)
    pair = np.repeat(np.arange(len(length)), length)
    begin = np.cumsum(length) - length
    return since[pair] + 1 + np.arange(len(pair)) - begin[pair], pair


def syncs_before(graph: Graph, arrivals: Ints, team_of: Ints) -> Ints:
    """For each arrival the row from which on its member was on its own: the newest before at
    which it began the region or left a barrier of the same team.  `team_of` is that of each
    object, -1 for locks."""
    team = team_of[graph.object]
    starts = np.isin(graph.kind, (Point.FORK, Point.BEGIN, Point.PASS))
    relevant = np.zeros(len(graph.kind), np.bool_)
    relevant[arrivals] = True
    rows = np.flatnonzero(starts | relevant)
    order = np.lexsort((rows, team[rows], graph.course[rows]))
    rows = rows[order]
    is_start = starts[rows]
    newest = np.maximum.accumulate(np.where(is_start, np.arange(len(rows)), 0))
    found = rows[newest]
    of = np.full(len(graph.kind), -1, np.int64)
    of[rows] = found
    chosen = of[arrivals]
    same = (team[chosen] == team[arrivals]) & (graph.course[chosen] == graph.course[arrivals])
    own: Flags = same & (chosen < arrivals)
    return np.where(own, chosen, arrivals - 1)
