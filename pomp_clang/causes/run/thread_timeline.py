"""The timelines of threads, from the program's start to its end: intervals without gaps."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from pomp_clang.causes.run.overlay_kernel import overlaid
from pomp_clang.causes.run.run import Run, last_of, once
from pomp_clang.causes.timeline.activity import Activity, Codes
from pomp_clang.causes.timeline.columns import overlaps
from pomp_clang.causes.timeline.interval_kernel import TimelineIntervals
from pomp_clang.causes.timeline.location_timeline import Flags, LocationTimeline
from pomp_clang.causes.timeline.location_timeline import over as ends_of
from pomp_clang.shared_dataclass import dataclass
from pomp_clang.trace.model import Ints

Rows = npt.NDArray[np.int32]

PART = 1 << 16
"""Number of intervals whose columns stay in a processor's cache."""


_Columns = tuple[Ints, Rows, Codes]
"""Begins, call paths and activities."""

_NOTHING = np.zeros(1, np.int32), np.array([Activity.OUTSIDE], np.uint8)


@dataclass(frozen=True, slots=True)
class ThreadTimeline:
    """A thread's intervals: each is up to the next one's `begin`, the last up to `end`. `path` is a
    row of the run's. A thread that is OUTSIDE has nothing to do; its path is the program.

    The sums are those of the run's `spent`, including the ways into teams and out of them, for
    which the thread has no event of its own.
    """

    begin: Ints
    path: Rows
    activity: Codes
    end: int

    @property
    def ends(self) -> Ints:
        return np.append(self.begin[1:], np.int64(self.end))


@dataclass(frozen=True, slots=True)
class _KeptTimeline:
    """A thread's whole timeline, and the first row of each part that it was computed in."""

    whole: ThreadTimeline
    first: list[int]

    def parts(self) -> Iterator[ThreadTimeline]:
        whole = self.whole
        for row, next_row in pairwise([*self.first, len(whole.begin)]):
            rows = slice(row, next_row)
            end = int(whole.begin[next_row]) if next_row < len(whole.begin) else whole.end
            yield ThreadTimeline(whole.begin[rows], whole.path[rows], whole.activity[rows], end)


def _all_kept(run: Run) -> list[_KeptTimeline]:
    return [_joined_parts(list(_timeline_parts(run, row))) for row in range(len(run.threads))]


_kept = once(_all_kept)


def thread_timelines_of(run: Run) -> tuple[ThreadTimeline, ...]:
    """Return the timelines of all threads, by the rows of `Run.threads`, and keep them."""
    return tuple(kept.whole for kept in _kept(run))


def _joined_parts(timelines: list[ThreadTimeline]) -> _KeptTimeline:
    begin, path, activity = (
        np.concatenate([getattr(part, name) for part in timelines])
        for name in ("begin", "path", "activity")
    )
    first = np.cumsum([0, *(len(part.begin) for part in timelines[:-1])]).tolist()
    return _KeptTimeline(ThreadTimeline(begin, path, activity, timelines[-1].end), first)


def parts_of(
    run: Run, thread: int, activities: tuple[Activity, ...] = ()
) -> Iterator[ThreadTimeline]:
    """Yield a thread's timeline in parts of some intervals. They are computed anew unless the whole
    timelines are in memory. Parts without any of the `activities` may be left out."""
    if _all_kept in run.memo:
        return _kept(run)[thread].parts()
    return _timeline_parts(run, thread, activities)


def unchanged(
    run: Run, thread: int, activities: tuple[Activity, ...]
) -> list[TimelineIntervals] | None:
    """Return the intervals of the thread's locations, if the thread has the same ones in these
    activities, and in the same parts; None if it may have others."""
    numbers = [int(row) for row in np.flatnonzero(run.thread == thread)]
    is_worker = any(run.is_worker[row] for row in numbers)
    numbers = [row for row in numbers if len(run.timelines[row].begin)]
    changed = {Activity.OUTSIDE, Activity.COMPUTE}
    if is_worker:
        ways = _team_entries_and_exits(run)[thread]
        changed = {Activity.OUTSIDE}.union(*({way.activity, way.over} for way in ways))
    if changed.intersection(activities) or not numbers:
        return None
    numbers.sort(key=lambda row: int(run.timelines[row].begin[0]))
    timelines = [run.timelines[row] for row in numbers]
    is_in_order = in_order(run)
    begins = [int(timeline.begin[0]) for timeline in timelines]
    ends = [run.start, *(int(timeline.begin[-1]) for timeline in timelines)]
    if not all(is_in_order[row] for row in numbers) or any(map(int.__lt__, begins, ends)):
        return None
    last = run.end
    if not is_worker and numbers[0] != run.main:
        last = max(last_of(run, numbers[0]), ends[-1])
    return [
        TimelineIntervals(timeline.begin, timeline.path, timeline.activity, end)
        for timeline, end in zip(timelines, [*begins[1:], last], strict=True)
    ]


