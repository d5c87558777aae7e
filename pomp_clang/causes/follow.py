"""What is told of a location -> its course."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pomp_clang.causes.activity import BARRIERS, ORDERED, Activity, Codes
from pomp_clang.causes.cancelled import AFTER_CANCEL
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
from pomp_clang.causes.rows import are_alike, is_any, where
from pomp_clang.experiment.layout import Column
from pomp_clang.trace.layout import KINDS, Enter, Kind
from pomp_clang.trace.model import Ints
from pomp_clang.trace.replay import Visits
from pomp_clang.trace.tell import Told

_SYNC, _BARRIER, _PARALLEL, _CREATE, _TASK = (
    int(each) for each in (Kind.SYNC, Kind.BARRIER, Kind.PARALLEL, Kind.CREATE, Kind.TASK)
)
"""As plain numbers: NumPy takes five times as long to compare a column with another."""

_BY_KIND = np.ones(KINDS, np.bool_)
_BY_KIND[[Kind.FORK, Kind.CREATE]] = False
_BY_HOW = np.array([not how & Enter.RESUMES for how in range(256)])
"""Whether a frame is a visit of its region."""


@dataclass(frozen=True, slots=True)
class _Marked:
    """Stretches in which something is done that is looked at: `at` are their rows."""

    at: Numbers
    visit: Numbers
    phase: Codes

    def where(self, which: Flags) -> _Marked:
        return _Marked(self.at[which], self.visit[which], self.phase[which])


class _Marks:
    """Of a location, by what is done in them; `regions` are its visits of parallel regions, and
    `forked` the stretches in which it forked the team of one."""

    def __init__(self, told: Told) -> None:
        marks = told.marks
        self._all = _Marked(marks.stretch, marks.visit, marks.phase)
        self._doing = told.stretches.doing[marks.stretch]
        self.regions: Flags = told.visits.kind == _PARALLEL
        starts = self.of(Activity.FORK)
        self.forked = starts.where(self.regions[starts.visit])

    def of(self, *activities: Activity) -> _Marked:
        which = self._doing == int(activities[0])
        for other in activities[1:]:
            which |= self._doing == int(other)
        return self._all.where(which)

    def after_cancel(self) -> Numbers:
        """Return visits in whose barriers it waited since they were cancelled."""
        return np.asarray(self._all.visit[self._all.phase == AFTER_CANCEL])

    def of_others(self) -> Flags:
        """Visits of regions to which the location came as a worker."""
        found = self.regions.copy()
        found[self.forked.visit] = False
        return found


def course_of(told: Told, classes: Codes, end: int, last: int) -> Course:
    """`classes` are those of the call paths, by their numbers; the location's events go to its
    `end`, the trace to its `last` moment."""
    stretches, visits = told.stretches, told.visits
    marks = _Marks(told)
    arrivals, waits, departed = _arrivals(told, marks, end, last)
    loose = where((visits.outer < 0) & ~marks.of_others())
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
        departed=departed,
        waits=waits,
        got=_got(told),
        tasks=_tasks(told, marks, end),
        turns=_turns(told, marks, classes, end),
    )


def _visits(visits: Visits, paths: int) -> Ints:
    met = _BY_KIND[visits.kind]
    met &= _BY_HOW[visits.how]
    return np.bincount(visits.path[met], minlength=paths)


def _members(told: Told, marks: _Marks, end: int) -> Members:
    visits, starts = told.visits, marks.forked
    row = where(marks.regions)
    body = visits.begin[row]
    body[row.searchsorted(starts.visit)] = over(told.stretches.begin, starts.at, end)
    outer = visits.outer[row]
    team = visits.team[outer]
    team[outer < 0] = 0
    return Members(
        visits.team[row],
        visits.begin[row],
        body,
        visits.end[row],
        visits.path[row].astype(np.int64),
        team,
        2 * row,
    )


def _arrivals(told: Told, marks: _Marks, end: int, last: int) -> tuple[Arrivals, Waits, int]:
    """A visit may wait in several stretches, between which it runs tasks, or in none.  And how many
    there are but for those of who had left the region before."""
    visits = told.visits
    late = where(told.departures.waits > 0)
    is_met: Flags = visits.ordinal >= 0
    is_met[told.departures.visit[late]] = False
    row = where(is_met)
    visit, begin, finish = _stretches(told, marks, is_met, end)
    kind = visits.kind[row]
    is_explicit, is_region = kind == _BARRIER, kind == _PARALLEL
    if are_alike(visit, row):
        enter = np.where(is_explicit, visits.begin[row], begin)
        enter, final, leave = begin if are_alike(begin, enter) else enter, begin, finish
        arrival = np.arange(len(row), dtype=np.int32)
    else:
        head = np.flatnonzero(np.append(True, visit[1:] != visit[:-1])[: len(visit)])
        tail = np.append(head[1:], len(visit))[: len(head)] - 1
        waiting = np.searchsorted(row, visit[head]).astype(np.int32)
        came, final = _ends(told, marks, row)
        enter = np.where(is_explicit, visits.begin[row], came)
        final, leave = np.where(is_explicit, enter, final), visits.end[row]
        final[waiting], leave[waiting] = begin[tail], finish[tail]
        enter[waiting] = np.where(is_explicit[waiting], enter[waiting], begin[head])
        arrival = np.repeat(waiting, np.diff(head, append=len(visit)))
    ordinal = visits.ordinal[row]
    ordinal[is_region] = OF_REGION
    if len(told.earlier.visit):
        is_region |= are_among(row, distinct(visits.outer[are_parts(visits)]))
    path, place = visits.path[row], _places(visits, row, where(is_region))
    is_cancelled: Flags = np.zeros(len(row), np.bool_)
    after = marks.after_cancel()
    if len(after):
        is_cancelled = are_among(row, distinct(after))
    arrivals = Arrivals(
        visits.team[row], ordinal, enter, final, leave, path, place, is_explicit, is_cancelled
    )
    waits = Waits(begin, finish, arrival)
    if len(late):
        arrivals, waits = _departed(told, marks, arrivals, waits, late, (end, last))
    return arrivals, waits, len(row)


def _stretches(told: Told, marks: _Marks, is_met: Flags, end: int) -> tuple[Numbers, Ints, Ints]:
    """Those in barriers, by the visit: which, and from when to when."""
    begin, barriers = told.stretches.begin, marks.of(*BARRIERS)
    at, visit = barriers.at, barriers.visit
    known = is_met[visit]
    if is_any(~known):
        at, visit = at[known], visit[known]
    if is_any(visit[1:] < visit[:-1]):
        order = np.argsort(visit, kind="stable")
        at, visit = at[order], visit[order]
    return visit, begin[at], over(begin, at, end)


def _places(visits: Visits, row: Ints, region: Ints) -> Numbers:
    """Visits are in the order of their beginning; the end of a region is behind all within it, and
    so is a construct's last barrier of several."""
    place = (2 * row).astype(np.int32)
    own = row[region]
    end = visits.end[own]
    behind = visits.begin.searchsorted(end)
    while True:
        within = visits.begin.take(behind, mode="clip") == end
        if not is_any(within):
            break
        within &= visits.outer.take(behind, mode="clip") >= own
        within &= behind < len(visits.begin)
        if not is_any(within):
            break
        behind = behind + within
    place[region] = 2 * behind - 1
    return place


