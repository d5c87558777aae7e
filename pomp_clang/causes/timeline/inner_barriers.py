"""Inner barriers: constructs with several barriers, such as a loop with a reduction or a `single`
with copyprivate, of which the OpenMP runtime reports all. Each but the last becomes a visit of its
own."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from pomp_clang.causes.timeline.activity import Activity
from pomp_clang.causes.timeline.location_timeline import Flags, over
from pomp_clang.causes.timeline.unique import are_among, distinct
from pomp_clang.trace.layout import Enter, Kind
from pomp_clang.trace.model import Ints
from pomp_clang.trace.replay import EarlierBarriers, VisitColumns
from pomp_clang.trace.summarize import LocationSummary, MarkedIntervals


def on_their_own(summary: LocationSummary, until: int) -> LocationSummary:
    """Return the events with one more visit for each inner barrier, within its construct's visit;
    the location's events end at `until`."""
    visits, marks = summary.visits, summary.marks
    if not len(summary.earlier.visit):
        return summary
    earlier = _rows(summary.earlier, np.argsort(summary.earlier.begin, kind="stable"))
    at = np.searchsorted(visits.begin, earlier.begin, "right")
    number = np.arange(len(visits.begin), dtype=np.int32)
    became = np.append(number + np.searchsorted(at, number, "right"), -1).astype(np.int32)
    interval, barrier = _waits(summary, earlier)
    visit = became[marks.visit]
    visit[interval] = at[barrier] + barrier
    end = earlier.begin.copy()
    np.maximum.at(end, barrier, over(summary.intervals.begin, marks.interval[interval], until))
    inner_visits = _visits(visits, earlier, end)
    visits = VisitColumns(
        *(
            np.insert(getattr(visits, name), at, getattr(inner_visits, name))
            for name in VisitColumns.__slots__
        )
    )
    return replace(
        summary,
        visits=replace(visits, outer=became[visits.outer]),
        marks=MarkedIntervals(marks.interval, visit, marks.phase),
        departures=replace(summary.departures, visit=became[summary.departures.visit]),
    )


def are_parts(visits: VisitColumns) -> Flags:
    """Return, for each visit, whether it is an inner barrier."""
    is_part: Flags = (visits.kind == Kind.WORK) & ((visits.how & Enter.RESUMES) > 0)
    return is_part


def _visits(visits: VisitColumns, earlier: EarlierBarriers, end: Ints) -> VisitColumns:
    visit, count = earlier.visit, len(end)
    return VisitColumns(
        earlier.begin,
        end,
        visits.path[visit],
        np.full(count, Kind.WORK, np.uint8),
        np.full(count, Enter.RESUMES, np.uint8),
        visit,
        visits.team[visit],
        earlier.ordinal,
    )


def _waits(summary: LocationSummary, earlier: EarlierBarriers) -> tuple[Ints, Ints]:
    """Return the marks of intervals in inner barriers, and the row of the barrier of each: the
    first of its construct's that ended later."""
    marks = summary.marks
    at = np.flatnonzero(
        (summary.intervals.doing[marks.interval] == Activity.IMPLICIT)
        & are_among(marks.visit, distinct(earlier.visit))
    )
    visit = np.append(earlier.visit, marks.visit[at])
    time = np.append(earlier.until, summary.intervals.begin[marks.interval[at]])
    is_mark = np.arange(len(visit)) >= len(earlier.visit)
    order = np.lexsort((is_mark, time, visit))
    following = np.empty(len(order), np.int64)
    following[order] = np.cumsum(~is_mark[order])
    barrier = np.append(order[~is_mark[order]], 0)[following[is_mark]]
    known = (following[is_mark] < len(earlier.visit)) & (earlier.visit[barrier] == marks.visit[at])
    return at[known], barrier[known]


def _rows(earlier: EarlierBarriers, rows: Ints) -> EarlierBarriers:
    return EarlierBarriers(*(getattr(earlier, name)[rows] for name in EarlierBarriers.__slots__))