@once
def in_order(run: Run) -> list[bool]:
    """Return, for each location, whether its intervals are in the order of time."""
    return [not (timeline.begin[1:] < timeline.begin[:-1]).any() for timeline in run.timelines]


def _timeline_parts(
    run: Run, thread: int, activities: tuple[Activity, ...] = ()
) -> Iterator[ThreadTimeline]:
    numbers = [int(row) for row in np.flatnonzero(run.thread == thread)]
    is_worker = any(run.is_worker[row] for row in numbers)
    numbers = [row for row in numbers if len(run.timelines[row].begin)]
    numbers.sort(key=lambda row: int(run.timelines[row].begin[0]))
    timelines = [run.timelines[row] for row in numbers]
    if is_worker:
        is_needed, ways = None, _needed(_team_entries_and_exits(run)[thread], activities)
        if activities and all(in_order(run)[row] for row in numbers):
            is_needed = np.zeros(256, np.bool_)
            is_needed[[*activities, *(way.over for way in ways)]] = True
        return _with_teams(ways, _joined(run, timelines, run.end, is_needed))
    if not numbers:
        return _joined(run, timelines, run.end)
    return _own_parts(run, numbers[0], timelines)


def _joined(
    run: Run, timelines: Iterable[LocationTimeline], end: int, is_needed: Flags | None = None
) -> Iterator[ThreadTimeline]:
    """Yield the parts of the timelines of locations that were one thread, one after the other."""
    before = None
    for since, columns in _slices(run, timelines, is_needed):
        if before is not None:
            yield ThreadTimeline(*before, since)
        before = columns
    if before is not None:
        yield ThreadTimeline(*before, end)


def _slices(
    run: Run, timelines: Iterable[LocationTimeline], is_needed: Flags | None
) -> Iterator[tuple[int, _Columns | None]]:
    """Yield begins, call paths and activities of locations one after the other, and the first begin;
    before the first event, from the program's start on, nothing is done. Locations of which parts
    are not needed are in the order of time: parts without needed activities have no columns."""
    before: _Columns | None = np.array([run.start]), *_NOTHING
    last = run.start
    rows = run.places.rows.astype(np.int32)
    for timeline in timelines:
        for row in range(0, len(timeline.begin), PART):
            part = slice(row, row + PART)
            begin, activity = timeline.begin[part], timeline.activity[part]
            is_first = before is not None or begin[0] < last
            if is_needed is not None and not is_first and not is_needed[activity].any():
                last = int(begin[-1])
                yield int(begin[0]), None
                continue
            if begin[0] < last or (begin[1:] < begin[:-1]).any():
                begin = np.maximum.accumulate(np.maximum(begin, last))
            path = rows.take(timeline.path[part])
            is_outside = activity == Activity.OUTSIDE
            if is_outside.any():
                path[is_outside] = 0
            last = int(begin[-1])
            if before is not None:
                begin = np.concatenate([before[0], begin])
                path = np.concatenate([before[1], path])
                activity = np.concatenate([before[2], activity])
            before = None
            yield int(begin[0]), (begin, path, activity)
    if before is not None:
        yield run.start, before


def _own_parts(run: Run, row: int, timelines: list[LocationTimeline]) -> Iterator[ThreadTimeline]:
    """Yield the parts of the main thread's timeline, or of a thread's that the program made, which
    lasts from its first event to its last."""
    is_main = row == run.main
    last = max(run.start, last_of(run, row), *(int(timeline.begin[-1]) for timeline in timelines))
    for number, part in enumerate(_joined(run, timelines, run.end if is_main else last)):
        activity = part.activity.copy()
        activity[activity == Activity.OUTSIDE] = Activity.COMPUTE
        if not is_main and number == 0:
            activity[0] = Activity.OUTSIDE
        yield ThreadTimeline(part.begin, part.path, activity, part.end)
    if not is_main:
        yield ThreadTimeline(np.array([last]), *_NOTHING, run.end)


