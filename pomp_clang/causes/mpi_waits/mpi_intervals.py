"""MPI calls as intervals on the timelines of the threads that made them."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from pomp_clang.causes.mpi_waits.functions import ACTIVITY, name_of
from pomp_clang.causes.timeline.activity import Activity
from pomp_clang.causes.timeline.columns import numbered, overlaps
from pomp_clang.causes.timeline.location_timeline import LocationTimeline, Ticks, sums, within
from pomp_clang.causes.timeline.places import Place, Places
from pomp_clang.mpi.variants import NAMES
from pomp_clang.trace.model import Ints
from pomp_clang.trace.mpi.call_sites import CallSite
from pomp_clang.trace.mpi.columns import Job, JobLocation

_PATHS = 1 << 16
"""The most call paths that a trace can number."""

_FUNCTIONS = len(NAMES) + 1


@dataclass(frozen=True, slots=True, eq=False)
class ProcessCalls:
    """The calls of one process, which are `rows` of `Job.calls`: location, begin, end (in ticks),
    call path and activity of each. Functions have call paths of their own, numbered from `highest`
    on: one for each calling path (`below`), function (`function`) and call site (`site`)."""

    rows: slice
    location: Ints
    enter: Ints
    leave: Ints
    path: Ints
    activity: Ints
    highest: int
    below: Ints
    function: Ints
    site: tuple[CallSite, ...]

    @property
    def paths(self) -> int:
        return self.highest + len(self.below)

    def placed(self, places: Places) -> Places:
        """Return the call paths with those of the called functions.

        Outside of regions, the program's function stands for the line of a call that is not known.
        """
        paths = list(places.paths)
        rows = np.zeros(max(len(places.rows), self.highest + len(self.below)), np.int64)
        rows[: len(places.rows)] = places.rows
        called = zip(self.below, self.function, self.site, strict=True)
        callers: dict[str, int] = {}
        for number, (below, function, site) in enumerate(called):
            above = int(rows[below])
            if site.function and not site.file and not above:
                if site.function not in callers:
                    callers[site.function] = len(paths)
                    paths.append(Place(0, "function", site.function))
                above = callers[site.function]
            rows[self.highest + number] = len(paths)
            name = name_of(int(function))
            paths.append(Place(above, "function", name, site.file, site.line))
        return replace(places, paths=tuple(paths), rows=rows)

    def inserted(self, timeline: LocationTimeline) -> LocationTimeline:
        """Return the timeline with its calls as intervals. A call replaces only computing, and time
        outside of regions."""
        own_rows = np.flatnonzero(self.location == timeline.location)
        if not len(own_rows):
            return timeline
        timeline = _from_first_call(timeline, int(self.enter[own_rows[0]]))
        free = np.flatnonzero(
            (timeline.activity == Activity.COMPUTE) | (timeline.activity == Activity.OUTSIDE)
        )
        ends = np.append(timeline.begin[1:], np.int64(timeline.end))[free]
        enter, leave = _without_overlap(self.enter[own_rows], self.leave[own_rows])
        cut = overlaps((enter, leave), (timeline.begin[free], ends))
        continues = cut.end < ends[cut.other]
        continues[:-1] &= cut.begin[1:] != cut.end[:-1]
        at, back = free[cut.other], free[cut.other[continues]]
        path, doing = self.path[own_rows][cut.one], self.activity[own_rows][cut.one]
        begin = np.concatenate([timeline.begin, cut.begin, cut.end[continues]])
        order = np.argsort(begin, kind="stable")
        paths = np.concatenate([timeline.path, path, timeline.path[back]])
        activities = np.concatenate([timeline.activity, doing, timeline.activity[back]])
        ticks, serial = _moved_ticks(timeline, at, path, doing, cut.begin, cut.end)
        return replace(
            timeline,
            begin=begin[order],
            path=paths[order].astype(timeline.path.dtype),
            activity=activities[order].astype(timeline.activity.dtype),
            ticks=ticks,
            serial=serial,
            visits=timeline.visits
            + np.bincount(self.path[own_rows], minlength=len(timeline.visits)),
        )


def own_calls(job: Job, number: int) -> ProcessCalls:
    """Return the calls of the process in row `number` of `Job.processes`."""
    calls, process = job.calls, job.processes[number]
    own_rows = [row for row, location in enumerate(job.locations) if location.process == number]
    rows = slice(
        *np.searchsorted(calls.location, [own_rows[0], own_rows[-1] + 1] if own_rows else [0, 0])
    )
    enter, leave, location = (np.zeros(rows.stop - rows.start, np.int64) for _ in range(3))
    for row in own_rows:
        on_location = slice(*np.searchsorted(calls.location[rows], [row, row + 1]))
        place = job.locations[row]
        location[on_location] = place.number
        enter[on_location] = ticks_at(place, calls.enter[rows][on_location])
        leave[on_location] = ticks_at(place, calls.leave[rows][on_location])
    below = np.where(calls.path[rows] > 0, calls.path[rows] - process.first_path, 0)
    highest = max(process.trace.records.paths, default=0) + 1
    function = calls.function[rows] + 1
    key, key_number = numbered((below * _FUNCTIONS + function) * len(job.sites) + calls.site[rows])
    key = key[: max(0, _PATHS - highest)]
    path = np.where(key_number < len(key), highest + key_number, below)
    below, function = np.divmod(key // len(job.sites), _FUNCTIONS)
    sites = tuple(job.sites[row] for row in (key % len(job.sites)).tolist())
    return ProcessCalls(
        rows,
        location,
        enter,
        leave,
        path,
        activities(job)[rows],
        highest,
        below,
        function - 1,
        sites,
    )


def clock_of(job: Job, number: int) -> JobLocation:
    """Return a location of the process, for its clock."""
    return next(location for location in job.locations if location.process == number)


def ticks_at(location: JobLocation, ns: Ints) -> Ints:
    """Return moments of the job's clock (ns) in ticks of the location's clock."""
    first, last = int(location.ns[0]), int(location.ns[-1])
    ticks = location.ticks - location.ticks[0]
    since_first = np.interp((ns - first).astype(np.float64), location.ns - first, ticks)
    pace = np.diff(location.ticks) / np.diff(location.ns)
    since_first += np.minimum(ns - first, 0) * pace[0] + np.maximum(ns - last, 0) * pace[-1]
    moments: Ints = location.ticks[0] + np.rint(since_first).astype(np.int64)
    return moments


def activities(job: Job) -> Ints:
    """Return the activity of each call. A call that completes another one has the activity of that
    one; if it completes messages, too, it counts for these."""
    activity = ACTIVITY[job.calls.function].astype(np.int64)
    for_messages = np.zeros(len(activity), np.bool_)
    for column in (job.messages.sent, job.messages.received):
        for_messages[column[column >= 0]] = True
    collectives = job.collectives
    later = (collectives.call != collectives.completed) & ~for_messages[collectives.completed]
    activity[collectives.completed[later]] = activity[collectives.call[later]]
    return activity


def _from_first_call(timeline: LocationTimeline, first: int) -> LocationTimeline:
    """Return the timeline from its first call on, if that comes before everything else."""
    start = int(timeline.begin[0]) if len(timeline.begin) else timeline.end
    if first >= start:
        return timeline
    ticks, serial = timeline.ticks.copy(), timeline.serial.copy()
    ticks[0, Activity.OUTSIDE] += start - first
    serial[0] += start - first
    return replace(
        timeline,
        begin=np.append(np.int64(first), timeline.begin),
        path=np.append(np.zeros(1, timeline.path.dtype), timeline.path),
        activity=np.append(
            np.array([Activity.OUTSIDE], timeline.activity.dtype), timeline.activity
        ),
        ticks=ticks,
        serial=serial,
    )


def _without_overlap(enter: Ints, leave: Ints) -> tuple[Ints, Ints]:
    """Return the calls' begins and ends without overlap: a call inside another one counts for the
    outer one."""
    until = np.maximum.accumulate(leave)
    since = enter.copy()
    since[1:] = np.maximum(since[1:], until[:-1])
    return since, np.maximum(since, leave)


def _moved_ticks(
    timeline: LocationTimeline, at: Ints, path: Ints, doing: Ints, begin: Ints, end: Ints
) -> tuple[Ticks, Ticks]:
    """Return the ticks and serial ticks of a timeline after its calls took time from the intervals
    `at`."""
    duration = (end - begin).astype(np.float64)
    ticks, serial = timeline.ticks.copy(), timeline.serial.copy()
    np.subtract.at(ticks, (timeline.path[at], timeline.activity[at]), duration)
    np.add.at(ticks, (path, doing), duration)
    outermost = timeline.members.outer == 0
    begins, ends = timeline.members.begin[outermost], timeline.members.leave[outermost]
    alone = duration - within(begins, ends, begin, end)
    serial -= sums(timeline.path[at], alone, len(serial))
    serial += sums(path, alone, len(serial))
    return ticks, serial
