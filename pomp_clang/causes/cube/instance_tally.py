"""Statistics of instances: calls of the compiled kernel on NumPy's memory."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np
import numpy.typing as npt

from pomp_clang.causes.cube.instance_statistics import EACH
from pomp_clang.causes.timeline.location_timeline import Numbers, Ticks
from pomp_clang.trace.kernel import load, members, point
from pomp_clang.trace.model import Ints


class _InstancesStruct(ctypes.Structure):
    """`struct pomp_instances` of runtime/replay/tally.h."""

    _fields_ = members("COUNT", "path", "severity")


class _GroupingStruct(ctypes.Structure):
    """`struct pomp_grouping` of runtime/replay/tally.h."""

    _fields_ = members(
        "COUNT", "path", "severity", "group", "mean", "lowest", "floor",
        "squares", "least", "worst",
    )  # fmt: skip


class InstanceTally:
    """The instances of one piece, of which there is at least one. `low` and `high` are the lowest
    and the highest bucket, `most` is the highest call path."""

    def __init__(self, path: npt.NDArray[Any], severity: npt.NDArray[np.float64]) -> None:
        self._path = np.ascontiguousarray(path, np.int32)
        self._severity = np.ascontiguousarray(severity, np.float64)
        self._instances = _InstancesStruct(count=len(severity))
        point(self._instances, "path", self._path)
        point(self._instances, "severity", self._severity)
        bounds = np.empty(3, np.int64)
        _function("pomp_instance_range", 2)(ctypes.byref(self._instances), bounds.ctypes.data)
        self.low, self.high, self.most = bounds.tolist()

    def buckets(self) -> tuple[Ints, Ticks]:
        """Return the number of instances, and their sum, by call path and bucket."""
        width = self.high - self.low + 1
        size = (self.most + 1) * width
        counts, totals = np.zeros(size, np.int64), np.zeros(size)
        _function("pomp_fill_buckets", 1, 2, 2)(
            ctypes.byref(self._instances), self.low, width, counts.ctypes.data, totals.ctypes.data
        )
        return counts, totals

    def groups(
        self, group: Numbers, mean: Ticks, lowest: Numbers, floor: Numbers
    ) -> tuple[Ticks, Ticks, Ints]:
        """Return, for each group, the squares of the deviations from the mean, the least instance,
        and a row of the worst instances; -1 where there are fewer. `group` is by call path, `lowest`
        the lowest bucket of each group, `floor` the bucket from which on the worst are."""
        squares, least = np.zeros(len(mean)), np.full(len(mean), np.inf)
        worst = np.full((len(mean), EACH), -1, np.int64)
        run = _GroupingStruct(count=self._instances.count)
        columns: dict[str, npt.NDArray[Any]] = {
            "path": self._path, "severity": self._severity, "group": group, "mean": mean,
            "lowest": lowest, "floor": floor, "squares": squares, "least": least, "worst": worst,
        }  # fmt: skip
        for name, column in columns.items():
            point(run, name, column)
        _function("pomp_tally_groups", 1)(ctypes.byref(run))
        return squares, least, worst


def _function(name: str, pointers: int, numbers: int = 0, more: int = 0) -> Any:
    function = getattr(load(), name)
    function.argtypes = [
        *[ctypes.c_void_p] * pointers, *[ctypes.c_int64] * numbers, *[ctypes.c_void_p] * more
    ]  # fmt: skip
    return function
