"""A location's replay -> its course."""

from __future__ import annotations

import numpy as np

from pomp_clang.causes.activity import ORDERED, Activity, Codes
from pomp_clang.causes.course import (
    OF_REGION,
    Arrivals,
    Course,
    Flags,
    Got,
    Members,
    Numbers,
    Tasks,
    Turns,
    Waits,
    over,
)
from pomp_clang.causes.stretches import spend
from pomp_clang.experiment.layout import Column
from pomp_clang.trace.layout import Enter, Kind
from pomp_clang.trace.model import Ints
from pomp_clang.trace.replay import Replay, Visits


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
