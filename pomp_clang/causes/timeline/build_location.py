"""Builds a location's timeline from its decoded events."""

from __future__ import annotations

import numpy as np

from pomp_clang.causes.timeline.activity import BARRIERS, ORDERED, Activity, Codes
from pomp_clang.causes.timeline.barriers import are_parts
from pomp_clang.causes.timeline.canceled_regions import AFTER_CANCEL
from pomp_clang.causes.timeline.columns import (
    are_alike,
    are_among,
    distinct,
    is_any,
    less_than,
    where,
)
from pomp_clang.causes.timeline.location_timeline import (
    OF_REGION,
    Arrivals,
    BarrierIntervals,
    Flags,
    LocationTimeline,
    LockAcquisitions,
    Members,
    Numbers,
    OrderedTurns,
    Tasks,
    TaskVisits,
    over,
)
from pomp_clang.experiment.layout import Column
from pomp_clang.shared_dataclass import dataclass
from pomp_clang.trace.layout import KINDS, Enter, Kind
from pomp_clang.trace.model import Ints
from pomp_clang.trace.replay import VisitColumns
from pomp_clang.trace.summarize import LocationSummary

_SYNC, _BARRIER, _PARALLEL, _CREATE, _TASK = (
    int(kind) for kind in (Kind.SYNC, Kind.BARRIER, Kind.PARALLEL, Kind.CREATE, Kind.TASK)
)
"""As plain numbers: NumPy takes five times as long to compare a column with another."""

_OF_TASKS = np.zeros(KINDS, np.bool_)
_OF_TASKS[[Kind.CREATE, Kind.TASK, Kind.WAIT]] = True
_BY_KIND = np.ones(KINDS, np.bool_)
_BY_KIND[[Kind.FORK, Kind.CREATE]] = False
_BY_HOW = np.array([not how & Enter.RESUMES for how in range(256)])
"""True for frames that are visits of their region."""


@dataclass(frozen=True, slots=True)
class _LocationMarks:
    """Marked intervals of a location: their rows in the timeline, their visits and phases."""

    at: Numbers
    visit: Numbers
    phase: Codes

    def selected(self, selection: Flags) -> _LocationMarks:
        return _LocationMarks(self.at[selection], self.visit[selection], self.phase[selection])


class _OpenMarks:
    """A location's marked intervals by activity. `regions` marks its visits of parallel regions,
    and `forked` are the intervals in which it forked the team of one."""

    def __init__(self, summary: LocationSummary) -> None:
        marks = summary.marks
        self._all = _LocationMarks(marks.interval, marks.visit, marks.phase)
        self._doing = summary.intervals.doing[marks.interval]
        self.regions: Flags = summary.visits.kind == _PARALLEL
        starts = self.of_activities(Activity.FORK)
        self.forked = starts.selected(self.regions[starts.visit])

    def of_activities(self, *activities: Activity) -> _LocationMarks:
        is_selected = self._doing == int(activities[0])
        for other in activities[1:]:
            is_selected |= self._doing == int(other)
        return self._all.selected(is_selected)

    def after_cancel(self) -> Numbers:
        """Return the visits in whose barriers the location waited after a cancellation."""
        return np.asarray(self._all.visit[self._all.phase == AFTER_CANCEL])

    def of_others(self) -> Flags:
        """Return, for each visit, whether it is a parallel region that the location entered as a
        worker."""
        others = self.regions.copy()
        others[self.forked.visit] = False
        return others


def timeline_of(summary: LocationSummary, classes: Codes, end: int, last: int) -> LocationTimeline:
    """Build a location's timeline. `classes` are the classes of the call paths; the location's
    events end at `end`, the trace at `last`."""
    intervals, visits = summary.intervals, summary.visits
    marks = _OpenMarks(summary)
    arrivals, waits, departed = _arrivals(summary, marks, end, last)
    loose = where((visits.outer < 0) & ~marks.of_others())
    return LocationTimeline(
        location=summary.location,
        begin=intervals.begin,
        path=intervals.path,
        activity=intervals.doing,
        end=end,
        serial=summary.serial.astype(np.float64),
        loose=(visits.begin[loose], visits.end[loose]),
        ticks=summary.ticks.astype(np.float64),
        visits=summary.other_visits + _visits(visits, len(classes)),
        members=_members(summary, marks, end),
        arrivals=arrivals,
        departed=departed,
        waits=waits,
        acquisitions=_acquisitions(summary),
        tasks=_tasks(summary, marks, end),
        turns=_ordered_turns(summary, marks, classes, end),
    )


def _visits(visits: VisitColumns, paths: int) -> Ints:
    is_kept = _BY_KIND[visits.kind]
    is_kept &= _BY_HOW[visits.how]
    return np.bincount(visits.path[is_kept], minlength=paths)


