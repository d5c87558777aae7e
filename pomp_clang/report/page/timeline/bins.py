"""A timeline's overview: bins of equal duration, at several widths."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from pomp_clang.causes.run.thread_timeline import ThreadTimeline
from pomp_clang.report.page.timeline.states import GROUPS, WORK, Numbers, States
from pomp_clang.trace.kernel import load, point

FACTOR = 4
"""Number of bins of the next finer level in a bin."""

COARSEST = 256
"""Maximum number of bins of the coarsest level."""

NO_STATE = 0xFFFF_FFFF


class _Binning(ctypes.Structure):
    """struct pomp_binning of runtime/replay/bins.h"""

    _fields_ = (
        ("count", ctypes.c_uint64),
        ("begin", ctypes.c_void_p),
        ("state", ctypes.c_void_p),
        ("end", ctypes.c_int64),
        ("states", ctypes.c_uint64),
        ("group", ctypes.c_void_p),
        ("side", ctypes.c_void_p),
        ("groups", ctypes.c_uint64),
        ("start", ctypes.c_int64),
        ("width", ctypes.c_int64),
        ("bins", ctypes.c_uint64),
        ("ticks", ctypes.c_void_p),
        ("most", ctypes.c_void_p),
        ("spent", ctypes.c_void_p),
        ("met", ctypes.c_void_p),
    )


@dataclass(frozen=True, slots=True)
class Level:
    """Bins of `width` ticks: the `ticks` of each by group. `largest_states` has the state with most
    time in each bin, among the states that are work and among the others."""

    width: int
    ticks: npt.NDArray[np.uint64]
    largest_states: Numbers


def widths(duration: int, finest: int) -> list[int]:
    """Return the widths of bins from the coarsest level to one with at most `finest` bins."""
    width = max(1, -(-duration // max(1, finest)))
    widths_ = [width]
    while -(-duration // widths_[0]) > COARSEST:
        widths_.insert(0, widths_[0] * FACTOR)
    return widths_


def level(
    timeline: ThreadTimeline, state: Numbers, states: States, start: int, width: int
) -> Level:
    """Sum up one timeline in bins of `width` ticks; the last bin may reach beyond the end."""
    bins = max(1, -(-(timeline.end - start) // width))
    ticks = np.zeros((bins, len(GROUPS)), np.uint64)
    largest = np.full((bins, 2), NO_STATE, np.uint32)
    columns: dict[str, npt.NDArray[Any]] = {
        "begin": np.ascontiguousarray(timeline.begin, np.int64),
        "state": np.ascontiguousarray(state, np.uint32),
        "group": states.group,
        "side": (states.group >= WORK).astype(np.uint8),
        "ticks": ticks,
        "most": largest,
        "spent": np.zeros(len(states.group), np.uint64),
        "met": np.zeros(len(states.group), np.uint32),
    }
    binning = _Binning(
        count=len(timeline.begin), end=timeline.end, states=len(states.group), groups=len(GROUPS),
        start=start, width=width, bins=bins,
    )  # fmt: skip
    for name, column in columns.items():
        point(binning, name, column)
    load().pomp_bins(ctypes.byref(binning))
    return Level(width, ticks, largest)
