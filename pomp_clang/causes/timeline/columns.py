"""Operations on columns: searches, unique numbers, overlaps of intervals, durations.

NumPy's own functions take ten times as long at their first call and for a few rows; np.unique and
np.isin import numpy.ma at their first call. A short trace takes no longer than tens of these calls.
"""

from __future__ import annotations

import ctypes
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from pomp_clang.shared_dataclass import dataclass
from pomp_clang.trace.kernel import load, members, point
from pomp_clang.trace.model import Ints

Column = npt.NDArray[Any]

_SHORT = 1 << 16
"""Numbers that are below this are sorted by their digits."""


def distinct(numbers: Column) -> Column:
    """Return the unique numbers, sorted."""
    ordered = np.sort(numbers)
    return ordered[_heads(ordered)]


def firsts(numbers: Column) -> Column:
    """Return the row of the first occurrence of each unique number, sorted by number."""
    order = np.argsort(numbers, kind="stable")
    return order[_heads(numbers[order])]


def numbered(numbers: Column) -> tuple[Column, Column]:
    """Return the unique numbers, sorted, and the place of each number among them."""
    order = np.argsort(numbers, kind="stable")
    ordered = numbers[order]
    is_head = _heads(ordered)
    place = np.empty(len(numbers), np.int64)
    place[order] = np.cumsum(is_head) - 1
    return ordered[is_head], place


def median(numbers: Column) -> float:
    """Return the median of at least one number. The function of NumPy imports numpy.ma."""
    half = len(numbers) // 2
    if len(numbers) % 2:
        return float(np.partition(numbers, half)[half])
    middle = np.partition(numbers, [half - 1, half])
    return (float(middle[half - 1]) + float(middle[half])) / 2


def lower_quartile(numbers: Ints) -> float:
    """Return the lower quartile of at least one number, between two of them as the function of NumPy,
    which imports numpy.ma."""
    row, quarters = divmod(len(numbers) - 1, 4)
    following = min(row + 1, len(numbers) - 1)
    parted = np.partition(numbers, [row, following])
    low, high = int(parted[row]), int(parted[following])
    if quarters >= 2:
        return high - (high - low) * (1 - quarters / 4)
    return low + (high - low) * (quarters / 4)


def rows_by(numbers: Column, count: int) -> list[Column]:
    """Return, for each number below `count`, its rows in order."""
    if count < _SHORT:
        numbers = numbers.astype(np.uint16)
        first = np.cumsum(np.append(0, np.bincount(numbers, minlength=count)[:count]))
        order = np.argsort(numbers, kind="stable")
    else:
        order = np.argsort(numbers, kind="stable")
        first = np.searchsorted(numbers[order], np.arange(count + 1))
    return [order[begin:end] for begin, end in pairwise(first.tolist())]


def _heads(ordered: Column) -> npt.NDArray[np.bool_]:
    """Return, for each row of a sorted column, whether its number differs from the one before."""
    is_head = np.ones(len(ordered), np.bool_)
    is_head[1:] = ordered[1:] != ordered[:-1]
    return is_head


Flags = npt.NDArray[np.bool_]


def where(are: Flags) -> Ints:
    """Return the rows that are True."""
    (rows,) = are.nonzero()
    return rows


def is_any(are: Flags) -> bool:
    """Return whether any row is True."""
    return len(are) > 0 and bool(are[are.argmax()])


def are_alike(first: npt.NDArray[Any], other: npt.NDArray[Any]) -> bool:
    """Return whether two columns are equal in all rows."""
    return len(first) == len(other) and not is_any(first != other)


def are_among(numbers: npt.NDArray[Any], ordered: npt.NDArray[Any]) -> Flags:
    """Return, for each number, whether it is one of the sorted numbers `ordered`."""
    if not len(ordered):
        return np.zeros(len(numbers), np.bool_)
    at = np.minimum(ordered.searchsorted(numbers), len(ordered) - 1)
    are: Flags = ordered[at] == numbers
    return are


class _SearchingStruct(ctypes.Structure):
    """`struct pomp_searching` of runtime/replay/search.h."""

    _fields_ = members("COUNT", "ordered", "NUMBERS", "number", "EQUAL", "rows")


def less_than(ordered: Ints, numbers: Column) -> Ints:
    """Return, for each number, how many of the sorted numbers `ordered` are less; in little time if
    numbers that follow each other are close."""
    return _searched(ordered, numbers, False)


