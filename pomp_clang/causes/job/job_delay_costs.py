"""Delay costs between processes: excess work of the late process since the last synchronization
with the waiting one, and the waits that delayed the late process.

A location's arrival at a call depends on its own work, and on the work of threads of its process
for which it waited.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from pomp_clang.causes.mpi_waits.call_waits import Waits
from pomp_clang.causes.mpi_waits.mpi_intervals import clock_of, ticks_at
from pomp_clang.causes.mpi_waits.operations import JobOperations, meetings, met_before
from pomp_clang.causes.run.run import Run, once
from pomp_clang.causes.timeline.activity import Activity
from pomp_clang.causes.timeline.columns import distinct, numbered
from pomp_clang.causes.timeline.interval_kernel import TimelineIntervals, work
from pomp_clang.causes.timeline.location_timeline import Ticks, sums
from pomp_clang.causes.waits.delay_costs import Delays
from pomp_clang.causes.waits.delay_kernel import WAITS
from pomp_clang.causes.waits.find_critical_path import PathPieces, jumps_of, leading
from pomp_clang.trace.model import Ints
from pomp_clang.trace.mpi.columns import Job
from pomp_clang.trace.mpi.workers import Workers


@dataclass(frozen=True, slots=True, eq=False)
class Pieces:
    """A row is a time on a location, from `begin` to `end`, that belongs to a `segment`."""

    segment: Ints
    location: Ints
    begin: Ints
    end: Ints


def intervals_of(run: Run, number: int) -> TimelineIntervals:
    """Return a location's intervals. A thread that the program made computes at the program's call
    path while it is in no region."""
    intervals = run.timelines[number].intervals
    is_outside = intervals.doing == Activity.OUTSIDE
    if run.is_worker[number] or not is_outside.any():
        return intervals
    path, doing = intervals.path.copy(), intervals.doing.copy()
    path[is_outside], doing[is_outside] = 0, Activity.COMPUTE
    return replace(intervals, path=path, doing=doing)


def pieces_of(run: Run, location: int, since: Ints, until: Ints) -> Pieces:
    """Return the pieces of time that the location's arrival at each `until` depends on, from
    `since` on; a segment is a row of these two. If threads of a team make the calls, only the
    location's own time counts."""
    back = _back_from(run, location)
    first = np.searchsorted(back.end, since, "right")
    last = np.searchsorted(back.begin, until, "right") - 1
    is_known = (last >= first) & (back.location[np.maximum(last, 0)] == location)
    count = np.where(is_known, last - first + 1, 1)
    segment = np.repeat(np.arange(len(since)), count)
    place = np.arange(len(segment)) - np.repeat(np.cumsum(count) - count, count)
    at = np.where(is_known[segment], first[segment] + place, 0)
    known = is_known[segment]
    return Pieces(
        segment,
        np.where(known, back.location[at], location),
        np.where(known, np.maximum(back.begin[at], since[segment]), since[segment]),
        np.where(known, np.minimum(back.end[at], until[segment]), until[segment]),
    )


_jumps = once(jumps_of)


def _back_from(run: Run, location: int) -> PathPieces:
    """Return the path backwards from the end of a location: at each wait it goes on to the thread
    that was waited for. Its pieces are in time order."""
    key = "back from", location
    if key not in run.memo:
        jumps = _jumps(run)
        rows = leading(jumps, len(run.timelines), location)[::-1]
        end = max(run.end, run.timelines[location].end)
        run.memo[key] = PathPieces(
            np.append(jumps.cause[rows], location),
            np.append(np.iinfo(np.int64).min, jumps.since[rows]),
            np.append(jumps.since[rows], end),
        )
    pieces: PathPieces = run.memo[key]
    return pieces


_CELLS = 1 << 22
"""Cells of the table by wait and call path that are in memory at a time."""


@dataclass(frozen=True, slots=True, eq=False)
class LocationSegments:
    """A row per wait: the time from `since` to `until` on a `location`, which is the row of a
    location in the job."""

    location: Ints
    since: Ints
    until: Ints

    def pick(self, rows: slice) -> LocationSegments:
        return LocationSegments(self.location[rows], self.since[rows], self.until[rows])


@dataclass(frozen=True, slots=True, eq=False)
class JobLocations:
    """The locations of all processes in one numbering: those of process `n` are `first[n]` to
    `first[n + 1]`. `rows[n]` maps its call paths to the job's, of which there are `paths`. `location`
    and `path` have the location and the job's call path of each call; `runs` are this worker's."""

    job: Job
    runs: dict[int, Run]
    workers: Workers
    first: Ints
    rows: tuple[Ints, ...]
    paths: int
    location: Ints
    path: Ints
    operations: JobOperations


@dataclass(frozen=True, slots=True, eq=False)
class _Within:
    """Pairs of a segment and a wait that ended within the segment, a row each."""

    segment: Ints
    wait: Ints


