"""A location's timeline: where its time went, and where it met other locations."""

from __future__ import annotations

import ctypes
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from pomp_clang.causes.timeline.activity import Activity, Codes
from pomp_clang.causes.timeline.columns import not_above
from pomp_clang.causes.timeline.interval_kernel import TimelineIntervals
from pomp_clang.shared_dataclass import dataclass
from pomp_clang.trace.kernel import load, members, point
from pomp_clang.trace.model import Ints, Paths

Flags = npt.NDArray[np.bool_]
Ticks = npt.NDArray[np.float64]
Numbers = npt.NDArray[np.int32]

OF_REGION = -1
"""The ordinal of the barrier at a parallel region's end, of which cancelled members have met
fewer before."""


@dataclass(frozen=True, slots=True)
class Members:
    """A row for each team of which the location was a member, in the order of their begins. A
    master's `begin` is its fork; `body` is when the region began, and `leave` when the location
    left it. `outer` is the team that the location was in before, 0 for none, and `place` as in
    `Arrivals`."""

    team: Ints
    begin: Ints
    body: Ints
    leave: Ints
    path: Ints
    outer: Ints
    place: Ints


@dataclass(frozen=True, slots=True)
class Arrivals:
    """A row for each arrival of the location at a barrier, at `enter`. At `final` it began to wait
    for the last time, after it had run tasks, and at `leave` it went on. At the same moment, the
    row with the lower `place` comes first. In a run, `team` has no rows: the teams are those of the
    barrier instances. `is_cancelled` marks arrivals after the location
    canceled the construct or saw that it was canceled."""

    team: Ints
    ordinal: Numbers
    enter: Ints
    final: Ints
    leave: Ints
    path: Paths
    place: Numbers
    is_explicit: Flags
    is_cancelled: Flags


@dataclass(frozen=True, slots=True)
class BarrierIntervals:
    """Intervals in barriers; `arrival` is the row of each in `Arrivals`."""

    begin: Ints
    end: Ints
    arrival: Numbers


@dataclass(frozen=True, slots=True)
class LockAcquisitions:
    """Locks and criticals, as `trace.replay.Locks`, in the order of `acquired`."""

    path: Paths
    lock: Ints
    requested: Ints
    acquired: Ints
    released: Ints


@dataclass(frozen=True, slots=True)
class TaskVisits:
    """The location's visits of tasks: their runs, their creations, and waits for them, in the order
    of their begins. `kind` is a `trace.layout.Kind`, `how` are the bits of `Enter`."""

    begin: Ints
    end: Ints
    path: Paths
    kind: npt.NDArray[np.uint8]
    how: npt.NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class Tasks:
    """When tasks ended on the location, when it created tasks, and the intervals in which it waited
    for tasks without running one. After an interval that is not the wait's last, the location runs
    a task. `visits` has all that happened to tasks."""

    ended: Ints
    created: Ints
    wait_began: Ints
    wait_ended: Ints
    is_last: Flags
    visits: TaskVisits


@dataclass(frozen=True, slots=True)
class OrderedTurns:
    """When the location waited for its turn in an ordered construct, and when it gave the turn to
    the next."""

    wait_began: Ints
    wait_ended: Ints
    granted: Ints


@dataclass(frozen=True, slots=True)
class LocationTimeline:
    """A location's timeline: `begin`, `path` and `activity` of its exclusive intervals, the last up
    to `end`.

    `ticks` and `visits` are sums by path (and activity), `serial` ticks outside teams. In a run,
    `ticks` has one row for all paths: by path they are in the run's `spent`. `loose` are the
    outermost visits outside teams: tasks that run after a region was left, regions that these
    forked, and regions of teams that were not measured. From row `departed` on, arrivals are of
    members that had left the region before.
    """

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
    departed: int
    waits: BarrierIntervals
    acquisitions: LockAcquisitions
    tasks: Tasks
    turns: OrderedTurns

    @property
    def intervals(self) -> TimelineIntervals:
        return TimelineIntervals(self.begin, self.path, self.activity, self.end)


def sums(rows: npt.NDArray[Any], amount: npt.NDArray[Any], size: int) -> Ticks:
    """Return the sum of the amounts of each row."""
    return np.asarray(np.bincount(rows, weights=amount, minlength=size), np.float64)


class _EndingStruct(ctypes.Structure):
    """`struct pomp_ending` of runtime/replay/intervals.h."""

    _fields_ = (
        *members("COUNT", "begin"),
        ("end", ctypes.c_int64),
        *members("ROWS", "narrow", "wide", "ends"),
    )


def over(begin: Ints, at: Ints | Numbers, end: int) -> Ints:
    """Return when the intervals at some rows end."""
    ends = np.empty(len(at), np.int64)
    run = _EndingStruct(count=len(begin), end=end, rows=len(at))
    name, kind = ("narrow", np.int32) if at.dtype == np.int32 else ("wide", np.int64)
    columns = {
        "begin": np.ascontiguousarray(begin, np.int64),
        name: np.ascontiguousarray(at, kind),
        "ends": ends,
    }
    for name, column in columns.items():
        point(run, name, column)
    load().pomp_find_ends(ctypes.byref(run))
    return ends


def within(begin: Ints, end: Ints, since: Ints, until: Ints) -> Ticks:
    """Return, for each interval from `since` to `until`, how much of it lies in intervals that are
    disjoint and in order."""
    if not len(begin):
        return np.zeros(len(since))
    total = np.zeros(len(begin) + 1, np.int64)
    np.cumsum(end - begin, out=total[1:])

    def up_to(moment: Ints) -> Ints:
        begun_count = not_above(begin, moment)
        left = end.take(begun_count - 1, mode="clip") - moment
        elapsed: Ints = total[begun_count] - np.maximum(left, 0) * (begun_count > 0)
        return elapsed

    duration: Ticks = (up_to(until) - up_to(since)).astype(np.float64)
    return duration


def outside_from(timeline: LocationTimeline, end: int) -> LocationTimeline:
    """Return the timeline extended to `end`, as time outside all regions. A worker whose last
    region was canceled did its last before that: the work ended with its team."""
    if end <= timeline.end:
        return timeline
    return replace(
        timeline,
        begin=np.append(timeline.begin, timeline.end),
        path=np.append(timeline.path, np.zeros(1, timeline.path.dtype)),
        activity=np.append(
            timeline.activity, np.array([Activity.OUTSIDE], timeline.activity.dtype)
        ),
        end=end,
    )
