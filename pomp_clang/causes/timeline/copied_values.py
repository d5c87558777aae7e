"""Singles with copyprivate, whose barrier has no event of its own: the directive takes no nowait. A
thread is in the barrier all its visit, and the thread in the block from the block's end on."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from pomp_clang.causes.timeline.activity import COPIED, Activity, Codes
from pomp_clang.causes.timeline.columns import where
from pomp_clang.causes.timeline.location_timeline import Flags, over, sums
from pomp_clang.experiment.reader import is_copied
from pomp_clang.experiment.records import Records
from pomp_clang.trace.summarize import LocationSummary, MarkedIntervals


def with_copied(kinds: list[str], records: Records) -> list[str]:
    """Return the kinds of call paths with `COPIED` for such singles; none if the runtime reports
    their barriers."""
    if "ompt" in records.texts:
        return kinds
    copied = {number for number, region in records.regions.items() if is_copied(region)}
    paths = {number for number, path in records.paths.items() if path.region in copied}
    return [COPIED if number in paths else kind for number, kind in enumerate(kinds)]


def without_entry(summary: LocationSummary, is_here: Flags, until: int) -> LocationSummary:
    """Return the events with the time before a block as the program's own. `is_here` marks the
    singles' call paths; the location's events end at `until`."""
    if not is_here.any():
        return summary
    intervals, marks = summary.intervals, summary.marks
    path, following = intervals.path, np.append(intervals.path[1:], 0)
    is_body = np.append(intervals.doing[1:] == Activity.COMPUTE, False)
    is_entry = is_here[path] & (intervals.doing == Activity.IMPLICIT)
    is_entry &= is_body & (following == path)
    if not is_entry.any():
        return summary
    doing: Codes = np.where(is_entry, np.uint8(Activity.COMPUTE), intervals.doing)
    rows, ticks = where(is_entry), summary.ticks.copy()
    moved = sums(path[rows], over(intervals.begin, rows, until) - intervals.begin[rows], len(ticks))
    ticks[:, Activity.IMPLICIT] -= moved.astype(np.int64)
    ticks[:, Activity.COMPUTE] += moved.astype(np.int64)
    kept = ~is_entry[marks.interval]
    return replace(
        summary,
        intervals=replace(intervals, doing=doing),
        marks=MarkedIntervals(marks.interval[kept], marks.visit[kept], marks.phase[kept]),
        ticks=ticks,
    )
