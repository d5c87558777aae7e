"""Each number once.  np.unique says the same, but imports numpy.ma at its first call, which takes
longer than the analysis of a hundred thousand events."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

Column = npt.NDArray[Any]


def numbered(numbers: Column) -> tuple[Column, Column]:
    """The distinct ones in their order, and the place of each number among them."""
    order = np.argsort(numbers, kind="stable")
    ordered = numbers[order]
    is_head = np.ones(len(ordered), np.bool_)
    is_head[1:] = ordered[1:] != ordered[:-1]
    place = np.empty(len(numbers), np.int64)
    place[order] = np.cumsum(is_head) - 1
    return ordered[is_head], place
