"""Columns as bytes that compress well: the cells of a cube, and integers with their index.

A property's cells exclude those of its parts: a property that is the sum of its parts has none. The
sum over a property and its descendants is its inclusive severity.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from pomp_clang.causes.cube.cube import Cube
from pomp_clang.causes.timeline.columns import numbered

_RELATIVE_NOISE = 1e-12
"""Share of a property's sum below which a difference is rounding noise."""

_DROPPED_BITS = 16
"""Dropped bits of a value's 52; the rest has eleven digits."""


@dataclass(frozen=True, slots=True)
class CellColumns:
    """The cells of metric `m` are rows `starts[m]` to `starts[m + 1]`, by path and thread."""

    starts: npt.NDArray[np.int64]
    path: npt.NDArray[np.uint32]
    thread: npt.NDArray[np.uint32]
    value: npt.NDArray[np.float64]


def columns_of(cube: Cube) -> CellColumns:
    """Convert the severities to exclusive ones: without those of the parts in the same unit.
    Cells that come to zero are dropped."""
    paths, threads = max(1, len(cube.paths)), max(1, len(cube.threads))
    part_of = np.array(parts(cube), np.int64)
    metric = cube.metric.astype(np.int64)
    above = part_of[metric] if len(part_of) else metric
    has_parent = above >= 0
    place = cube.path.astype(np.int64) * threads + cube.thread
    cells = paths * threads
    keys = np.concatenate([metric * cells + place, above[has_parent] * cells + place[has_parent]])
    values = np.concatenate([cube.value, -cube.value[has_parent]])
    key, row = numbered(keys)
    value = np.bincount(row, weights=values, minlength=len(key)).astype(np.float64)
    sums = np.bincount(metric, weights=np.abs(cube.value), minlength=len(cube.metrics))
    is_kept = np.abs(value) > _RELATIVE_NOISE * sums[key // cells]
    key, value = key[is_kept], value[is_kept]
    return CellColumns(
        np.searchsorted(key, np.arange(len(cube.metrics) + 1) * cells),
        (key // threads % paths).astype(np.uint32),
        (key % threads).astype(np.uint32),
        rounded(value),
    )


def parts(cube: Cube) -> list[int]:
    """Return for each metric the one that contains its severity: its parent, if that has the
    same unit; else -1."""
    return [
        metric.above if metric.above >= 0 and cube.metrics[metric.above].unit == metric.unit else -1
        for metric in cube.metrics
    ]


def rounded(values: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Round to eleven digits, so that the remaining bytes compress well."""
    half, mask = 1 << (_DROPPED_BITS - 1), (1 << _DROPPED_BITS) - 1
    bits = values.view(np.uint64) + np.uint64(half)
    return (bits & ~np.uint64(mask)).view(np.float64)


def planes(column: npt.NDArray[Any]) -> bytes:
    """Store the lowest byte of all numbers, then the next: similar bytes stand together."""
    little = column.astype(column.dtype.newbyteorder("<"))
    return little.view(np.uint8).reshape(-1, column.itemsize).T.tobytes()


def planes_of(column: npt.NDArray[Any]) -> list[bytes]:
    """Split numbers from 0 to 2**53 into byte planes: the lowest bytes of all, then the next, up
    to the highest that is not 0."""
    values = np.ascontiguousarray(column, "<u8")
    highest = int(values.max(initial=0))
    octets = values.view(np.uint8).reshape(-1, 8)
    return [octets[:, plane].tobytes() for plane in range(-(-highest.bit_length() // 8))]


class Pack:
    """Each column is a row of planes."""

    def __init__(self) -> None:
        self._parts: list[bytes] = []
        self._size = 0

    def add(self, column: npt.NDArray[Any]) -> list[int]:
        """Append a column; return its offset, its length, and its number of planes."""
        planes = planes_of(column)
        place = [self._size, len(column), len(planes)]
        self._parts += planes
        self._size += len(column) * len(planes)
        return place

    def add_floats(self, column: npt.NDArray[Any]) -> list[int]:
        """Append a column as the bits of single precision."""
        return self.add(column.astype("<f4").view("<u4"))

    def content(self) -> bytes:
        return b"".join(self._parts)
