"""What is kept of a location's trace: where its time went, and where it met others."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from pomp_clang.causes.activity import ORDERED, Activity, Codes
from pomp_clang.causes.stretches import Line, spend
from pomp_clang.experiment.layout import Column
from pomp_clang.trace.layout import Enter, Kind
from pomp_clang.trace.model import Ints, Paths
from pomp_clang.trace.replay import Replay, Visits

Flags = npt.NDArray[np.bool_]
Ticks = npt.NDArray[np.float64]
Numbers = npt.NDArray[np.int32]

OF_REGION = -1
"""The ordinal of the barrier at a parallel region's end, of which cancelled members have met
fewer before."""


@dataclass(frozen=True, slots=True)
class Members:
    """A row for each time that the location took part in a team, in the order of beginning.

    A master's `begin` is its fork; `body` is when the region began, and `leave` when it was left.  `outer` is the team
    that the location was in before, 0 for none, and `place` as in `Arrivals`.
    """

    team: Ints
    begin: Ints
    body: Ints
    leave: Ints
    path: Ints
    outer: Ints
    place: Ints


@dataclass(frozen=True, slots=True)
class Arrivals:
    """A row for each time that the location came to a barrier.  `enter` is when, `final` is when
    it began to wait for the last time, having run tasks before, and `leave` when it went on.
    Of what was at one moment that with the lower `place` came before."""

    team: Ints
    ordinal: Numbers
    enter: Ints
    final: Ints
    leave: Ints
    path: Paths
    place: Numbers
    is_explicit: Flags


@dataclass(frozen=True, slots=True)
class Waits:
    """Stretches in barriers; `arrival` is the row of each in `Arrivals`."""

    begin: Ints
    end: Ints
    arrival: Numbers


@dataclass(frozen=True, slots=True)
class Got:
    """Locks and criticals, as `trace.replay.Locks`."""

    path: Ints
    lock: Ints
    asked: Ints
    got: Ints
    released: Ints


@dataclass(frozen=True, slots=True)
class Tasks:
    """When tasks ended here, when they were created, and waits for tasks, with the begin of the
    last stretch in which nothing was run meanwhile."""

    ended: Ints
    created: Ints
    wait_began: Ints
    wait_ended: Ints


@dataclass(frozen=True, slots=True)
class Turns:
    """When the thread waited for its turn in an ordered construct, and gave it to the next."""

    wait_began: Ints
    wait_ended: Ints
    given: Ints


@dataclass(frozen=True, slots=True)
class Course:
    """`begin`, `path` and `activity` are its exclusive time line, up to `end`; `ticks` and
    `visits` are sums by path (and activity), `serial` those outside teams.  `loose` are visits
    in none, the outermost: tasks that run when a region was left, and regions of teams that were
    not measured.  Departures are arrivals after the others."""

    location: int
    begin: Ints
    path: Paths
    activity: Codes
    end: int
    serial: Ticks
    loose: tuple[Ints, Ints]
    ticks: Ticks
    visits: Ints
    members: Members
    arrivals: Arrivals
    waits: Waits
    got: Got
    tasks: Tasks
    turns: Turns

    @property
    def line(self) -> Line:
        return Line(self.begin, self.path, self.activity, self.end)


def sums(rows: npt.NDArray[Any], amount: npt.NDArray[Any], size: int) -> Ticks:
    """What there is of each row."""
    return np.asarray(np.bincount(rows, weights=amount, minlength=size), np.float64)


def lasting(begin: Ints, end: int) -> Ints:
    """From each moment to the next, and from the last to the end."""
    took = np.empty(len(begin), np.int64)
    np.subtract(begin[1:], begin[:-1], out=took[:-1])
    took[-1:] = end - begin[-1:]
    return np.maximum(took, 0, out=took)


def over(begin: Ints, at: Ints, end: int) -> Ints:
    """When what begins at some rows is over."""
    following = at + 1
    last = following == len(begin)
    following[last] = 0
    ends = begin[following] if len(begin) else following
    ends[last] = end
    return ends


def within(begin: Ints, end: Ints, since: Ints, until: Ints) -> Ticks:
    """Of each stretch of time, how much of it lies in some that are disjoint and in order."""
    if not len(begin):
        return np.zeros(len(since))
    points = np.stack([begin, end], axis=1).reshape(-1)
    total = np.repeat(np.cumsum(end - begin), 2)
    total[::2] -= end - begin
    return np.asarray(np.interp(until, points, total) - np.interp(since, points, total))


def course_of(replay: Replay, classes: Codes, end: int) -> Course:
    """`classes` are those of the call paths, by their numbers."""
    stretches, visits = replay.stretches, replay.visits
    spent = spend(stretches, visits, classes, end)
    doing = spent.doing
    arrivals, waits = _arrivals(replay, doing, end)
    has_team = (visits.kind == Kind.PARALLEL) | (visits.kind == Kind.FORK)
    loose = np.flatnonzero((visits.outer < 0) & ~has_team)
    return Course(
        location=replay.location,
        begin=stretches.begin,
        path=stretches.path,
        activity=doing,
        end=end,
        serial=spent.serial.astype(np.float64),
        loose=(visits.begin[loose], visits.end[loose]),
        ticks=spent.ticks.astype(np.float64),
        visits=_visits(visits, len(classes)),
        members=_members(replay, doing, end),
        arrivals=arrivals,
        waits=waits,
        got=_got(replay),
        tasks=_tasks(replay, doing, end),
        turns=_turns(replay, doing, classes, end),
    )


def outside_from(course: Course, end: int) -> Course:
    """The same up to `end`, which for a worker whose last region was cancelled is later than what
    it did: that ended with its team."""
    if end <= course.end:
        return course
    return replace(
        course,
        begin=np.append(course.begin, course.end),
        path=np.append(course.path, np.zeros(1, course.path.dtype)),
        activity=np.append(course.activity, np.array([Activity.OUTSIDE], course.activity.dtype)),
        end=end,
    )


def _visits(visits: Visits, paths: int) -> Ints:
    met = (visits.kind != Kind.FORK) & (visits.kind != Kind.CREATE)
    met &= (visits.how & Enter.RESUMES) == 0
    return np.bincount(visits.path[met], minlength=paths)


def _members(replay: Replay, doing: Codes, end: int) -> Members:
    visits, stretches = replay.visits, replay.stretches
    row = np.flatnonzero(visits.kind == Kind.PARALLEL)
    body = visits.begin[row]
    starts = np.flatnonzero(doing == Activity.FORK)
    starts = starts[visits.kind[stretches.visit[starts]] == Kind.PARALLEL]
    body[np.searchsorted(row, stretches.visit[starts])] = over(stretches.begin, starts, end)
    outer = visits.outer[row]
    return Members(
        visits.team[row],
        visits.begin[row],
        body,
        visits.end[row],
        visits.path[row].astype(np.int64),
        np.append(visits.team, np.int64(0))[outer],
        2 * row,
    )


def _arrivals(replay: Replay, doing: Codes, end: int) -> tuple[Arrivals, Waits]:
    """A visit may wait in several stretches, between which it runs tasks, or in none."""
    visits = replay.visits
    is_met = _met(replay)
    row = np.flatnonzero(is_met)
    visit, begin, finish = _stretches(replay, doing, is_met, end)
    is_explicit = visits.kind[row] == Kind.BARRIER
    if np.array_equal(visit, row):
        enter = np.where(is_explicit, visits.begin[row], begin)
        enter, final, leave = begin if (begin == enter).all() else enter, begin, finish
        arrival = np.arange(len(row), dtype=np.int32)
    else:
        head = np.flatnonzero(np.append(True, visit[1:] != visit[:-1])[: len(visit)])
        tail = np.append(head[1:], len(visit))[: len(head)] - 1
        waiting = np.searchsorted(row, visit[head]).astype(np.int32)
        enter = np.where(is_explicit, visits.begin[row], _ends(replay, doing, row))
        final, leave = enter.copy(), visits.end[row]
        final[waiting], leave[waiting] = begin[tail], finish[tail]
        enter[waiting] = np.where(is_explicit[waiting], enter[waiting], begin[head])
        arrival = np.repeat(waiting, np.diff(head, append=len(visit)))
    ordinal = visits.ordinal[row]
    ordinal[visits.kind[row] == Kind.PARALLEL] = OF_REGION
    path, place = visits.path[row], _places(visits, row)
    arrivals = Arrivals(visits.team[row], ordinal, enter, final, leave, path, place, is_explicit)
    return _departed(replay, arrivals, Waits(begin, finish, arrival))


def _stretches(replay: Replay, doing: Codes, is_met: Flags, end: int) -> tuple[Numbers, Ints, Ints]:
    """Those in barriers, by the visit: which, and from when to when."""
    stretches = replay.stretches
    at = np.flatnonzero((doing == Activity.EXPLICIT) | (doing == Activity.IMPLICIT))
    visit = stretches.visit[at]
    known = is_met[visit]
    if not known.all():
        at, visit = at[known], visit[known]
    if (visit[1:] < visit[:-1]).any():
        order = np.argsort(visit, kind="stable")
        at, visit = at[order], visit[order]
    return visit, stretches.begin[at], over(stretches.begin, at, end)


def _met(replay: Replay) -> Flags:
    """Visits that are barriers, or end in one; but for those at whose end it was told later."""
    visits, left = replay.visits, replay.departures
    met: Flags = visits.ordinal >= 0
    met[left.visit[left.waits > 0]] = False
    return met


def _places(visits: Visits, row: Ints) -> Numbers:
    """Visits are in the order of their beginning; the end of a region is behind all within it."""
    place = (2 * row).astype(np.int32)
    region = np.flatnonzero(visits.kind[row] == Kind.PARALLEL)
    own = row[region]
    behind = np.searchsorted(visits.begin, visits.end[own])
    begin = np.append(visits.begin, np.iinfo(np.int64).max)
    outer = np.append(visits.outer, np.int32(-1))
    while (within := (begin[behind] == visits.end[own]) & (outer[behind] >= own)).any():
        behind = behind + within
    place[region] = 2 * behind - 1
    return place


def _ends(replay: Replay, doing: Codes, row: Ints) -> Ints:
    """When visits came to their end; what a team's master does after its barrier is apart."""
    end = replay.visits.end[row]
    joins = np.flatnonzero(doing == Activity.JOIN)
    visit = replay.stretches.visit[joins]
    at = np.minimum(np.searchsorted(row, visit), max(0, len(row) - 1))
    known = row[at] == visit if len(row) else np.zeros(len(visit), np.bool_)
    end[at[known]] = replay.stretches.begin[joins[known]]
    return end


