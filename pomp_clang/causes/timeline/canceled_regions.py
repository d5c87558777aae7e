"""Canceled regions. A thread leaves for the barrier at a region's end if it cancels the region, sees
that it is canceled, or is in one of its barriers then. The thread waits there, without events. All
members of a team meet at the barrier of a loop or sections that contains a `cancel`; this barrier
is not measured."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from pomp_clang.causes.timeline.activity import Activity
from pomp_clang.causes.timeline.columns import are_among, where
from pomp_clang.causes.timeline.location_timeline import Flags, over
from pomp_clang.experiment.layout import Column
from pomp_clang.experiment.records import Records
from pomp_clang.trace.layout import Kind
from pomp_clang.trace.model import Ints
from pomp_clang.trace.replay import VisitColumns
from pomp_clang.trace.summarize import LocationSummary, MarkedIntervals

AFTER_CANCEL = 255
"""The phase of marks of waits that began with a cancellation, of which there is no other."""

_SHARES = frozenset(("for", "do", "sections"))

_LEFT_ALONE = frozenset(("parallel", "taskgroup"))
"""Constructs, by the clause of their cancel, that are no loop or sections."""


def cancellable(records: Records, paths: int) -> Flags:
    """Return, for each call path, whether it is a loop or sections with a cancel in it, alone or
    combined with its region. All members meet its barrier, although no event tells when."""
    is_cancellable = np.zeros(paths, np.bool_)
    if "ompt" in records.texts:
        return is_cancellable
    for raw in records.paths.values():
        region = records.regions.get(raw.region)
        if region is None or region.strings[0] not in ("cancel", "cancellation point"):
            continue
        above = raw.above if _LEFT_ALONE.isdisjoint(region.strings[3].split()[:1]) else 0
        while above in records.paths:
            outer = records.regions.get(records.paths[above].region)
            constructs = outer.strings[0].split() if outer is not None else []
            if _SHARES & set(constructs):
                is_cancellable[above : above + 1] = True
            if "parallel" in constructs or _SHARES & set(constructs):
                break
            above = records.paths[above].above
    return is_cancellable


def with_their_barriers(summary: LocationSummary, is_cancellable: Flags) -> LocationSummary:
    """Return the events with a barrier number for each visit of such a loop or sections; barriers
    that follow in the team get higher numbers."""
    visits = summary.visits
    unknown = (visits.kind == int(Kind.WORK)) & (visits.ordinal < 0)
    unknown &= is_cancellable[visits.path]
    if not unknown.any():
        return summary
    unknown[unknown] = _are_of_team(visits, np.flatnonzero(unknown))
    is_known = (visits.ordinal >= 0) & are_among(visits.kind, np.sort((Kind.WORK, Kind.BARRIER)))
    rows = np.flatnonzero(unknown | is_known)
    rows = rows[np.argsort(visits.team[rows], kind="stable")]
    team, ended_by, ordinal = visits.team[rows], unknown[rows], visits.ordinal.copy()
    number = np.cumsum(np.append(False, team[1:] != team[:-1])[: len(team)])
    start = np.searchsorted(number, number)
    before = np.cumsum(ended_by) - ended_by
    before -= before[start]
    spread = number * (int(ordinal.max(initial=0)) + 2)
    newest = np.maximum.accumulate(np.where(ended_by, -1, ordinal[rows]) + spread) - spread
    ordinal[rows] = np.where(ended_by, newest + 1, ordinal[rows]) + before
    return replace(summary, visits=replace(visits, ordinal=ordinal))


def _are_of_team(visits: VisitColumns, rows: Ints) -> Flags:
    """Return, for each of the rows, whether it belongs to the region itself and not to a task."""
    ends = np.sort((Kind.PARALLEL, Kind.TASK))
    at = visits.outer[rows].astype(np.int64)
    while (inside := (at >= 0) & ~are_among(visits.kind[at], ends)).any():
        at = np.where(inside, visits.outer[at], at)
    is_of_team: Flags = (at >= 0) & (visits.kind[at] == int(Kind.PARALLEL))
    return is_of_team


def at_the_end(
    summary: LocationSummary, until: int, last: int, is_cancellable: Flags
) -> LocationSummary:
    """Return the events with the waits that follow a cancellation. The location's events end at
    `until`, the trace at `last`; what is open at `last` was not canceled."""
    summary = _waits(summary, *_before_the_end(summary, is_cancellable, until), until)
    visits = summary.visits
    cancels, left = _ended_within(visits, Kind.CANCEL), _ended_within(visits, Kind.BARRIER)
    if not (len(cancels) or len(left)):
        return summary
    cut = _are_cut_off(summary, last)
    cancels, construct = _enclosing(visits, cancels, cut, (Kind.PARALLEL, Kind.WORK))
    left, region = _enclosing(visits, left, cut, (Kind.PARALLEL,))
    summary = _met_at_end(summary, left, region, until)
    return _waits(summary, cancels, construct, until)


def _before_the_end(
    summary: LocationSummary, is_cancellable: Flags, until: int
) -> tuple[Ints, Ints]:
    """Return the cancels of loops and sections that are one construct with their region, and these
    regions. The thread leaves the region after the wait: the time between is shorter than the wait."""
    visits, intervals = summary.visits, summary.intervals
    none = np.zeros(0, np.int64)
    if not (is_cancellable[visits.path] & (visits.kind == int(Kind.PARALLEL))).any():
        return none, none
    cancels = np.flatnonzero((visits.kind == int(Kind.CANCEL)) & (visits.begin < visits.end))
    region = visits.outer[cancels].astype(np.int64)
    while (inner := (region >= 0) & (visits.kind[region] == int(Kind.USER))).any():
        region = np.where(inner, visits.outer[region], region)
    known = (region >= 0) & (visits.kind[region] == int(Kind.PARALLEL))
    known &= is_cancellable[visits.path[region]]
    cancels, region = cancels[known], region[known]
    after = np.searchsorted(intervals.begin, visits.end[cancels])
    known = after < len(intervals.begin)
    cancels, region, after = cancels[known], region[known], after[known]
    over_at = over(intervals.begin, after, until)
    followed = intervals.doing[np.minimum(after + 1, len(intervals.doing) - 1)]
    ends = (over_at == visits.end[region]) | (followed == int(Activity.JOIN))
    ends |= followed == int(Activity.IMPLICIT)
    ends &= intervals.path[after] == visits.path[region]
    ends &= over_at - visits.end[cancels] < visits.end[cancels] - visits.begin[cancels]
    return cancels[ends], region[ends]


def _ended_within(visits: VisitColumns, kind: Kind) -> Ints:
    """Return the visits of a kind that ended together with the visit around them."""
    rows = where(visits.kind == int(kind))
    outer, end = visits.outer[rows], visits.end[rows]
    ended: Flags = (outer >= 0) & (visits.end[outer] == end) & (visits.begin[rows] < end)
    return rows[ended]


def _are_cut_off(summary: LocationSummary, last: int) -> Flags:
    """Return, for each visit, whether it is a region or construct that ended without the barrier at
    its end."""
    visits, marks = summary.visits, summary.marks
    cut: Flags = (visits.kind == int(Kind.PARALLEL)) & (visits.end < last)
    if cut.any():
        implied = summary.intervals.doing[marks.interval] == int(Activity.IMPLICIT)
        cut[marks.visit[implied]] = False
        cut[summary.departures.visit] = False
        cut |= (visits.kind == int(Kind.WORK)) & (visits.end < last)
    return cut


def _enclosing(
    visits: VisitColumns, rows: Ints, cut: Flags, kinds: tuple[Kind, ...]
) -> tuple[Ints, Ints]:
    """Return those of the rows that ended with a construct around them, and the outermost such
    construct."""
    enclosing = np.full(len(rows), -1)
    at = visits.outer[rows].astype(np.int64)
    inside = (at >= 0) & (visits.end[at] == visits.end[rows])
    while inside.any():
        is_enclosing = inside & cut[at] & are_among(visits.kind[at], np.sort(kinds))
        enclosing[is_enclosing] = at[is_enclosing]
        is_region = visits.kind[at] == Kind.PARALLEL
        at = np.where(inside & ~is_region, visits.outer[at], -1)
        inside = (at >= 0) & (visits.end[at] == visits.end[rows])
    return rows[enclosing >= 0], enclosing[enclosing >= 0]


def _met_at_end(
    summary: LocationSummary, barrier: Ints, region: Ints, until: int
) -> LocationSummary:
    """Turn barriers into the barriers at the ends of their regions."""
    if not len(barrier):
        return summary
    visits, marks = summary.visits, summary.marks
    order = np.argsort(barrier)
    barrier, region = barrier[order], region[order]
    place = np.minimum(np.searchsorted(barrier, marks.visit), len(barrier) - 1)
    moved = np.flatnonzero(barrier[place] == marks.visit)
    visit, phase, ordinal = marks.visit.copy(), marks.phase.copy(), visits.ordinal.copy()
    visit[moved], phase[moved] = region[place[moved]], Column.EXIT_BAR_T
    ordinal[barrier] = -1
    summary = replace(summary, marks=MarkedIntervals(marks.interval, visit, phase))
    summary = replace(summary, visits=replace(visits, ordinal=ordinal))
    return _book_at_barriers(
        summary, marks.interval[moved].astype(np.int64), region[place[moved]], until
    )


def _waits(summary: LocationSummary, cancels: Ints, construct: Ints, until: int) -> LocationSummary:
    """Turn the time of `cancels` into time in the barriers of their constructs."""
    if not len(cancels):
        return summary
    visits, marks = summary.visits, summary.marks
    at = np.searchsorted(summary.intervals.begin, visits.begin[cancels], "right") - 1
    summary = _book_at_barriers(summary, at, construct, until)
    order = np.argsort(np.append(marks.interval, at), kind="stable")
    phase = np.full(len(at), AFTER_CANCEL, marks.phase.dtype)
    columns = (marks.interval, at), (marks.visit, construct), (marks.phase, phase)
    columns_ = (np.append(old, new.astype(old.dtype))[order] for old, new in columns)
    return replace(summary, marks=MarkedIntervals(*columns_))


def _book_at_barriers(
    summary: LocationSummary, at: Ints, construct: Ints, until: int
) -> LocationSummary:
    """Book intervals as time in the barriers of constructs."""
    path, doing, ticks = (
        summary.intervals.path.copy(),
        summary.intervals.doing.copy(),
        summary.ticks.copy(),
    )
    duration = over(summary.intervals.begin, at, until) - summary.intervals.begin[at]
    np.subtract.at(ticks, (path[at], doing[at]), duration)
    path[at], doing[at] = summary.visits.path[construct], Activity.IMPLICIT
    np.add.at(ticks, (path[at], doing[at]), duration)
    intervals = replace(summary.intervals, path=path, doing=doing)
    return replace(summary, intervals=intervals, ticks=ticks)