def not_above(ordered: Ints, numbers: Ints) -> Ints:
    """Return, for each number, how many of the sorted numbers `ordered` are not above it, like
    `less_than`."""
    return _searched(ordered, numbers, True)


def _searched(ordered: Ints, numbers: Column, equal: bool) -> Ints:
    rows = np.empty(len(numbers), np.int64)
    run = _SearchingStruct(count=len(ordered), numbers=len(numbers), equal=equal)
    columns = {
        "ordered": np.ascontiguousarray(ordered, np.int64),
        "number": np.ascontiguousarray(numbers, np.int64),
        "rows": rows,
    }
    for name, column in columns.items():
        point(run, name, column)
    load().pomp_search(ctypes.byref(run))
    return rows


@dataclass(frozen=True, slots=True)
class Overlaps:
    """A row for each pair of intervals that overlap, from `begin` to `end`; `one` and `other` are
    the rows of the two."""

    one: Ints
    other: Ints
    begin: Ints
    end: Ints


_OVERLAPS = (
    "one_begin", "one_end", "other_begin", "other_end", "one_row", "other_row", "begin", "end"
)  # fmt: skip
_DISORDER = (1 << 64) - 1


class _OverlapsStruct(ctypes.Structure):
    """`struct pomp_overlaps` of runtime/replay/overlaps.h."""

    _fields_ = members("ONE_COUNT", *_OVERLAPS[:2], "OTHER_COUNT", *_OVERLAPS[2:])


def overlaps(one: tuple[Ints, Ints], other: tuple[Ints, Ints]) -> Overlaps:
    """Return the overlaps of two rows of intervals, given as begins and ends; each row is disjoint
    and in order."""
    intervals = [np.ascontiguousarray(column, np.int64) for column in (*one, *other)]
    room = len(one[0]) + len(other[0])
    results = [np.empty(room, np.int64) for _ in Overlaps.__slots__]
    run = _OverlapsStruct(one_count=len(one[0]), other_count=len(other[0]))
    for name, column in zip(_OVERLAPS, [*intervals, *results], strict=True):
        point(run, name, column)
    function = load().pomp_find_overlaps
    function.argtypes, function.restype = [ctypes.c_void_p], ctypes.c_uint64
    count = function(ctypes.byref(run))
    if count == _DISORDER:
        return _overlaps_in_any_order(one, other)
    return Overlaps(*(column[:count] for column in results))


def _overlaps_in_any_order(one: tuple[Ints, Ints], other: tuple[Ints, Ints]) -> Overlaps:
    first = np.searchsorted(other[1], one[0], "right")
    last = np.searchsorted(other[0], one[1], "left")
    count = np.maximum(0, last - first)
    own_row = np.repeat(np.arange(len(count)), count)
    other_row = (
        np.arange(len(own_row)) - np.repeat(np.cumsum(count) - count, count) + first[own_row]
    )
    begin = np.maximum(one[0][own_row], other[0][other_row])
    end = np.minimum(one[1][own_row], other[1][other_row])
    nonempty = begin < end
    return Overlaps(own_row[nonempty], other_row[nonempty], begin[nonempty], end[nonempty])


Durations = npt.NDArray[Any]
"""A column of np.uint32 or np.float64."""

_MOST_TICKS = np.iinfo(np.uint32).max


class TicksColumn(ctypes.Structure):
    """struct pomp_ticks of runtime/replay/ticks.h"""

    _fields_ = (("real", ctypes.c_void_p), ("whole", ctypes.c_void_p))


def narrowed(column: npt.NDArray[Any]) -> Durations:
    """Convert a column to 32-bit integers if these hold its values, else to floating-point
    numbers."""
    if not len(column) or (column.min() >= 0 and column.max() <= _MOST_TICKS):
        narrow = column.astype(np.uint32)
        if np.array_equal(narrow, column):
            return narrow
    return column.astype(np.float64)


def passed(column: Durations) -> TicksColumn:
    """Wrap a contiguous column for the compiled part; the caller keeps the column."""
    assert column.flags.c_contiguous and column.dtype in (np.uint32, np.float64)
    name = "real" if column.dtype == np.float64 else "whole"
    return TicksColumn(**{name: column.ctypes.data})
