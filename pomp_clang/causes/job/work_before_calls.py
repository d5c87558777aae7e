"""The work that a location's arrival at a call depends on: its own, and the work of threads of its
process for which it waited."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from pomp_clang.causes.run.run import Run, once
from pomp_clang.causes.timeline.activity import Activity
from pomp_clang.causes.timeline.interval_kernel import TimelineIntervals
from pomp_clang.causes.waits.find_critical_path import PathPieces, jumps_of, leading
from pomp_clang.trace.model import Ints


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