@dataclass(frozen=True, slots=True, eq=False)
class _ExcessWork:
    """A row per wait and call path: the `part` of the wait that excess time of the late process
    there explains. `location` is the location which spent most of that time. `waiting` has, by wait,
    the part that waits of the late process explain."""

    wait: Ints
    path: Ints
    location: Ints
    part: Ticks
    waiting: Ticks


@dataclass(frozen=True, slots=True, eq=False)
class DelayParts:
    """A row per part of a wait: `ns` at a call path of the job, on a location."""

    path: Ints
    location: Ints
    ns: Ticks
    wait: Ints


@dataclass(frozen=True, slots=True, eq=False)
class JobDelays:
    """The delays between the processes. `late_segments` has, by wait, the segment of the late
    process since the two last synchronized. The keys of `parts` are the fields of `Delays`, and
    `terminal`."""

    waits: Waits
    late_segments: LocationSegments
    parts: dict[str, DelayParts]


def delays_between(locations: JobLocations, waits: Waits) -> JobDelays:
    """Return the delays that explain waits between processes; each of `waits` has a cause."""
    leave = locations.job.calls.leave[waits.call]
    waiting, delaying = _sides(locations, waits)
    within = _wait_ends(
        locations,
        waits,
        LocationSegments(delaying.location, delaying.since, np.minimum(delaying.until, leave - 1)),
    )
    charged = _charge(locations, waits, waiting, delaying)
    ns = waits.ns.astype(np.float64)
    segment_sum = sums(within.segment, ns[within.wait], len(ns))
    handed_on = np.where(segment_sum > 0, charged.waiting, 0)
    part = handed_on[within.segment] * ns[within.wait] / np.maximum(1, segment_sum[within.segment])
    total = _propagated(ns, within, part)
    makes = np.zeros(len(ns), np.bool_)
    makes[within.wait[part > 0]] = True
    cause = locations.path[waits.cause], locations.location[waits.cause]
    path, location = (
        np.concatenate(column)
        for column in ((charged.path, cause[0]), (charged.location, cause[1]))
    )
    wait = np.concatenate([charged.wait, np.arange(len(ns))])
    # The rest of a wait is charged to the call that it waited for.
    known = sums(charged.wait, charged.part, len(ns)) + handed_on
    parts = np.concatenate([charged.part, np.maximum(0, 1 - known)])
    at, every = (locations.path[waits.call], locations.location[waits.call]), np.arange(len(ns))
    parts_by_kind = {
        "short_term": DelayParts(path, location, parts * ns[wait], wait),
        "long_term": DelayParts(path, location, parts * (total - ns)[wait], wait),
        "direct": DelayParts(*at, ns * (1 - charged.waiting), every),
        "indirect": DelayParts(*at, ns * charged.waiting, every),
        "propagating": DelayParts(*at, np.where(makes, ns, 0.0), every),
        "terminal": DelayParts(*at, np.where(makes, 0.0, ns), every),
    }
    return JobDelays(waits, delaying, parts_by_kind)


_SUMMED = ("short_term", "long_term", "direct", "indirect", "propagating")


def by_process(locations: JobLocations, delays_of_job: JobDelays) -> dict[int, Delays]:
    """Return the delays in seconds of each of this worker's processes, by row in
    `Job.processes`."""
    delays = {}
    for number, run in locations.runs.items():
        # A call path of the job belongs to at most one of the process's: the others are not selected.
        own_path = np.full(locations.paths, 0)
        own_path[locations.rows[number]] = np.arange(len(run.paths))
        cells = {}
        for name in _SUMMED:
            parts = delays_of_job.parts[name]
            is_of_process = (parts.location >= locations.first[number]) & (
                parts.location < locations.first[number + 1]
            )
            thread = run.thread[parts.location[is_of_process] - locations.first[number]]
            key = own_path[parts.path[is_of_process]] * len(run.threads) + thread
            shape = len(run.paths), len(run.threads)
            cells[name] = sums(key, parts.ns[is_of_process] / 1e9, shape[0] * shape[1]).reshape(
                shape
            )
        delays[number] = Delays(**cells, contention=run.cells())
    return delays


def _sides(locations: JobLocations, waits: Waits) -> tuple[LocationSegments, LocationSegments]:
    calls = locations.job.calls
    waiting, other = locations.location[waits.call], locations.location[waits.cause]
    enter, until = calls.enter[waits.call], np.minimum(waits.since, calls.leave[waits.call])
    synchronizations = meetings(locations.job, locations.location, locations.operations, waits)
    since, since_there = met_before(synchronizations, waiting, other, enter, until)
    first = int(calls.enter.min(initial=0)) - 1
    start = np.maximum(np.minimum(since, enter), first)
    start_there = np.maximum(np.minimum(since_there, until), first)
    return LocationSegments(waiting, start, enter), LocationSegments(other, start_there, until)


