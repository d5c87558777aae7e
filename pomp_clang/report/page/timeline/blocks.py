"""The intervals of the timelines one by one, in blocks that a page unpacks when they come into view."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from pomp_clang.causes.run.thread_timeline import ThreadTimeline
from pomp_clang.report.page.timeline.pack import Pack, planes_of
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