def _ends(told: Told, marks: _Marks, row: Ints) -> tuple[Ints, Ints]:
    """When visits came to their end, and when the last task was over that they ran there; what a
    team's master does after its barrier is apart."""
    joins = marks.of(Activity.JOIN)
    at = np.minimum(np.searchsorted(row, joins.visit), max(0, len(row) - 1))
    known = row[at] == joins.visit if len(row) else np.zeros(len(at), np.bool_)
    at, begin = at[known], told.stretches.begin[joins.at[known]]
    first, last = told.visits.end[row], told.visits.end[row]
    np.minimum.at(first, at, begin)
    last[at] = first[at]
    np.maximum.at(last, at, begin)
    return first, last


def _departed(
    told: Told, marks: _Marks, arrivals: Arrivals, waits: Waits, late: Ints, ends: tuple[int, int]
) -> tuple[Arrivals, Waits]:
    """Who left its region without a barrier of its own, and was told to be in the team's: when it
    was over is known of the team."""
    left = told.departures
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
        none,
    )
    number = len(arrivals.team) + np.arange(len(late), dtype=np.int32)
    joined = Arrivals(
        *(
            np.concatenate([getattr(arrivals, name), getattr(more, name)])
            for name in Arrivals.__slots__
        )
    )
    begin, end, owner = _waited(told, marks, since, *ends)
    return joined, Waits(
        np.concatenate([waits.begin, begin]),
        np.concatenate([waits.end, end]),
        np.concatenate([waits.arrival, number[owner]]),
    )


