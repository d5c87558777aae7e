"""A timeline's overview: bins of equal duration, at several widths."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from pomp_clang.causes.run.thread_timeline import ThreadTimeline
from pomp_clang.report.page.timeline.states import GROUPS, WORK, Numbers, States
from pomp_clang.trace.kernel import load, members, point

FACTOR = 4
"""Number of bins of the next finer width in a bin: POMP_BIN_FACTOR of runtime/replay/bins.h."""

COARSEST = 256
"""Maximum number of bins of the coarsest width."""

NO_STATE = 0xFFFF_FFFF


class _BinLevel(ctypes.Structure):
    """`struct pomp_bin_level` of runtime/replay/bins.h."""

    _fields_ = members("most", "BIN", "spent", "met", "MET_COUNT")


class _Binning(ctypes.Structure):
    """`struct pomp_binning` of runtime/replay/bins.h."""

    _fields_ = (
        *members("COUNT", "begin", "state"),
        ("end", ctypes.c_int64),
        *members("STATES", "group", "side", "GROUPS"),
        ("start", ctypes.c_int64),
        ("width", ctypes.c_int64),
        *members("BINS", "ticks", "LEVELS", "level"),
    )


@dataclass(frozen=True, slots=True)
class Bins:
    """A timeline in bins at several widths, the coarsest first.

    `largest_states` has for each width the state with most time in each bin, among the states that
    are work and among the others. `ticks` are those of each bin of the finest width, by group.
    """

    ticks: npt.NDArray[np.uint64]
    largest_states: tuple[Numbers, ...]


def widths(duration: int, finest: int) -> list[int]:
    """Return the widths of bins from the coarsest to one with at most `finest` bins."""
    width = max(1, -(-duration // max(1, finest)))
    widths_ = [width]
    while -(-duration // widths_[0]) > COARSEST:
        widths_.insert(0, widths_[0] * FACTOR)
    return widths_


def bins_of(
    timeline: ThreadTimeline, state: Numbers, states: States, start: int, bin_widths: Sequence[int]
) -> Bins:
    """Sum up one timeline in bins of these widths, each of which is `FACTOR` times the next; the last
    bin may reach beyond the end."""
    counts = [max(1, -(-(timeline.end - start) // width)) for width in bin_widths]
    largest = tuple(np.full((bins, 2), NO_STATE, np.uint32) for bins in counts)
    ticks = np.zeros((counts[-1], len(GROUPS)), np.uint64)
    spent, state_rows = (
        np.zeros((len(counts), len(states.group)), kind) for kind in (np.uint64, np.uint32)
    )
    levels = (_BinLevel * len(counts))()
    for row, level in enumerate(levels):  # the finest first
        for name, column in (
            ("most", largest[-1 - row]),
            ("spent", spent[row]),
            ("met", state_rows[row]),
        ):
            point(level, name, column)
    columns: dict[str, npt.NDArray[Any]] = {
        "begin": np.ascontiguousarray(timeline.begin, np.int64),
        "state": np.ascontiguousarray(state, np.uint32),
        "group": states.group,
        "side": (states.group >= WORK).astype(np.uint8),
        "ticks": ticks,
    }
    binning = _Binning(
        count=len(timeline.begin), end=timeline.end, states=len(states.group), groups=len(GROUPS),
        start=start, width=bin_widths[-1], bins=counts[-1], levels=len(counts),
        level=ctypes.addressof(levels),
    )  # fmt: skip
    for name, column in columns.items():
        point(binning, name, column)
    load().pomp_bins(ctypes.byref(binning))
    return Bins(ticks, largest)
