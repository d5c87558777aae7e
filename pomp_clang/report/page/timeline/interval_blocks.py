"""The intervals that a page has one by one: all of them, or those of some windows.

They are packed in blocks, which the page unpacks when they come into view.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from pomp_clang.causes.run.thread_timeline import ThreadTimeline
from pomp_clang.report.page.packed_columns import Pack, planes_of
from pomp_clang.report.page.timeline.marks import InstanceMarks
from pomp_clang.report.page.timeline.states import Numbers, States
from pomp_clang.trace.model import Ints

BLOCK = 1 << 14
"""Number of intervals that are unpacked together."""

Windows = tuple[Ints, Ints]
"""Begins and ends; disjoint and in order."""


def blocks_of(
    timelines: tuple[ThreadTimeline, ...],
    states: States,
    windows: Windows | None,
    start: int,
    pack: Pack,
) -> tuple[dict[str, Any], dict[str, bytes]]:
    """Pack the intervals in blocks: return their index, and the blocks by name.

    With windows, the time between them is one interval of a state that does not exist.
    """
    rows, blocks = [], {}
    for number, (timeline, state) in enumerate(zip(timelines, states.timelines, strict=True)):
        begin = timeline.begin
        if windows is not None:
            begin, state = _within_windows(timeline, state, windows, len(states.group))
        first = pack.add(np.maximum(0, begin[::BLOCK] - start))
        rows.append({"rows": len(begin), "first": first})
        for block, content in enumerate(_encode_blocks(begin, state, timeline.end)):
            blocks[f"timeline-{number}-{block}"] = content
    return {"size": BLOCK, "lines": rows}, blocks


def _encode_blocks(begin: Ints, state: Numbers, end: int) -> Iterator[bytes]:
    """Yield each block: the numbers of byte planes of its lengths and of its states, then both."""
    for row in range(0, len(begin), BLOCK):
        begins = begin[row : row + BLOCK + 1]
        length = np.diff(begins) if len(begins) > BLOCK else np.diff(begins, append=end)
        columns = [planes_of(np.maximum(0, length)), planes_of(state[row : row + BLOCK])]
        yield b"".join((bytes(map(len, columns)), *columns[0], *columns[1]))


def _within_windows(
    timeline: ThreadTimeline, state: Numbers, windows: Windows, none: int
) -> tuple[Ints, Numbers]:
    """Select the intervals that overlap a window; one interval without a state stands for those
    left out."""
    first = np.maximum(0, np.searchsorted(timeline.begin, windows[0], "right") - 1)
    stop = np.maximum(first, np.searchsorted(timeline.begin, windows[1]))
    count = stop - first
    rows_ = np.repeat(first - (np.cumsum(count) - count), count) + np.arange(count.sum())
    is_left = np.ones(len(timeline.begin), np.bool_)
    is_left[rows_] = False
    is_head = is_left & ~np.append(False, is_left[:-1])
    rows = np.flatnonzero(~is_left | is_head)
    return timeline.begin[rows], np.where(is_left, np.uint32(none), state)[rows]


WHOLE = 20 << 20
"""A trace with at most this number of intervals is in the page as a whole."""

AROUND = 1 << 20
"""The number of events around the worst instances on the page of a larger trace."""

_BESIDE = 100
"""Intervals of the instance's thread, before and after its begin and its end."""

_WORST = 50
"""Instances of each property."""

_BEHIND = 8
"""Ranks that the instances of a property come later which is no cause."""


def count_of(timelines: tuple[ThreadTimeline, ...], begin: Ints, end: Ints) -> Ints:
    """Count the intervals of all threads within each window."""
    counts = np.zeros(len(begin), np.int64)
    for timeline in timelines:
        counts += (
            np.searchsorted(timeline.begin, end)
            - np.searchsorted(timeline.begin, begin, "right")
            + 1
        )
    return counts


def around_worst(timelines: tuple[ThreadTimeline, ...], marks: list[InstanceMarks]) -> Windows:
    """Return begin and end of the worst instances by rank: first the worst of each property,
    then the second of each. Causes precede other properties by some ranks."""
    rank = [
        np.arange(min(_WORST, len(mark.worst.begin))) + (0 if mark.is_cause else _BEHIND)
        for mark in marks
    ]
    order = np.argsort(np.concatenate([np.zeros(0, np.int64), *rank]), kind="stable")
    none = np.zeros(0, np.int64)
    thread = np.concatenate([none, *(mark.worst.thread[:_WORST] for mark in marks)])[order]
    since = np.concatenate([none, *(mark.worst.begin[:_WORST] for mark in marks)])[order]
    until = np.concatenate([none, *(mark.worst.end[:_WORST] for mark in marks)])[order]
    thread, moment = np.repeat(thread, 2), np.stack([since, until], axis=1).reshape(-1)
    begin, end = np.empty_like(moment), np.empty_like(moment)
    for number, timeline in enumerate(timelines):
        rows = np.flatnonzero(thread == number)
        at = np.searchsorted(timeline.begin, moment[rows])
        last = len(timeline.begin) - 1
        begin[rows] = timeline.begin[np.clip(at - _BESIDE, 0, last)]
        end[rows] = timeline.ends[np.clip(at + _BESIDE, 0, last)]
    is_shown = np.cumsum(count_of(timelines, begin, end)) <= AROUND
    return united(begin[is_shown], end[is_shown])


def united(begin: Ints, end: Ints) -> Windows:
    """Merge windows that touch or overlap, in time order."""
    order = np.argsort(begin, kind="stable")
    begin, end = begin[order], np.maximum.accumulate(end[order])
    if not len(begin):
        return begin, end
    is_head = np.append(True, begin[1:] > end[:-1])
    is_tail = np.append(is_head[1:], True)
    return begin[is_head], end[is_tail]
