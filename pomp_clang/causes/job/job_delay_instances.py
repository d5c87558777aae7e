"""Instances of delays between processes: when the late process did the work that others waited
for."""

from __future__ import annotations

import numpy as np

from pomp_clang.causes.job.job_delay_costs import JobDelays, JobLocations, intervals_of
from pomp_clang.causes.mpi_waits.mpi_intervals import clock_of, ticks_at
from pomp_clang.causes.mpi_waits.process_view import spans_of
from pomp_clang.causes.run.instance import Instances
from pomp_clang.causes.run.run import Run
from pomp_clang.causes.timeline.columns import distinct
from pomp_clang.causes.timeline.interval_kernel import TimelineIntervals
from pomp_clang.causes.timeline.location_timeline import Flags
from pomp_clang.causes.timeline.places import Places
from pomp_clang.causes.waits.delay_kernel import WAITS
from pomp_clang.trace.model import Ints

_AT_CAUSE = ("short_term", "long_term")


def delay_instances(
    locations: JobLocations, delays: JobDelays, number: int, run: Run, kind: str
) -> Instances:
    """Return the instances of one kind of delay in a process. An instance of delaying work lasts
    from the first to the last work at the call path since the two processes synchronized. If there
    is none, and for all other kinds, it lasts as long as the wait."""
    parts = delays.parts[kind]
    first, next_first = locations.first[number], locations.first[number + 1]
    rows = np.flatnonzero(
        (parts.location >= first) & (parts.location < next_first) & (parts.ns > 0)
    )
    wait, location = parts.wait[rows], parts.location[rows] - first
    own_path = np.zeros(locations.paths, np.int64)
    own_path[locations.rows[number]] = np.arange(len(run.paths))
    path, severity = own_path[parts.path[rows]], parts.ns[rows] / 1e9
    spans = spans_of(locations.job, number, delays.waits)
    begin, end = spans.begin[wait], spans.end[wait]
    if kind not in _AT_CAUSE:
        return Instances(run.thread[location], path, begin, end, severity, delays.waits.cause[wait])
    clock = clock_of(locations.job, number)
    since, until = (
        ticks_at(clock, moments[wait])
        for moments in (delays.late_segments.since, delays.late_segments.until)
    )
    for row in distinct(location):
        at_row = np.flatnonzero(location == row)
        work_done = _work_spans(
            run.places, intervals_of(run, int(row)), path[at_row], since[at_row], until[at_row]
        )
        begin[at_row] = np.where(work_done[2], work_done[0], begin[at_row])
        end[at_row] = np.where(work_done[2], work_done[1], end[at_row])
    return Instances(run.thread[location], path, begin, end, severity, delays.waits.call[wait])


def _work_spans(
    places: Places, intervals: TimelineIntervals, path: Ints, since: Ints, until: Ints
) -> tuple[Ints, Ints, Flags]:
    """Return the begin of the first and the end of the last work at each call path within its time.
    Also return a mask of the rows that have any work."""
    rows = np.flatnonzero(~np.isin(intervals.doing, WAITS))
    if not len(rows):
        return since, until, np.zeros(len(path), np.bool_)
    begin = intervals.begin[rows]
    end = np.append(intervals.begin[1:], np.int64(intervals.end))[rows]
    at = places.rows[intervals.path[rows]].astype(np.int64)
    order = np.argsort(at, kind="stable")
    begin, end, at = begin[order], end[order], at[order]
    base = min(int(begin.min()), int(since.min(initial=0)))
    span = max(int(end.max()), int(until.max(initial=0))) - base + 1
    first = np.searchsorted(at * span + end - base, path * span + since - base, "right")
    last = np.searchsorted(at * span + begin - base, path * span + until - base, "left") - 1
    known = (first <= last) & (at[np.minimum(first, len(at) - 1)] == path)
    first, last = np.where(known, first, 0), np.where(known, last, 0)
    return np.maximum(begin[first], since), np.minimum(end[last], until), known
