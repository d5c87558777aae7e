"""Sums over intervals, computed by the compiled part in NumPy's memory."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np
import numpy.typing as npt

from pomp_clang.causes.timeline.activity import Activity, Codes
from pomp_clang.shared_dataclass import dataclass
from pomp_clang.trace.kernel import load, members, point
from pomp_clang.trace.model import Ints, Paths

Column = npt.NDArray[Any]


@dataclass(frozen=True, slots=True)
class TimelineIntervals:
    """Intervals without gaps, the last up to `end`, with call path and activity of each."""

    begin: Ints
    path: Paths
    doing: Codes
    end: int


_LINE = ("COUNT", "begin", "path", "doing", "END")


class _Overlapping(ctypes.Structure):
    _fields_ = members(*_LINE, "counts", "PIECES", "piece_begin", "piece_end", "ticks")


class _Working(ctypes.Structure):
    _fields_ = members(
        *_LINE, "waits", "column", "SEGMENTS", "first", "last", "row", "WIDTH", "table"
    )


def _call(
    function: str,
    run: ctypes.Structure,
    intervals: TimelineIntervals,
    **columns: tuple[Column, str],
) -> None:
    """Call a compiled function. Columns are given with the type that the function expects; a result
    column has this type already."""
    line_types = {
        "begin": (intervals.begin, "i8"),
        "path": (intervals.path, "u2"),
        "doing": (intervals.doing, "u1"),
    }
    references = {
        name: np.ascontiguousarray(column, kind)
        for name, (column, kind) in (line_types | columns).items()
    }
    for name, column in references.items():
        point(run, name, column)
    run.count, run.end = len(intervals.begin), intervals.end
    getattr(load(), function)(ctypes.byref(run))


def _codes(activities: tuple[Activity, ...]) -> Codes:
    codes = np.zeros(256, np.uint8)
    codes[list(activities)] = 1
    return codes


def overlap(
    intervals: TimelineIntervals, paths: int, begin: Ints, end: Ints, *but: Activity
) -> Ints:
    """Return ticks by call path within pieces of time that are disjoint and in order, without the
    time of some activities."""
    ticks = np.zeros(paths, np.int64)
    run = _Overlapping(pieces=len(begin))
    _call(
        "pomp_overlap", run, intervals, counts=(1 - _codes(but), "u1"),
        piece_begin=(begin, "i8"), piece_end=(end, "i8"), ticks=(ticks, "i8"),
    )  # fmt: skip
    return ticks


def work(
    intervals: TimelineIntervals,
    segments: tuple[Ints, Ints, Ints],
    column: Ints,
    shape: tuple[int, int],
    waits: tuple[Activity, ...],
) -> npt.NDArray[np.float64]:
    """Return ticks of segments by row and column. `segments` are three columns: first interval,
    last interval, and row of the result. `column` maps a call path to its column; the last column
    is that of `waits`."""
    first, last, row = segments
    table = np.zeros(shape)
    run = _Working(segments=len(row), width=shape[1])
    _call(
        "pomp_work", run, intervals, waits=(_codes(waits), "u1"), column=(column, "i8"),
        first=(first, "i8"), last=(last, "i8"), row=(row, "i8"), table=(table, "f8"),
    )  # fmt: skip
    return table


class _Selecting(ctypes.Structure):
    """`struct pomp_selecting` of runtime/replay/intervals.h."""

    _fields_ = (
        *members(*_LINE, "ROW", "PART", "wanted", "place", "share"),
        ("second", ctypes.c_double),
        *members(
            "LEAST", "SELECTED", "selected_begin", "selected_end", "selected_place", "severity"
        ),
    )


@dataclass(frozen=True, slots=True)
class SelectedIntervals:
    """Some intervals with their severity; `place` is a row of the run's call paths."""

    begin: Ints
    end: Ints
    place: Column
    severity: npt.NDArray[np.float64]


class IntervalSelection:
    """The intervals of some activities. `place` has the row of each call path, as the trace numbers
    these, and `share` the part of a severity that counts at a row; `second` ticks are one second."""

    def __init__(
        self,
        intervals: TimelineIntervals,
        activities: tuple[Activity, ...],
        place: Ints,
        share: npt.NDArray[np.float64],
        second: int,
    ) -> None:
        self._run = _Selecting(count=len(intervals.begin), end=intervals.end, second=second)
        self._kept: dict[str, Column] = {
            "begin": np.ascontiguousarray(intervals.begin, np.int64),
            "path": np.ascontiguousarray(intervals.path, np.uint16),
            "doing": np.ascontiguousarray(intervals.doing, np.uint8),
            "wanted": _codes(activities),
            "place": np.ascontiguousarray(place, np.int64),
            "share": np.ascontiguousarray(share, np.float64),
        }
        for name, column in self._kept.items():
            point(self._run, name, column)

    def is_over(self) -> bool:
        return bool(self._run.row == self._run.count)

    def next(self, part: int, least: int) -> SelectedIntervals:
        """Return the next intervals that last for any time. Timelines are read in parts of `part`
        intervals, up to the one with which there are at least `least`."""
        run, room = self._run, min(least + part, self._run.count - self._run.row + 1)
        run.part, run.least = part, least
        columns = SelectedIntervals(
            np.empty(room, np.int64), np.empty(room, np.int64), np.empty(room, np.int32),
            np.empty(room),
        )  # fmt: skip
        for name in ("begin", "end", "place"):
            point(run, f"selected_{name}", getattr(columns, name))
        point(run, "severity", columns.severity)
        load().pomp_select(ctypes.byref(run))
        some = slice(run.selected)
        return SelectedIntervals(
            columns.begin[some], columns.end[some], columns.place[some], columns.severity[some]
        )


def follow(following: Ints, first: int) -> Ints:
    """Return the rows that lead to one another, from `first` on, until a row leads to none."""
    steps = np.ascontiguousarray(following, np.int64)
    order = np.empty(len(steps), np.int64)
    function = load().pomp_follow
    function.argtypes = [ctypes.c_void_p, ctypes.c_uint64, ctypes.c_int64, ctypes.c_void_p]
    function.restype = ctypes.c_uint64
    count = function(steps.ctypes.data, len(steps), first, order.ctypes.data)
    return order[:count]
