"""Columns of durations: 32-bit integers if these hold the values, else floating-point numbers."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np
import numpy.typing as npt

Durations = npt.NDArray[Any]
"""A column of np.uint32 or np.float64."""

_MOST = np.iinfo(np.uint32).max


class TicksColumn(ctypes.Structure):
    """struct pomp_ticks of runtime/replay/ticks.h"""

    _fields_ = (("real", ctypes.c_void_p), ("whole", ctypes.c_void_p))


def narrowed(column: npt.NDArray[Any]) -> Durations:
    """Convert a column to 32-bit integers if these hold its values, else to floating-point
    numbers."""
    if not len(column) or (column.min() >= 0 and column.max() <= _MOST):
        narrow = column.astype(np.uint32)
        if np.array_equal(narrow, column):
            return narrow
    return column.astype(np.float64)


def passed(column: Durations) -> TicksColumn:
    """Wrap a contiguous column for the compiled part; the caller keeps the column."""
    assert column.flags.c_contiguous and column.dtype in (np.uint32, np.float64)
    name = "real" if column.dtype == np.float64 else "whole"
    return TicksColumn(**{name: column.ctypes.data})
