"""Regions that were cancelled: who cancelled one, saw that it was, or was in a barrier of it then,
waits from then on in the barrier at its end, of which there are no events."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from pomp_clang.causes.activity import Activity
from pomp_clang.causes.course import Flags, over
from pomp_clang.causes.distinct import are_among
from pomp_clang.causes.rows import where
from pomp_clang.experiment.layout import Column
from pomp_clang.trace.layout import Kind
from pomp_clang.trace.model import Ints
from pomp_clang.trace.replay import Visits
from pomp_clang.trace.tell import Marks, Told


def at_the_end(told: Told, until: int, last: int) -> Told:
    """The same with these waits where they are; the location's events go `until`, the trace up to
    its `last` moment, at which what is open was not cancelled."""
    visits = told.visits
    asked, left = _ended_within(visits, Kind.CANCEL), _ended_within(visits, Kind.BARRIER)
    if not (len(asked) or len(left)):
        return told
    cut = _cut(told, last)
    asked, construct = _enclosing(visits, asked, cut, (Kind.PARALLEL, Kind.WORK))
    left, region = _enclosing(visits, left, cut, (Kind.PARALLEL,))
    told = _met_at_end(told, left, region, until)
    return _waits(told, asked, construct, until)


def _ended_within(visits: Visits, kind: Kind) -> Ints:
    """What lasted until that ended which it was in."""
    rows = where(visits.kind == int(kind))
    outer, end = visits.outer[rows], visits.end[rows]
    ended: Flags = (outer >= 0) & (visits.end[outer] == end) & (visits.begin[rows] < end)
    return rows[ended]


def _cut(told: Told, last: int) -> Flags:
    """Regions that have ended without the barrier at their end, and what else has no more."""
    visits, marks = told.visits, told.marks
    cut: Flags = (visits.kind == int(Kind.PARALLEL)) & (visits.end < last)
    if cut.any():
        implied = told.stretches.doing[marks.stretch] == int(Activity.IMPLICIT)
        cut[marks.visit[implied]] = False
        cut[told.departures.visit] = False
        cut |= (visits.kind == int(Kind.WORK)) & (visits.end < last)
    return cut


def _enclosing(
    visits: Visits, rows: Ints, cut: Flags, kinds: tuple[Kind, ...]
) -> tuple[Ints, Ints]:
    """Those of the rows that ended with a construct that they are in, and the outermost such."""
    found = np.full(len(rows), -1)
    at = visits.outer[rows].astype(np.int64)
    inside = (at >= 0) & (visits.end[at] == visits.end[rows])
    while inside.any():
        fits = inside & cut[at] & are_among(visits.kind[at], np.sort(kinds))
        found[fits] = at[fits]
        is_region = visits.kind[at] == Kind.PARALLEL
        at = np.where(inside & ~is_region, visits.outer[at], -1)
        inside = (at >= 0) & (visits.end[at] == visits.end[rows])
    return rows[found >= 0], found[found >= 0]


def _met_at_end(told: Told, barrier: Ints, region: Ints, until: int) -> Told:
    """Barriers become those at the ends of their regions."""
    if not len(barrier):
        return told
    visits, marks = told.visits, told.marks
    order = np.argsort(barrier)
    barrier, region = barrier[order], region[order]
    place = np.minimum(np.searchsorted(barrier, marks.visit), len(barrier) - 1)
    moved = np.flatnonzero(barrier[place] == marks.visit)
    visit, phase, ordinal = marks.visit.copy(), marks.phase.copy(), visits.ordinal.copy()
    visit[moved], phase[moved] = region[place[moved]], Column.EXIT_BAR_T
    ordinal[barrier] = -1
    told = replace(told, marks=Marks(marks.stretch, visit, phase))
    told = replace(told, visits=replace(visits, ordinal=ordinal))
    return _booked(told, marks.stretch[moved].astype(np.int64), region[place[moved]], until)


def _waits(told: Told, asked: Ints, construct: Ints, until: int) -> Told:
    """The time of those that asked becomes that of the constructs' barriers."""
    if not len(asked):
        return told
    visits, marks = told.visits, told.marks
    at = np.searchsorted(told.stretches.begin, visits.begin[asked], "right") - 1
    told = _booked(told, at, construct, until)
    order = np.argsort(np.append(marks.stretch, at), kind="stable")
    phase = np.full(len(at), Column.EXIT_BAR_T, marks.phase.dtype)
    columns = (marks.stretch, at), (marks.visit, construct), (marks.phase, phase)
    more = (np.append(old, new.astype(old.dtype))[order] for old, new in columns)
    return replace(told, marks=Marks(*more))


def _booked(told: Told, at: Ints, construct: Ints, until: int) -> Told:
    """Stretches that are in the barriers of constructs."""
    path, doing, ticks = told.stretches.path.copy(), told.stretches.doing.copy(), told.ticks.copy()
    took = over(told.stretches.begin, at, until) - told.stretches.begin[at]
    np.subtract.at(ticks, (path[at], doing[at]), took)
    path[at], doing[at] = told.visits.path[construct], Activity.IMPLICIT
    np.add.at(ticks, (path[at], doing[at]), took)
    stretches = replace(told.stretches, path=path, doing=doing)
    return replace(told, stretches=stretches, ticks=ticks)