def _departed(replay: Replay, arrivals: Arrivals, waits: Waits) -> tuple[Arrivals, Waits]:
    """Who left its region without a barrier of its own, and was told to be in the team's."""
    left = replay.departures
    told = np.flatnonzero(left.waits > 0)
    if not len(told):
        return arrivals, waits
    since, none = left.waits[told], np.zeros(len(told), np.bool_)
    more = Arrivals(
        left.team[told],
        np.full(len(told), OF_REGION, np.int32),
        since,
        since + left.tasks[told],
        since + left.tasks[told],
        replay.visits.path[left.visit[told]],
        np.full(len(told), 2 * len(replay.visits.begin), np.int32),
        none,
    )
    number = len(arrivals.team) + np.arange(len(told), dtype=np.int32)
    joined = Arrivals(
        *(
            np.concatenate([getattr(arrivals, name), getattr(more, name)])
            for name in Arrivals.__slots__
        )
    )
    far = np.full(len(told), np.iinfo(np.int64).max)
    return joined, Waits(
        np.concatenate([waits.begin, since + left.tasks[told]]),
        np.concatenate([waits.end, far]),
        np.concatenate([waits.arrival, number]),
    )


def _got(replay: Replay) -> Got:
    locks = replay.locks
    known = locks.path != 0
    return Got(
        locks.path[known].astype(np.int64),
        locks.lock[known],
        locks.asked[known],
        locks.got[known],
        locks.released[known],
    )


