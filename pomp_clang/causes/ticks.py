"""Columns of durations: as whole numbers of 32 bits where they fit these, else as real ones."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np
import numpy.typing as npt

Durations = npt.NDArray[Any]
"""Of np.uint32 or np.float64."""

_MOST = np.iinfo(np.uint32).max


class TicksColumn(ctypes.Structure):
    """struct pomp_ticks of runtime/replay/ticks.h"""

    _fields_ = (("real", ctypes.c_void_p), ("whole", ctypes.c_void_p))


def narrowed(column: npt.NDArray[Any]) -> Durations:
    """The same numbers."""
    if not len(column) or (column.min() >= 0 and column.max() <= _MOST):
        whole = column.astype(np.uint32)
        if np.array_equal(whole, column):
            return whole
    return column.astype(np.float64)


def passed(column: Durations) -> TicksColumn:
    """Who calls keeps the column, which is contiguous."""
    assert column.flags.c_contiguous and column.dtype in (np.uint32, np.float64)
    name = "real" if column.dtype == np.float64 else "whole"
    return TicksColumn(**{name: column.ctypes.data})
