"""Points of locations at which threads wait for each other, and those of a location in the order of
time, merged by the compiled part in NumPy's memory.
"""

from __future__ import annotations

import ctypes
from collections.abc import Mapping, Sequence
from enum import IntEnum
from typing import Any

import numpy as np
import numpy.typing as npt

from pomp_clang.shared_dataclass import dataclass
from pomp_clang.trace.kernel import load, members, point
from pomp_clang.trace.model import Ints


class Point(IntEnum):
    """A kind of point. Points before `BEGIN` release others: each is a moment of its object."""

    FORK = 0
    """object: team"""
    ARRIVE = 1
    """object: barrier instance; an arrival that no other thread needs releases nothing"""
    RELEASE = 2
    """object: a lock or critical that was acquired, as `Contention` has it"""
    DONE = 3
    """the last task that a member ran in a barrier is done, object: the barrier instance; or
    an awaited action is done, object: the wait"""
    BEGIN = 4
    """a member begins the region; needs the fork"""
    PASS = 5
    """a barrier is left; needs all arrivals, and the tasks run in it to be done"""
    ACQUIRED = 6
    """a lock is acquired; needs the release before, where there is one"""
    WAITED = 7
    """a wait for a task or a turn is over, object: that wait"""


POINT_COLUMNS = {
    "object": np.int32, "path": np.uint16, "before": np.int64, "after": np.int64,
    "lag": np.float64, "place": np.int32,
}  # fmt: skip
"""The columns of `PointRows` after `kind`, and their types."""


@dataclass(frozen=True, slots=True)
class PointRows:
    """Points of one kind on a location, which reaches them at `before` and leaves them at `after`.
    At the same moment, the point with the lower `place` comes first."""

    kind: Point
    object: npt.NDArray[Any]
    path: npt.NDArray[Any]
    before: Ints
    after: Ints
    lag: npt.NDArray[Any]
    place: npt.NDArray[Any]

    def take(self, rows: Ints) -> PointRows:
        """Return the points of the given rows."""
        return PointRows(self.kind, *(getattr(self, name)[rows] for name in POINT_COLUMNS))


Column = npt.NDArray[Any]


class _RowsStruct(ctypes.Structure):
    """`struct pomp_point_rows` of runtime/replay/points.h."""

    _fields_ = (
        *members("COUNT", "KIND", "order", "object", "path", "before", "after", "lag", "place"),
        ("same_place", ctypes.c_int64),
    )


class _MergingStruct(ctypes.Structure):
    """`struct pomp_merging` of runtime/replay/points.h."""

    _fields_ = (
        *members("KINDS", "rows"),
        ("start", ctypes.c_int64),
        *members(
            "heads", "kind", "object", "path", "after",
            "work", "whole_work", "lag", "whole_lag",
        ),
    )  # fmt: skip


_HEAD = 4
"""Numbers of a struct pomp_point_head."""

_REAL = {"work": 1, "lag": 2}
"""The columns that may have to be real ones, and the bits of the function's result."""


def merged(point_rows: Sequence[PointRows], start: int, columns: Mapping[str, Column]) -> list[str]:
    """Write the points of several kinds, of which each has some, to the columns of a wait graph, by
    time and then by `place`. Return the names of columns that have to be real ones: they are written
    in another call."""
    kept = [_kept(rows) for rows in point_rows]
    structs = (_RowsStruct * len(point_rows))(*map(_struct, point_rows, kept))
    heads = np.empty(_HEAD * len(point_rows) + 1, np.int64)
    run = _MergingStruct(kinds=len(point_rows), rows=ctypes.addressof(structs), start=start)
    point(run, "heads", heads)
    for name, column in columns.items():
        assert column.flags.c_contiguous
        whole = name in _REAL and column.dtype == np.uint32
        point(run, f"whole_{name}" if whole else name, column)
    real = load().pomp_merge_points(ctypes.byref(run))
    return [name for name, bit in _REAL.items() if real & bit]


def _kept(rows: PointRows) -> dict[str, Column]:
    """Return the columns of points, and `order` if they are not in the order of time and then of
    `place`; a column of one repeated value has one row."""
    kept = _columns(rows)
    if not load().pomp_points_are_sorted(ctypes.byref(_struct(rows, kept))):
        place = np.broadcast_to(rows.place, rows.after.shape)
        kept["order"] = np.lexsort((place, rows.after))
    return kept


def _columns(rows: PointRows) -> dict[str, Column]:
    kept = {}
    for name, kind in POINT_COLUMNS.items():
        column = getattr(rows, name)
        if name == "place" and not column.strides[0]:
            column = column[:1]
        if name == "lag" and not column.strides[0] and not column[0]:
            continue
        if name != "before" or column is not rows.after:
            kept[name] = np.ascontiguousarray(column, kind)
    return kept


def _struct(rows: PointRows, kept: Mapping[str, Column]) -> _RowsStruct:
    struct = _RowsStruct(count=len(rows.after), kind=int(Point(rows.kind)))
    for name, column in kept.items():
        if name == "place" and len(column) < len(rows.after):
            struct.same_place = int(column[0])
        else:
            point(struct, name, column)
    return struct