def _tasks(replay: Replay, doing: Codes, end: int) -> Tasks:
    visits, stretches = replay.visits, replay.stretches
    at = np.flatnonzero(doing == Activity.TASKWAIT)
    visit = stretches.visit[at]
    last = np.append(visit[1:] != visit[:-1], True) if len(visit) else np.zeros(0, np.bool_)
    at = at[last]
    return Tasks(
        np.sort(visits.end[visits.kind == Kind.TASK]),
        visits.end[visits.kind == Kind.CREATE],
        stretches.begin[at],
        over(stretches.begin, at, end),
    )


def _turns(replay: Replay, doing: Codes, classes: Codes, end: int) -> Turns:
    """The turn is given on where the construct's body ends."""
    stretches, visits = replay.stretches, replay.visits
    is_turn = visits.kind == Kind.SYNC
    is_turn[is_turn] = classes[visits.path[is_turn]] == ORDERED
    row = np.flatnonzero(is_turn)
    given = visits.end[row]
    at = np.flatnonzero(doing == Activity.ORDERED)
    is_over = stretches.phase[at] == Column.EXIT_T
    asked, left = at[~is_over], at[is_over]
    given[np.searchsorted(row, stretches.visit[left])] = stretches.begin[left]
    return Turns(stretches.begin[asked], over(stretches.begin, asked, end), np.sort(given))