@dataclass(frozen=True, slots=True)
class _Laid:
    """Intervals of a thread for which it has no event: the `activity` from each `since` to each
    `until`, where its events show only `over`."""

    since: Ints
    until: Ints
    path: Ints
    activity: Activity
    over: Activity = Activity.OUTSIDE


def _with_teams(
    ways: Sequence[_Laid], timelines: Iterable[ThreadTimeline]
) -> Iterator[ThreadTimeline]:
    for timeline in timelines:
        for way in ways:
            timeline = _overlaid(timeline, way)
        yield timeline


def _needed(ways: Sequence[_Laid], activities: Sequence[Activity]) -> list[_Laid]:
    """Return the ways that change intervals in these activities, or in any activity if there are
    none."""
    affected = set(activities or Activity)
    needed: list[_Laid] = []
    for way in reversed(ways):
        if affected & {way.activity, way.over}:
            affected.add(way.over)
            needed.insert(0, way)
    return needed


@once
def _team_entries_and_exits(run: Run) -> list[list[_Laid]]:
    """Return, for each thread, the ways into teams and out of them, and the ends of barriers that
    were recorded later."""
    return [
        [way for way in _ways_of(run, thread) if len(way.since)]
        for thread in range(len(run.threads))
    ]


def _ways_of(run: Run, thread: int) -> list[_Laid]:
    members = run.membership
    numbers = [int(row) for row in np.flatnonzero(run.thread == thread)]
    rows = run.as_worker(thread)
    rows = rows[np.argsort(members.begin[rows], kind="stable")]
    path = run.places.rows[members.path[rows]]
    ways = [
        _Laid(members.fork[rows], members.begin[rows], path, Activity.FORK),
        _Laid(members.leave[rows], members.join[rows], path, Activity.JOIN),
    ]
    for row in numbers:
        timeline = run.timelines[row]
        ended = np.flatnonzero(timeline.waits.arrival >= timeline.departed)
        since, until = timeline.waits.begin[ended], timeline.waits.end[ended]
        path = run.places.rows[timeline.arrivals.path[timeline.waits.arrival[ended]]]
        ways.append(_Laid(since, until, path, Activity.IMPLICIT, Activity.JOIN))
    return ways


def _overlaid(timeline: ThreadTimeline, overlay: _Laid) -> ThreadTimeline:
    is_over = timeline.activity == overlay.over
    if not is_over.any():
        return timeline
    rows = slice(
        np.searchsorted(overlay.until, timeline.begin[0], "right"),
        np.searchsorted(overlay.since, timeline.end, "left"),
    )
    columns = timeline.begin, timeline.path, timeline.activity
    laid = overlay.since[rows], overlay.until[rows], overlay.path[rows]
    changed = overlaid(columns, timeline.end, laid, overlay.activity, overlay.over)
    if changed is not None:
        return ThreadTimeline(*changed, timeline.end)
    return _overlaid_in_any_order(timeline, overlay, rows)


def _overlaid_in_any_order(timeline: ThreadTimeline, overlay: _Laid, rows: slice) -> ThreadTimeline:
    """Lay some rows of an overlay over a timeline, either of which is not in the order of time."""
    at = np.flatnonzero(timeline.activity == overlay.over)
    ends = ends_of(timeline.begin, at, timeline.end)
    cut = overlaps((overlay.since[rows], overlay.until[rows]), (timeline.begin[at], ends))
    if not len(cut.begin):
        return timeline
    continues = cut.end < ends[cut.other]
    continues[:-1] &= cut.begin[1:] != cut.end[:-1]
    back = at[cut.other[continues]]
    begin = np.append(cut.begin, cut.end[continues])
    order = np.argsort(begin, kind="stable")
    begin = begin[order]
    paths = np.append(overlay.path[rows][cut.one].astype(np.int32), timeline.path[back])[order]
    doing = np.full(len(cut.begin), overlay.activity, np.uint8)
    activities = np.append(doing, timeline.activity[back])[order]
    # Among intervals that are in order, few: nothing but these is sorted.
    position = np.searchsorted(timeline.begin, begin, "right")
    return ThreadTimeline(
        np.insert(timeline.begin, position, begin),
        np.insert(timeline.path, position, paths),
        np.insert(timeline.activity, position, activities),
        timeline.end,
    )
