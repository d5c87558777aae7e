"""Barrier instances: the barriers that the members of a team met together, and the waits in them.

Constructs may have inner barriers, such as a loop with a reduction or a `single` with copyprivate,
of which the OpenMP runtime reports all. Each but the last becomes a visit of its own.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from pomp_clang.causes.timeline.activity import Activity
from pomp_clang.causes.timeline.columns import are_among, distinct
from pomp_clang.causes.timeline.location_timeline import (
    OF_REGION,
    Flags,
    LocationTimeline,
    Numbers,
    over,
)
from pomp_clang.causes.timeline.teams import TeamTable
from pomp_clang.shared_dataclass import dataclass
from pomp_clang.trace.kernel import load, members, point
from pomp_clang.trace.layout import Enter, Kind
from pomp_clang.trace.model import Ints
from pomp_clang.trace.replay import EarlierBarriers, VisitColumns
from pomp_clang.trace.summarize import LocationSummary, MarkedIntervals


@dataclass(frozen=True, slots=True)
class BarrierInstances:
    """A row for each barrier instance: when its last member arrived (`last`), when the last task
    run in it ended (`done`), and on which location each was. `of` has, for each location, the
    instances of its arrivals."""

    last: Ints
    last_location: Numbers
    done: Ints
    done_location: Numbers
    team: Numbers
    of: tuple[Ints, ...]


def instances_of(timelines: list[LocationTimeline], teams: TeamTable) -> BarrierInstances:
    """Match the arrivals of all locations: members of a team meet the same barriers in the same
    order."""
    rows = [teams.rows(timeline.arrivals.team) for timeline in timelines]
    arrival_count = np.zeros(len(teams.number), np.int64)
    for timeline, row in zip(timelines, rows, strict=True):
        np.maximum.at(arrival_count, row, timeline.arrivals.ordinal.astype(np.int64) + 1)
    first = np.concatenate([[0], np.cumsum(arrival_count + 1)])
    count = int(first[-1])
    instance = tuple(
        np.where(
            timeline.arrivals.ordinal == OF_REGION,
            first[row + 1] - 1,
            first[row] + timeline.arrivals.ordinal,
        )
        for timeline, row in zip(timelines, rows, strict=True)
    )
    team = np.repeat(np.arange(len(teams.number), dtype=np.int32), arrival_count + 1)
    return BarrierInstances(*_latest(count, instance, timelines), team, instance)


_NEVER = np.iinfo(np.int64).min


class _MeetingStruct(ctypes.Structure):
    """`struct pomp_meeting` of runtime/replay/barrier_waits.h."""

    _fields_ = members(
        "COUNT", "LOCATION", "instance", "enter", "final",
        "last", "last_location", "done", "done_location",
    )  # fmt: skip


def _latest(
    count: int, instances: tuple[Ints, ...], timelines: list[LocationTimeline]
) -> tuple[Ints, Numbers, Ints, Numbers]:
    """Return the first four columns of `BarrierInstances`."""
    last, done = np.full(count, _NEVER), np.full(count, _NEVER)
    last_location, done_location = np.full(count, -1, np.int32), np.full(count, -1, np.int32)
    for number, (instance, timeline) in enumerate(zip(instances, timelines, strict=True)):
        arrivals = timeline.arrivals
        columns = {
            "instance": np.ascontiguousarray(instance, np.int64),
            "enter": np.ascontiguousarray(arrivals.enter, np.int64),
            "final": np.ascontiguousarray(arrivals.final, np.int64),
            "last": last, "last_location": last_location,
            "done": done, "done_location": done_location,
        }  # fmt: skip
        run = _MeetingStruct(count=len(instance), location=number)
        for name, column in columns.items():
            point(run, name, column)
        load().pomp_meet(ctypes.byref(run))
    return last, last_location, done, done_location


class _WaitingStruct(ctypes.Structure):
    """`struct pomp_waiting` of runtime/replay/barrier_waits.h."""

    _fields_ = members("COUNT", "begin", "end", "arrival", "instance", "until", "since", "ticks")


def waited(
    timeline: LocationTimeline, instance_of: Ints, until: Ints, since: Ints | None = None
) -> Ints:
    """Return the ticks that each arrival waited without running tasks. `until` and `since` are
    moments of each instance: the wait ends at the first, and begins at the second if given."""
    waits, ticks = timeline.waits, np.zeros(len(instance_of), np.int64)
    columns = {
        "begin": waits.begin, "end": waits.end, "instance": instance_of, "until": until,
        **({} if since is None else {"since": since}),
    }  # fmt: skip
    kept = {name: np.ascontiguousarray(column, np.int64) for name, column in columns.items()}
    kept |= {"arrival": np.ascontiguousarray(waits.arrival, np.int32), "ticks": ticks}
    run = _WaitingStruct(count=len(waits.begin))
    for name, column in kept.items():
        point(run, name, column)
    load().pomp_add_waits(ctypes.byref(run))
    return ticks


def settled(
    timelines: list[LocationTimeline], teams: TeamTable, is_cancellable: Flags
) -> list[LocationTimeline]:
    """Return the timelines with the arrivals at barriers at the ends of constructs with a cancel. A
    member that has not canceled the construct arrived before the first of its team left the
    barrier."""
    if not is_cancellable.any():
        return timelines
    instances = instances_of(timelines, teams)
    left = np.full(len(instances.last), np.iinfo(np.int64).max)
    is_cancelled = np.zeros(len(instances.last), np.bool_)
    for timeline, instance in zip(timelines, instances.of, strict=True):
        np.minimum.at(left, instance, timeline.arrivals.leave)
        is_cancelled[instance[timeline.arrivals.is_cancelled]] = True
    settled_timelines = []
    for timeline, instance in zip(timelines, instances.of, strict=True):
        arrivals = timeline.arrivals
        unknown = is_cancellable[arrivals.path] & ~arrivals.is_cancelled
        unknown &= np.where(
            arrivals.ordinal == OF_REGION, is_cancelled[instance], arrivals.enter == arrivals.leave
        )
        at = np.where(unknown, left[instance], np.iinfo(np.int64).max)
        enter, final = np.minimum(arrivals.enter, at), np.minimum(arrivals.final, at)
        settled_timelines.append(
            replace(timeline, arrivals=replace(arrivals, enter=enter, final=final))
        )
    return settled_timelines


def met_by_all(instances: BarrierInstances, teams: TeamTable) -> Flags:
    """Return, for each instance, whether every member of its team arrived, which is not so if the
    construct was canceled."""
    arrived = np.zeros(len(instances.last), np.int64)
    for instance in instances.of:
        arrived += np.bincount(instance, minlength=len(arrived))
    is_complete: Flags = arrived >= teams.size[instances.team]
    return is_complete


def completed(
    timelines: Sequence[LocationTimeline], instances: BarrierInstances, is_whole: Flags
) -> Iterator[Ints]:
    """Yield, for each location, the ticks of each arrival in its barrier after all members had
    arrived and their tasks had ended; `is_whole` is the result of `met_by_all`."""
    until = np.where(is_whole, np.iinfo(np.int64).max, 0)
    since = np.maximum(instances.last, instances.done)
    for timeline, instance in zip(timelines, instances.of, strict=True):
        yield waited(timeline, instance, until, since)


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
