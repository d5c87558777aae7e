"""Unique numbers, their rows, and searches among them. np.unique and np.isin do the same, but
import numpy.ma at their first call. The import takes longer than the analysis of 100,000 events."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

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


def are_among(numbers: Column, ordered: Column) -> npt.NDArray[np.bool_]:
    """Return, for each number, whether it is one of the sorted numbers `ordered`."""
    if not len(ordered):
        return np.zeros(len(numbers), np.bool_)
    place = np.minimum(np.searchsorted(ordered, numbers), len(ordered) - 1)
    return np.asarray(ordered[place] == numbers)


def _heads(ordered: Column) -> npt.NDArray[np.bool_]:
    """Return, for each row of a sorted column, whether its number differs from the one before."""
    is_head = np.ones(len(ordered), np.bool_)
    is_head[1:] = ordered[1:] != ordered[:-1]
    return is_head
