"""MPI's calls on the time lines of the threads that made them."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from pomp_clang.causes.activity import Activity
from pomp_clang.causes.course import Course, Ticks, sums, within
from pomp_clang.causes.distinct import numbered
from pomp_clang.causes.mpi.functions import ACTIVITY, name_of
from pomp_clang.causes.overlap import overlaps
from pomp_clang.causes.places import Place, Places
from pomp_clang.mpi.names import NAMES
from pomp_clang.trace.model import Ints
from pomp_clang.trace.mpi.columns import Job, Location

_PATHS = 1 << 16
"""So many call paths can a trace number."""

_FUNCTIONS = len(NAMES) + 1


@dataclass(frozen=True, slots=True, eq=False)
class Own:
    """The calls of one process, which are those `rows` of `Job.calls`: on which of its locations,
    in its ticks, and at which of its call paths.  A function has one below each path that it
    was called from; `below` and `function` are of those, from `highest` on."""

    rows: slice
    location: Ints
    enter: Ints
    leave: Ints
    path: Ints
    activity: Ints
    highest: int
    below: Ints
    function: Ints

    @property
    def paths(self) -> int:
        return self.highest + len(self.below)

    def placed(self, places: Places) -> Places:
        """With the functions that were called."""
        paths = list(places.paths)
        rows = np.zeros(max(len(places.rows), self.highest + len(self.below)), np.int64)
        rows[: len(places.rows)] = places.rows
        for number, (below, function) in enumerate(zip(self.below, self.function, strict=True)):
            rows[self.highest + number] = len(paths)
            paths.append(Place(int(rows[below]), "function", name_of(int(function))))
        return replace(places, paths=tuple(paths), rows=rows)

    def inserted(self, course: Course) -> Course:
        """The course with its calls, where it says nothing but that the thread computes, or is in
        no region."""
        mine = np.flatnonzero(self.location == course.location)
        if not len(mine):
            return course
        course = _from(course, int(self.enter[mine[0]]))
        free = np.flatnonzero(
            (course.activity == Activity.COMPUTE) | (course.activity == Activity.OUTSIDE)
        )
        ends = np.append(course.begin[1:], np.int64(course.end))[free]
        enter, leave = _apart(self.enter[mine], self.leave[mine])
        cut = overlaps((enter, leave), (course.begin[free], ends))
        goes_on = cut.end < ends[cut.other]
        goes_on[:-1] &= cut.begin[1:] != cut.end[:-1]
        at, back = free[cut.other], free[cut.other[goes_on]]
        path, doing = self.path[mine][cut.one], self.activity[mine][cut.one]
        begin = np.concatenate([course.begin, cut.begin, cut.end[goes_on]])
        order = np.argsort(begin, kind="stable")
        paths = np.concatenate([course.path, path, course.path[back]])
        activities = np.concatenate([course.activity, doing, course.activity[back]])
        ticks, serial = _moved(course, at, path, doing, cut.begin, cut.end)
        return replace(
            course,
            begin=begin[order],
            path=paths[order].astype(course.path.dtype),
            activity=activities[order].astype(course.activity.dtype),
            ticks=ticks,
            serial=serial,
            visits=course.visits + np.bincount(self.path[mine], minlength=len(course.visits)),
        )


def own_calls(job: Job, number: int) -> Own:
    """Those of the process in that row of `Job.processes`."""
    calls, process = job.calls, job.processes[number]
    mine = [row for row, each in enumerate(job.locations) if each.process == number]
    rows = slice(*np.searchsorted(calls.location, [mine[0], mine[-1] + 1] if mine else [0, 0]))
    enter, leave, location = (np.zeros(rows.stop - rows.start, np.int64) for _ in range(3))
    for row in mine:
        here = slice(*np.searchsorted(calls.location[rows], [row, row + 1]))
        place = job.locations[row]
        location[here] = place.number
        enter[here] = ticks_at(place, calls.enter[rows][here])
        leave[here] = ticks_at(place, calls.leave[rows][here])
    below = np.where(calls.path[rows] > 0, calls.path[rows] - process.first_path, 0)
    highest = max(process.trace.records.paths, default=0) + 1
    pair, which = numbered(below * _FUNCTIONS + calls.function[rows] + 1)
    pair = pair[: max(0, _PATHS - highest)]
    path = np.where(which < len(pair), highest + which, below)
    return Own(
        rows, location, enter, leave, path, activities(job)[rows], highest,
        pair // _FUNCTIONS, pair % _FUNCTIONS - 1,
    )  # fmt: skip


def clock_of(job: Job, number: int) -> Location:
    """Of a process."""
    return next(each for each in job.locations if each.process == number)


def ticks_at(location: Location, ns: Ints) -> Ints:
    """When something was by the location's own clock."""
    first, last = int(location.ns[0]), int(location.ns[-1])
    ticks = location.ticks - location.ticks[0]
    found = np.interp((ns - first).astype(np.float64), location.ns - first, ticks)
    pace = np.diff(location.ticks) / np.diff(location.ns)
    found += np.minimum(ns - first, 0) * pace[0] + np.maximum(ns - last, 0) * pace[-1]
    moments: Ints = location.ticks[0] + np.rint(found).astype(np.int64)
    return moments


def activities(job: Job) -> Ints:
    """Of its calls.  Those that complete what was begun are for that: for messages where for both."""
    found = ACTIVITY[job.calls.function].astype(np.int64)
    for_messages = np.zeros(len(found), np.bool_)
    for column in (job.messages.sent, job.messages.received):
        for_messages[column[column >= 0]] = True
    own = job.collectives
    later = (own.call != own.completed) & ~for_messages[own.completed]
    found[own.completed[later]] = found[own.call[later]]
    return found


def _from(course: Course, first: int) -> Course:
    """The same from its first call on, if that is before all else."""
    start = int(course.begin[0]) if len(course.begin) else course.end
    if first >= start:
        return course
    ticks, serial = course.ticks.copy(), course.serial.copy()
    ticks[0, Activity.OUTSIDE] += start - first
    serial[0] += start - first
    return replace(
        course,
        begin=np.append(np.int64(first), course.begin),
        path=np.append(np.zeros(1, course.path.dtype), course.path),
        activity=np.append(np.array([Activity.OUTSIDE], course.activity.dtype), course.activity),
        ticks=ticks,
        serial=serial,
    )


def _apart(enter: Ints, leave: Ints) -> tuple[Ints, Ints]:
    """A call within another one is that one's."""
    until = np.maximum.accumulate(leave)
    since = enter.copy()
    since[1:] = np.maximum(since[1:], until[:-1])
    return since, np.maximum(since, leave)


def _moved(
    course: Course, at: Ints, path: Ints, doing: Ints, begin: Ints, end: Ints
) -> tuple[Ticks, Ticks]:
    """The sums, with what is in calls booked there: of pieces of the stretches `at`."""
    took = (end - begin).astype(np.float64)
    ticks, serial = course.ticks.copy(), course.serial.copy()
    np.subtract.at(ticks, (course.path[at], course.activity[at]), took)
    np.add.at(ticks, (path, doing), took)
    outermost = course.members.outer == 0
    begins, ends = course.members.begin[outermost], course.members.leave[outermost]
    alone = took - within(begins, ends, begin, end)
    serial -= sums(course.path[at], alone, len(serial))
    serial += sums(path, alone, len(serial))
    return ticks, serial
