"""Changes of the work before a location's points: calls of the compiled kernel on NumPy's
memory."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from pomp_clang.causes.timeline.columns import Durations, TicksColumn, passed
from pomp_clang.causes.timeline.interval_kernel import TimelineIntervals
from pomp_clang.causes.timeline.location_timeline import Flags, Ticks
from pomp_clang.shared_dataclass import dataclass
from pomp_clang.trace.kernel import load, members, point
from pomp_clang.trace.model import Ints

Rows = npt.NDArray[np.int64] | npt.NDArray[np.int32]


class _SparingStruct(ctypes.Structure):
    """`struct pomp_sparing` of runtime/replay/rework.h."""

    _fields_ = (
        *members("POINTS", "after", "work", "PIECES", "begin", "end"),
        ("start", ctypes.c_int64),
        ("part", ctypes.c_double),
    )


class _SpansStruct(ctypes.Structure):
    _fields_ = members("COUNT", "since", "until")


def spare(after: Ints, work: Ticks, since: int, pieces: tuple[Ints, Ints], part: float) -> float:
    """Remove a part of the work that lies in pieces of time, which are begins and ends in order.
    `work[i]` leads from `after[i - 1]`, or from `since`, to `after[i]`, and is changed in place.
    Return the ticks that lie after the last point."""
    begin, end = (np.ascontiguousarray(column, np.int64) for column in pieces)
    run = _SparingStruct(points=len(after), pieces=len(begin), start=since, part=part)
    for name, column in (("after", after), ("work", work), ("begin", begin), ("end", end)):
        assert column.flags.c_contiguous
        point(run, name, column)
    function = load().pomp_spare
    function.argtypes, function.restype = [ctypes.c_void_p], ctypes.c_double
    return float(function(ctypes.byref(run)))


class _SparingDoingStruct(ctypes.Structure):
    """`struct pomp_sparing_doing` of runtime/replay/rework.h."""

    _fields_ = (
        *members("COUNT", "begin", "path", "doing"),
        ("end", ctypes.c_int64),
        *members("IS_IN_ORDER", "group", "is_here", "POINTS", "after", "kind", "work", "is_free"),
        ("start", ctypes.c_int64),
        *members("GROUPS", "parts", "tails", "ticks"),
    )


@dataclass(frozen=True, slots=True)
class ActivityFilter:
    """The intervals that count: `group` by activity, 0 for none, and a mask by the trace's number of a
    call path. Each group is a change of its own. `is_in_order` is False if the intervals may not be
    in the order of time."""

    group: npt.NDArray[np.uint8]
    is_here: Flags
    is_in_order: bool


@dataclass(frozen=True, slots=True)
class CoursePoints:
    """Columns of a location's points; `work` and `is_free` are changed."""

    after: Ints
    kind: npt.NDArray[np.uint8]
    work: Ticks
    is_free: Flags


def spare_doing(
    points: CoursePoints,
    since: int,
    intervals: TimelineIntervals,
    doing: ActivityFilter,
    parts: Sequence[float],
) -> list[float]:
    """Remove, like `spare`, a part of the work in those intervals of a location which count; `parts`
    are those of the groups. Waits that end in one of these intervals become free. Return the ticks
    of each group that lie after the last point."""
    tails, ticks = np.zeros(len(parts)), np.zeros(len(parts), np.int64)
    columns: dict[str, tuple[npt.NDArray[Any], Any]] = {
        "begin": (intervals.begin, np.int64), "path": (intervals.path, np.uint16),
        "doing": (intervals.doing, np.uint8), "group": (doing.group, np.uint8),
        "is_here": (doing.is_here, np.bool_), "after": (points.after, np.int64),
        "kind": (points.kind, np.uint8), "work": (points.work, np.float64),
        "is_free": (points.is_free, np.bool_), "parts": (np.array(parts), np.float64),
        "tails": (tails, np.float64), "ticks": (ticks, np.int64),
    }  # fmt: skip
    run = _SparingDoingStruct(
        count=len(intervals.begin),
        end=intervals.end,
        points=len(points.after),
        start=since,
        is_in_order=doing.is_in_order,
        groups=len(parts),
    )
    assert points.work.flags.c_contiguous and points.is_free.flags.c_contiguous
    kept = [(name, np.ascontiguousarray(*column)) for name, column in columns.items()]
    for name, column in kept:
        point(run, name, column)
    function = load().pomp_spare_doing
    function.argtypes = [ctypes.c_void_p]
    function(ctypes.byref(run))
    rests: list[float] = tails.tolist()
    return rests


def scale(work: Durations, since: Rows, until: Rows, factor: Ticks, scaled: Ticks) -> None:
    """Multiply the work in each span by its factor, and write it to `scaled`. A span is the rows
    after `since` up to `until`."""
    spans, column = _SpansStruct(count=len(since)), passed(work)
    kept = [np.ascontiguousarray(rows, np.int64) for rows in (since, until)]
    for name, rows in zip(("since", "until"), kept, strict=True):
        point(spans, name, rows)
    factors = np.ascontiguousarray(factor, np.float64)
    function = load().pomp_scale_spans
    function.argtypes = [ctypes.c_void_p] * 4
    function(ctypes.byref(spans), factors.ctypes.data, ctypes.addressof(column), scaled.ctypes.data)


class _ChangesStruct(ctypes.Structure):
    """`struct pomp_changes` of runtime/replay/changes.h."""

    _fields_ = (*members("COUNT"), ("same", TicksColumn), *members("CHANGES", "changed", "sum"))


def added(same: Durations, changes: Sequence[Durations]) -> Durations:
    """Return the durations with all these changes of them, at least 0."""
    changed = [column for column in changes if column is not same]
    if not changed:
        return same
    if len(changed) == 1 and changed[0].dtype == same.dtype == np.uint32:
        return changed[0]  # the sum of differences of whole numbers is exact
    total = np.empty(len(same))
    columns = (TicksColumn * len(changed))(*map(passed, changed))
    run = _ChangesStruct(
        count=len(same), same=passed(same), changes=len(changed),
        changed=ctypes.addressof(columns), sum=total.ctypes.data,
    )  # fmt: skip
    function = load().pomp_add_changes
    function.argtypes = [ctypes.c_void_p]
    function(ctypes.byref(run))
    return total