def _members(summary: LocationSummary, marks: _OpenMarks, end: int) -> Members:
    visits, starts = summary.visits, marks.forked
    row = where(marks.regions)
    body = visits.begin[row]
    body[row.searchsorted(starts.visit)] = over(summary.intervals.begin, starts.at, end)
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


def _arrivals(
    summary: LocationSummary, marks: _OpenMarks, end: int, last: int
) -> tuple[Arrivals, BarrierIntervals, int]:
    """Return the arrivals at barriers, the intervals in barriers, and the number of arrivals before
    those of departed members. A visit may wait in several intervals, between which it runs tasks,
    or in none."""
    visits = summary.visits
    late = where(summary.departures.waits > 0)
    is_met: Flags = visits.ordinal >= 0
    is_met[summary.departures.visit[late]] = False
    row = where(is_met)
    visit, begin, finish = _barrier_intervals(summary, marks, is_met, end)
    kind = visits.kind[row]
    is_explicit, is_region = kind == _BARRIER, kind == _PARALLEL
    if are_alike(visit, row):
        enter = np.where(is_explicit, visits.begin[row], begin)
        enter, final, leave = begin if are_alike(begin, enter) else enter, begin, finish
        arrival = np.arange(len(row), dtype=np.int32)
    else:
        head = np.flatnonzero(np.append(True, visit[1:] != visit[:-1])[: len(visit)])
        tail = np.append(head[1:], len(visit))[: len(head)] - 1
        waiting = less_than(row, visit[head]).astype(np.int32)
        arrived, final = _ends(summary, marks, row)
        enter = np.where(is_explicit, visits.begin[row], arrived)
        # The last thread at a region's end has no interval there, and joins the team at once.
        leave = np.where(is_explicit, visits.end[row], final)
        final = np.where(is_explicit, enter, final)
        final[waiting], leave[waiting] = begin[tail], finish[tail]
        enter[waiting] = np.where(is_explicit[waiting], enter[waiting], begin[head])
        arrival = np.repeat(waiting, np.diff(head, append=len(visit)))
    ordinal = visits.ordinal[row]
    ordinal[is_region] = OF_REGION
    if len(summary.earlier.visit):
        is_region |= are_among(row, distinct(visits.outer[are_parts(visits)]))
    path, place = visits.path[row], _places(visits, row, where(is_region))
    is_cancelled: Flags = np.zeros(len(row), np.bool_)
    after = marks.after_cancel()
    if len(after):
        is_cancelled = are_among(row, distinct(after))
    arrivals = Arrivals(
        visits.team[row], ordinal, enter, final, leave, path, place, is_explicit, is_cancelled
    )
    waits = BarrierIntervals(begin, finish, arrival)
    if len(late):
        arrivals, waits = _departed(summary, marks, arrivals, waits, late, (end, last))
    return arrivals, waits, len(row)


def _barrier_intervals(
    summary: LocationSummary, marks: _OpenMarks, is_met: Flags, end: int
) -> tuple[Numbers, Ints, Ints]:
    """Return the intervals in barriers, sorted by visit: visit, begin and end."""
    begin, barriers = summary.intervals.begin, marks.of_activities(*BARRIERS)
    at, visit = barriers.at, barriers.visit
    known = is_met[visit]
    if is_any(~known):
        at, visit = at[known], visit[known]
    if is_any(visit[1:] < visit[:-1]):
        order = np.argsort(visit, kind="stable")
        at, visit = at[order], visit[order]
    return visit, begin[at], over(begin, at, end)


def _places(visits: VisitColumns, row: Ints, region: Ints) -> Numbers:
    """Return the places of visits, in the order of their begins. The end of a region comes behind
    everything within it, and so does the last barrier of a construct with several."""
    place = (2 * row).astype(np.int32)
    rows = row[region]
    end = visits.end[rows]
    region_end = visits.begin.searchsorted(end)
    while True:
        within = visits.begin.take(region_end, mode="clip") == end
        if not is_any(within):
            break
        within &= visits.outer.take(region_end, mode="clip") >= rows
        within &= region_end < len(visits.begin)
        if not is_any(within):
            break
        region_end = region_end + within
    place[region] = 2 * region_end - 1
    return place


def _ends(summary: LocationSummary, marks: _OpenMarks, row: Ints) -> tuple[Ints, Ints]:
    """Return when visits ended, and when the last task that they ran ended. Work that a team's
    master does after its barrier does not count."""
    joins = marks.of_activities(Activity.JOIN)
    at = np.minimum(np.searchsorted(row, joins.visit), max(0, len(row) - 1))
    known = row[at] == joins.visit if len(row) else np.zeros(len(at), np.bool_)
    at, begin = at[known], summary.intervals.begin[joins.at[known]]
    first, last = summary.visits.end[row], summary.visits.end[row]
    np.minimum.at(first, at, begin)
    last[at] = first[at]
    np.maximum.at(last, at, begin)
    return first, last


