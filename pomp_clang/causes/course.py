"""What is kept of a location's trace: where its time went, and where it met others."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from pomp_clang.causes.activity import Activity, Codes
from pomp_clang.causes.stretches import Line
from pomp_clang.trace.model import Ints, Paths

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
    Of what was at one moment that with the lower `place` came before.  `is_cancelled` is of who
    cancelled the construct or saw that it was."""

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
class Waits:
    """Stretches in barriers; `arrival` is the row of each in `Arrivals`."""

    begin: Ints
    end: Ints
    arrival: Numbers


@dataclass(frozen=True, slots=True)
class Got:
    """Locks and criticals, as `trace.replay.Locks`, in the order of `got`."""

    path: Paths
    lock: Ints
    asked: Ints
    got: Ints
    released: Ints


@dataclass(frozen=True, slots=True)
class Tasks:
    """When tasks ended here, when they were created, and the stretches of waits for tasks in which
    none was run; after those that are not the wait's last the location runs one."""

    ended: Ints
    created: Ints
    wait_began: Ints
    wait_ended: Ints
    is_last: Flags


@dataclass(frozen=True, slots=True)
class Turns:
    """When the thread waited for its turn in an ordered construct, and gave it to the next."""

    wait_began: Ints
    wait_ended: Ints
    given: Ints


@dataclass(frozen=True, slots=True)
class Course:
    """`begin`, `path` and `activity` are its exclusive time line, up to `end`; `ticks` and
    `visits` are sums by path (and activity), `serial` those outside teams.  Of a run's courses
    `ticks` has one row for all paths: by path they are in the run's `spent`.  `loose` are visits
    in none, the outermost: tasks that run when a region was left, regions that these forked, and
    those of teams that were not measured.  From row `departed` on arrivals are of who had left the region before."""

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


def over(begin: Ints, at: Ints | Numbers, end: int) -> Ints:
    """When what begins at some rows is over."""
    ends = begin.take(at + 1, mode="clip")
    ends[at == len(begin) - 1] = end
    return ends


def within(begin: Ints, end: Ints, since: Ints, until: Ints) -> Ticks:
    """Of each stretch of time, how much of it lies in some that are disjoint and in order."""
    if not len(begin):
        return np.zeros(len(since))
    total = np.zeros(len(begin) + 1, np.int64)
    np.cumsum(end - begin, out=total[1:])

    def up_to(moment: Ints) -> Ints:
        begun = begin.searchsorted(moment, "right")
        left = end.take(begun - 1, mode="clip") - moment
        done: Ints = total[begun] - np.maximum(left, 0) * (begun > 0)
        return done

    took: Ticks = (up_to(until) - up_to(since)).astype(np.float64)
    return took


def outside_from(course: Course, end: int) -> Course:
    """The same up to `end`, which for a worker whose last region was canceled is later than what
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
