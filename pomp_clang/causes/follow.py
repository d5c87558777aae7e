"""What is told of a location -> its course."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pomp_clang.causes.activity import BARRIERS, ORDERED, Activity, Codes
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
from pomp_clang.causes.distinct import are_among, distinct
from pomp_clang.causes.earlier import are_parts
from pomp_clang.experiment.layout import Column
from pomp_clang.trace.layout import Enter, Kind
from pomp_clang.trace.model import Ints
from pomp_clang.trace.replay import Visits
from pomp_clang.trace.tell import Told


@dataclass(frozen=True, slots=True)
class _Marked:
    """Stretches in which something is done that is looked at: `at` are their rows."""

    at: Numbers
    visit: Numbers
    phase: Codes

    def where(self, which: Flags) -> _Marked:
        return _Marked(self.at[which], self.visit[which], self.phase[which])


class _Marks:
    """Of a location, by what is done in them."""

    def __init__(self, told: Told) -> None:
        marks = told.marks
        self._all = _Marked(marks.stretch, marks.visit, marks.phase)
        self._doing = told.stretches.doing[marks.stretch]

    def of(self, *activities: Activity) -> _Marked:
        which = self._doing == activities[0]
        for other in activities[1:]:
            which |= self._doing == other
        return self._all.where(which)


def course_of(told: Told, classes: Codes, end: int) -> Course:
    """`classes` are those of the call paths, by their numbers."""
    stretches, visits = told.stretches, told.visits
    marks = _Marks(told)
    arrivals, waits = _arrivals(told, marks, end)
    loose = np.flatnonzero((visits.outer < 0) & ~_of_others(told, marks))
    return Course(
        location=told.location,
        begin=stretches.begin,
        path=stretches.path,
        activity=stretches.doing,
        end=end,
        serial=told.serial.astype(np.float64),
        loose=(visits.begin[loose], visits.end[loose]),
        ticks=told.ticks.astype(np.float64),
        visits=told.gone + _visits(visits, len(classes)),
        members=_members(told, marks, end),
        arrivals=arrivals,
        departed=len(arrivals.team) - int((told.departures.waits > 0).sum()),
        waits=waits,
        got=_got(told),
        tasks=_tasks(told, marks, end),
        turns=_turns(told, marks, classes, end),
    )


def _visits(visits: Visits, paths: int) -> Ints:
    met = (visits.kind != Kind.FORK) & (visits.kind != Kind.CREATE)
    met &= (visits.how & Enter.RESUMES) == 0
    return np.bincount(visits.path[met], minlength=paths)


def _members(told: Told, marks: _Marks, end: int) -> Members:
    visits = told.visits
    row = np.flatnonzero(visits.kind == Kind.PARALLEL)
    body = visits.begin[row]
    starts = _forked(told, marks)
    body[np.searchsorted(row, starts.visit)] = over(told.stretches.begin, starts.at, end)
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


def _forked(told: Told, marks: _Marks) -> _Marked:
    """Stretches in which the location forked the team of a region."""
    starts = marks.of(Activity.FORK)
    return starts.where(told.visits.kind[starts.visit] == Kind.PARALLEL)


def _of_others(told: Told, marks: _Marks) -> Flags:
    """Visits of regions to which the location came as a worker."""
    found: Flags = told.visits.kind == Kind.PARALLEL
    found[_forked(told, marks).visit] = False
    return found


def _arrivals(told: Told, marks: _Marks, end: int) -> tuple[Arrivals, Waits]:
    """A visit may wait in several stretches, between which it runs tasks, or in none."""
    visits = told.visits
    is_met = _met(told)
    row = np.flatnonzero(is_met)
    visit, begin, finish = _stretches(told, marks, is_met, end)
    is_explicit = visits.kind[row] == Kind.BARRIER
    if np.array_equal(visit, row):
        enter = np.where(is_explicit, visits.begin[row], begin)
        enter, final, leave = begin if (begin == enter).all() else enter, begin, finish
        arrival = np.arange(len(row), dtype=np.int32)
    else:
        head = np.flatnonzero(np.append(True, visit[1:] != visit[:-1])[: len(visit)])
        tail = np.append(head[1:], len(visit))[: len(head)] - 1
        waiting = np.searchsorted(row, visit[head]).astype(np.int32)
        enter = np.where(is_explicit, visits.begin[row], _ends(told, marks, row))
        final, leave = enter.copy(), visits.end[row]
        final[waiting], leave[waiting] = begin[tail], finish[tail]
        enter[waiting] = np.where(is_explicit[waiting], enter[waiting], begin[head])
        arrival = np.repeat(waiting, np.diff(head, append=len(visit)))
    ordinal = visits.ordinal[row]
    ordinal[visits.kind[row] == Kind.PARALLEL] = OF_REGION
    path, place = visits.path[row], _places(visits, row)
    arrivals = Arrivals(visits.team[row], ordinal, enter, final, leave, path, place, is_explicit)
    return _departed(told, marks, arrivals, Waits(begin, finish, arrival), end)


def _stretches(told: Told, marks: _Marks, is_met: Flags, end: int) -> tuple[Numbers, Ints, Ints]:
    """Those in barriers, by the visit: which, and from when to when."""
    begin, barriers = told.stretches.begin, marks.of(*BARRIERS)
    at, visit = barriers.at, barriers.visit
    known = is_met[visit]
    if not known.all():
        at, visit = at[known], visit[known]
    if (visit[1:] < visit[:-1]).any():
        order = np.argsort(visit, kind="stable")
        at, visit = at[order], visit[order]
    return visit, begin[at], over(begin, at, end)


def _met(told: Told) -> Flags:
    """Visits that are barriers, or end in one; but for those at whose end it was told later."""
    visits, left = told.visits, told.departures
    met: Flags = visits.ordinal >= 0
    met[left.visit[left.waits > 0]] = False
    return met


def _places(visits: Visits, row: Ints) -> Numbers:
    """Visits are in the order of their beginning; the end of a region is behind all within it, and
    so is a construct's last barrier of several."""
    place = (2 * row).astype(np.int32)
    several = visits.outer[are_parts(visits)]
    region = np.flatnonzero((visits.kind[row] == Kind.PARALLEL) | are_among(row, distinct(several)))
    own = row[region]
    behind = np.searchsorted(visits.begin, visits.end[own])
    begin = np.append(visits.begin, np.iinfo(np.int64).max)
    outer = np.append(visits.outer, np.int32(-1))
    while (within := (begin[behind] == visits.end[own]) & (outer[behind] >= own)).any():
        behind = behind + within
    place[region] = 2 * behind - 1
    return place


