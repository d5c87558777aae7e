"""Searches in columns. NumPy's own functions take ten times as long at their first call and for a
few rows. A short trace takes no longer than tens of these calls."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from pomp_clang.trace.model import Ints

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


def are_among(moments: Ints, others: Ints) -> Flags:
    """Return which moments are among the others, which are in the order of time."""
    if not len(others):
        return np.zeros(len(moments), np.bool_)
    at = np.minimum(others.searchsorted(moments), len(others) - 1)
    are: Flags = others[at] == moments
    return are
