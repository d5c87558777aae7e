"""Sums by call path and column."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from pomp_clang.experiment.layout import COLUMNS
from pomp_clang.trace.model import Ints

_HALF = 1 << 26


class Table:
    def __init__(self, paths: int) -> None:
        self.values: Ints = np.zeros((paths, COLUMNS), np.int64)

    def count(self, column: int, paths: npt.NDArray[Any]) -> None:
        self.values[:, column] += np.bincount(paths, minlength=len(self.values))

    def add(self, column: int, paths: npt.NDArray[Any], ticks: Ints) -> None:
        """Exact: what is summed as floating point stays below 2**53, in two halves."""
        size = len(self.values)
        for unit, part in ((_HALF, ticks // _HALF), (1, ticks % _HALF)):
            sums = np.bincount(paths, weights=part, minlength=size)
            self.values[:, column] += sums.astype(np.int64) * unit