def _ends(told: Told, marks: _Marks, row: Ints) -> Ints:
    """When visits came to their end; what a team's master does after its barrier is apart."""
    end = told.visits.end[row]
    joins = marks.of(Activity.JOIN)
    at = np.minimum(np.searchsorted(row, joins.visit), max(0, len(row) - 1))
    known = row[at] == joins.visit if len(row) else np.zeros(len(at), np.bool_)
    end[at[known]] = told.stretches.begin[joins.at[known]]
    return end


def _departed(
    told: Told, marks: _Marks, arrivals: Arrivals, waits: Waits, until: int
) -> tuple[Arrivals, Waits]:
    """Who left its region without a barrier of its own, and was told to be in the team's: when it
    was over is known of the team."""
    left = told.departures
    late = np.flatnonzero(left.waits > 0)
    if not len(late):
        return arrivals, waits
    since, none = left.waits[late], np.zeros(len(late), np.bool_)
    more = Arrivals(
        left.team[late],
        np.full(len(late), OF_REGION, np.int32),
        since,
        since.copy(),
        since.copy(),
        told.visits.path[left.visit[late]],
        np.full(len(late), 2 * len(told.visits.begin), np.int32),
        none,
    )
    number = len(arrivals.team) + np.arange(len(late), dtype=np.int32)
    joined = Arrivals(
        *(
            np.concatenate([getattr(arrivals, name), getattr(more, name)])
            for name in Arrivals.__slots__
        )
    )
    begin, end, owner = _waited(told, marks, since, until)
    return joined, Waits(
        np.concatenate([waits.begin, begin]),
        np.concatenate([waits.end, end]),
        np.concatenate([waits.arrival, number[owner]]),
    )


def _waited(told: Told, marks: _Marks, since: Ints, until: int) -> tuple[Ints, Ints, Ints]:
    """When nothing was done from some moments on, up to when the location began another's region:
    from when to when, and since which of the moments."""
    visits, begin = told.visits, told.stretches.begin
    at = np.flatnonzero(told.stretches.doing == Activity.OUTSIDE)
    ends = over(begin, at, until)
    owner = np.searchsorted(since, ends) - 1
    regions = visits.begin[_of_others(told, marks)]
    following = np.searchsorted(regions, since, "right")
    behind = np.append(regions, np.int64(until))[following]
    which = (owner >= 0) & (begin[at] < behind[owner])
    at, ends, owner = at[which], ends[which], owner[which]
    return np.maximum(begin[at], since[owner]), ends, owner


def _got(told: Told) -> Got:
    locks = told.locks
    got = Got(locks.path, locks.lock, locks.asked, locks.got, locks.released)
    if not got.path.all():
        got = _of_rows(got, np.flatnonzero(got.path))
    if (got.got[1:] < got.got[:-1]).any():
        got = _of_rows(got, np.argsort(got.got, kind="stable"))
    return got


def _of_rows(got: Got, rows: Ints) -> Got:
    return Got(got.path[rows], got.lock[rows], got.asked[rows], got.got[rows], got.released[rows])


def _tasks(told: Told, marks: _Marks, end: int) -> Tasks:
    visits, begin = told.visits, told.stretches.begin
    waits = marks.of(Activity.TASKWAIT)
    visit = waits.visit
    last = np.append(visit[1:] != visit[:-1], True) if len(visit) else np.zeros(0, np.bool_)
    at = waits.at[last]
    return Tasks(
        np.sort(visits.end[visits.kind == Kind.TASK]),
        visits.end[visits.kind == Kind.CREATE],
        begin[at],
        over(begin, at, end),
    )


def _turns(told: Told, marks: _Marks, classes: Codes, end: int) -> Turns:
    """The turn is given on where the construct's body ends."""
    begin, visits = told.stretches.begin, told.visits
    row = np.flatnonzero(visits.kind == Kind.SYNC)
    row = row[classes[visits.path[row]] == ORDERED] if len(row) else row
    if not len(row):
        return Turns(begin[:0], begin[:0], begin[:0])
    given = visits.end[row]
    turns = marks.of(Activity.ORDERED)
    is_over = turns.phase == Column.EXIT_T
    asked, left = turns.where(~is_over), turns.where(is_over)
    given[np.searchsorted(row, left.visit)] = begin[left.at]
    return Turns(begin[asked.at], over(begin, asked.at, end), np.sort(given))