def _waited(
    told: Told, marks: _Marks, since: Ints, until: int, last: int
) -> tuple[Ints, Ints, Ints]:
    """When nothing was done from some moments on, up to when the location began another's region:
    from when to when, and since which of the moments.  `until` the trace's `last` moment it does
    nothing, where its newest task did not tell its end."""
    visits = told.visits
    at = where(told.stretches.doing == int(Activity.OUTSIDE))
    begin, ends = told.stretches.begin[at], over(told.stretches.begin, at, until)
    if until < last:
        begin, ends = np.append(begin, np.int64(until)), np.append(ends, np.int64(last))
    owner = np.searchsorted(since, ends) - 1
    regions = visits.begin[marks.of_others()]
    following = np.searchsorted(regions, since, "right")
    behind = np.append(regions, np.int64(last))[following]
    which = (owner >= 0) & (begin < behind[owner])
    begin, ends, owner = begin[which], ends[which], owner[which]
    return np.maximum(begin, since[owner]), ends, owner


def _got(told: Told) -> Got:
    locks = told.locks
    got = Got(locks.path, locks.lock, locks.asked, locks.got, locks.released)
    if is_any(got.path == 0):
        got = _of_rows(got, np.flatnonzero(got.path))
    if is_any(got.got[1:] < got.got[:-1]):
        got = _of_rows(got, np.argsort(got.got, kind="stable"))
    return got


def _of_rows(got: Got, rows: Ints) -> Got:
    return Got(got.path[rows], got.lock[rows], got.asked[rows], got.got[rows], got.released[rows])


def _tasks(told: Told, marks: _Marks, end: int) -> Tasks:
    visits, begin = told.visits, told.stretches.begin
    waits = marks.of(Activity.TASKWAIT)
    at, visit = waits.at, waits.visit
    if is_any(visit[1:] < visit[:-1]):
        order = np.argsort(visit, kind="stable")
        at, visit = at[order], visit[order]
    is_last = np.ones(len(visit), np.bool_)
    is_last[:-1] = visit[1:] != visit[:-1]
    ended = visits.end[visits.kind == _TASK]
    return Tasks(
        np.sort(ended) if is_any(ended[1:] < ended[:-1]) else ended,
        visits.end[visits.kind == _CREATE],
        begin[at],
        over(begin, at, end),
        is_last,
    )


def _turns(told: Told, marks: _Marks, classes: Codes, end: int) -> Turns:
    """The turn is given on where the construct's body ends."""
    begin, visits = told.stretches.begin, told.visits
    row = where(visits.kind == _SYNC)
    row = row[classes[visits.path[row]] == ORDERED] if len(row) else row
    if not len(row):
        return Turns(begin[:0], begin[:0], begin[:0])
    given = visits.end[row]
    turns = marks.of(Activity.ORDERED)
    is_over = turns.phase == int(Column.EXIT_T)
    asked, left = turns.where(~is_over), turns.where(is_over)
    given[np.searchsorted(row, left.visit)] = begin[left.at]
    return Turns(begin[asked.at], over(begin, asked.at, end), np.sort(given))