def _wait_ends(locations: JobLocations, waits: Waits, side: LocationSegments) -> _Within:
    leave, location = locations.job.calls.leave[waits.call], locations.location[waits.call]
    first = min(int(side.since.min(initial=0)), int(leave.min(initial=0)))
    span = max(int(side.until.max(initial=0)), int(leave.max(initial=0))) - first + 1
    order = np.lexsort((leave, location))
    key = (location * span + leave - first)[order]
    base = side.location * span - first
    low = np.searchsorted(key, base + side.since, "right")
    high = np.searchsorted(key, base + np.maximum(side.until, side.since), "right")
    count = high - low
    segment = np.repeat(np.arange(len(count)), count)
    place = np.arange(len(segment)) - np.repeat(np.cumsum(count) - count, count) + low[segment]
    return _Within(segment, order[place])


def _charge(
    locations: JobLocations,
    waits: Waits,
    waiting_segments: LocationSegments,
    delaying_segments: LocationSegments,
) -> _ExcessWork:
    size = max(64, _CELLS // (locations.paths + 1))
    waiting = np.zeros(len(waits.ns))
    none = np.zeros(0, np.int64)
    charges: list[tuple[Ints, Ints, Ints, Ticks]] = [(none, none, none, np.zeros(0))]
    for begin in range(0, len(waits.ns), size):
        rows = slice(begin, min(len(waits.ns), begin + size))
        did_work, location = _table(locations, waits, delaying_segments.pick(rows))
        parts = np.maximum(0, did_work - _table(locations, waits, waiting_segments.pick(rows))[0])
        ns = waits.ns[rows].astype(np.float64)
        parts /= np.maximum(parts.sum(axis=1), ns)[:, None]
        waiting[rows] = parts[:, -1]
        wait, path = np.nonzero(parts[:, :-1])
        charges.append((wait + begin, path, location[wait, path], parts[wait, path]))
    wait, path, charged_to, part = (np.concatenate(column) for column in zip(*charges, strict=True))
    return _ExcessWork(wait, path, charged_to, part, waiting)


def _table(locations: JobLocations, waits: Waits, side: LocationSegments) -> tuple[Ticks, Ints]:
    """Return two tables by segment and call path: the ns that were not waited, and the location
    which spent most of them. The last column is for waits."""
    table = np.zeros((len(side.location), locations.paths + 1))
    longest, location_of_most = np.zeros(table.shape), np.zeros(table.shape, np.int64)
    for location in distinct(side.location):
        rows = np.flatnonzero(side.location == location)
        number = int(np.searchsorted(locations.first, location, "right")) - 1
        if number not in locations.runs:
            continue
        run, clock, first = (
            locations.runs[number],
            clock_of(locations.job, number),
            locations.first[number],
        )
        since, until = (ticks_at(clock, moments[rows]) for moments in (side.since, side.until))
        pieces = pieces_of(run, int(location - first), since, until)
        for worker in distinct(pieces.location):
            columns = locations.rows[number][run.places.rows]
            segments, work_done = _work_by_path(
                run, int(worker), pieces, columns, locations.paths + 1
            )
            at = rows[segments]
            table[at] += work_done
            is_most = work_done > longest[at]
            longest[at] = np.where(is_most, work_done, longest[at])
            location_of_most[at] = np.where(is_most, first + worker, location_of_most[at])
    table, location_of_most = locations.workers.sum(table), locations.workers.sum(location_of_most)
    within = _wait_ends(locations, waits, side)
    path, ns = locations.path[waits.call[within.wait]], waits.ns[within.wait]
    np.subtract.at(table, (within.segment, path), ns)
    np.add.at(table, (within.segment, np.full(len(ns), locations.paths)), ns)
    return np.maximum(0, table), location_of_most


def _work_by_path(
    run: Run, location: int, pieces: Pieces, columns: Ints, width: int
) -> tuple[Ints, Ticks]:
    """Return the segments of which a location has pieces, and its ns in each by call path. The last
    column is for waits."""
    intervals, is_at_location = intervals_of(run, location), pieces.location == location
    segments, row = numbered(pieces.segment[is_at_location])
    begin, end = (
        np.searchsorted(intervals.begin, moments[is_at_location])
        for moments in (pieces.begin, pieces.end)
    )
    work_table = work(intervals, (begin, end, row), columns, (len(segments), width), WAITS)
    return segments, work_table * (1e9 / run.second)


def _propagated(ns: Ticks, within: _Within, part: Ticks) -> Ticks:
    """Return the ns of each wait, and of the later waits that it caused. Waits that cause no other
    come first; a wait follows when all that it caused are done."""
    total = ns.copy()
    order = np.argsort(within.segment, kind="stable")
    target, part = within.wait[order], part[order]
    first = np.searchsorted(within.segment[order], np.arange(len(ns) + 1))
    missing = np.bincount(within.wait, minlength=len(ns))
    ready = np.flatnonzero(missing == 0)
    while len(ready):
        count = first[ready + 1] - first[ready]
        source = np.repeat(ready, count)
        edge = np.arange(len(source)) - np.repeat(np.cumsum(count) - count, count) + first[source]
        np.add.at(total, target[edge], total[source] * part[edge])
        np.subtract.at(missing, target[edge], 1)
        reached = distinct(target[edge])
        ready = reached[missing[reached] == 0]
    return total