def _departed(
    summary: LocationSummary,
    marks: _OpenMarks,
    arrivals: Arrivals,
    waits: BarrierIntervals,
    late: Ints,
    ends: tuple[int, int],
) -> tuple[Arrivals, BarrierIntervals]:
    """Add the waits of members that left their region without a barrier of their own, while the
    runtime reports them in the team's. They end with the team's barrier."""
    left = summary.departures
    since, none = left.waits[late], np.zeros(len(late), np.bool_)
    departures = Arrivals(
        left.team[late],
        np.full(len(late), OF_REGION, np.int32),
        since,
        since.copy(),
        since.copy(),
        summary.visits.path[left.visit[late]],
        np.full(len(late), 2 * len(summary.visits.begin), np.int32),
        none,
        none,
    )
    number = len(arrivals.team) + np.arange(len(late), dtype=np.int32)
    joined = Arrivals(
        *(
            np.concatenate([getattr(arrivals, name), getattr(departures, name)])
            for name in Arrivals.__slots__
        )
    )
    begin, end, owner = _idle_waits(summary, marks, since, *ends)
    return joined, BarrierIntervals(
        np.concatenate([waits.begin, begin]),
        np.concatenate([waits.end, end]),
        np.concatenate([waits.arrival, number[owner]]),
    )


def _idle_waits(
    summary: LocationSummary, marks: _OpenMarks, since: Ints, until: int, last: int
) -> tuple[Ints, Ints, Ints]:
    """Return the idle intervals from each of the moments `since` on, until the location begins a
    region of another master: begin, end and row of the moment. From `until` to the trace's `last`
    moment the location is idle, if its newest task did not record its end."""
    visits = summary.visits
    at = where(summary.intervals.doing == int(Activity.OUTSIDE))
    begin, ends = summary.intervals.begin[at], over(summary.intervals.begin, at, until)
    if until < last:
        begin, ends = np.append(begin, np.int64(until)), np.append(ends, np.int64(last))
    owner = np.searchsorted(since, ends) - 1
    regions = visits.begin[marks.of_others()]
    following = np.searchsorted(regions, since, "right")
    region_ends = np.append(regions, np.int64(last))[following]
    is_within = (owner >= 0) & (begin < region_ends[owner])
    begin, ends, owner = begin[is_within], ends[is_within], owner[is_within]
    return np.maximum(begin, since[owner]), ends, owner


def _acquisitions(summary: LocationSummary) -> LockAcquisitions:
    locks = summary.locks
    acquisitions = LockAcquisitions(
        locks.path, locks.lock, locks.requested, locks.acquired, locks.released
    )
    if is_any(acquisitions.path == 0):
        acquisitions = _of_rows(acquisitions, np.flatnonzero(acquisitions.path))
    if is_any(acquisitions.acquired[1:] < acquisitions.acquired[:-1]):
        acquisitions = _of_rows(acquisitions, np.argsort(acquisitions.acquired, kind="stable"))
    return acquisitions


def _of_rows(acquisitions: LockAcquisitions, rows: Ints) -> LockAcquisitions:
    return LockAcquisitions(
        acquisitions.path[rows],
        acquisitions.lock[rows],
        acquisitions.requested[rows],
        acquisitions.acquired[rows],
        acquisitions.released[rows],
    )


def _tasks(summary: LocationSummary, marks: _OpenMarks, end: int) -> Tasks:
    visits, begin = summary.visits, summary.intervals.begin
    waits = marks.of_activities(Activity.TASKWAIT)
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
        _task_visits(visits),
    )


def _task_visits(visits: VisitColumns) -> TaskVisits:
    rows = where(_OF_TASKS[visits.kind])
    return TaskVisits(
        visits.begin[rows], visits.end[rows], visits.path[rows], visits.kind[rows], visits.how[rows]
    )


def _ordered_turns(
    summary: LocationSummary, marks: _OpenMarks, classes: Codes, end: int
) -> OrderedTurns:
    """Return the waits for turns in ordered constructs. A turn is given on where the construct's
    body ends."""
    begin, visits = summary.intervals.begin, summary.visits
    row = where(visits.kind == _SYNC)
    row = row[classes[visits.path[row]] == ORDERED] if len(row) else row
    if not len(row):
        return OrderedTurns(begin[:0], begin[:0], begin[:0])
    granted = visits.end[row]
    turns = marks.of_activities(Activity.ORDERED)
    is_over = turns.phase == int(Column.EXIT_T)
    requested, left = turns.selected(~is_over), turns.selected(is_over)
    granted[np.searchsorted(row, left.visit)] = begin[left.at]
    return OrderedTurns(begin[requested.at], over(begin, requested.at, end), np.sort(granted))
