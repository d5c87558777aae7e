"""The cells of a cube as columns that a page can carry.

A property's cells are without those of its parts: what a property is nothing but its parts'
sum has none, and the sum over a property and all below it is what it is inclusively.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from pomp_clang.causes.cube import Cube
from pomp_clang.causes.distinct import numbered

_RELATIVE_NOISE = 1e-12
"""Of a property's sum: what a difference of sums that should be 0 may come to."""

_DROPPED_BITS = 16
"""Of a value's 52: what is left is eleven digits."""


@dataclass(frozen=True, slots=True)
class Columns:
    """The cells of metric `m` are rows `starts[m]` to `starts[m + 1]`, by path and thread."""

    starts: npt.NDArray[np.int64]
    path: npt.NDArray[np.uint32]
    thread: npt.NDArray[np.uint32]
    value: npt.NDArray[np.float64]


def columns_of(cube: Cube) -> Columns:
    """Exclusive of the metrics below: what is left of each severity without its parts of the
    same unit; cells that come to nothing are not there."""
    paths, threads = max(1, len(cube.paths)), max(1, len(cube.threads))
    part_of = np.array(parts(cube), np.int64)
    metric = cube.metric.astype(np.int64)
    above = part_of[metric] if len(part_of) else metric
    taken = above >= 0
    place = cube.path.astype(np.int64) * threads + cube.thread
    cells = paths * threads
    keys = np.concatenate([metric * cells + place, above[taken] * cells + place[taken]])
    values = np.concatenate([cube.value, -cube.value[taken]])
    key, row = numbered(keys)
    value = np.bincount(row, weights=values, minlength=len(key)).astype(np.float64)
    sums = np.bincount(metric, weights=np.abs(cube.value), minlength=len(cube.metrics))
    kept = np.abs(value) > _RELATIVE_NOISE * sums[key // cells]
    key, value = key[kept], value[kept]
    return Columns(
        np.searchsorted(key, np.arange(len(cube.metrics) + 1) * cells),
        (key // threads % paths).astype(np.uint32),
        (key % threads).astype(np.uint32),
        rounded(value),
    )


def parts(cube: Cube) -> list[int]:
    """Of each metric the one that its severity is in: its parent, where that counts the same."""
    return [
        each.above if each.above >= 0 and cube.metrics[each.above].unit == each.unit else -1
        for each in cube.metrics
    ]


def rounded(values: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """To eleven digits, so that the bytes of the others need no place."""
    half, mask = 1 << (_DROPPED_BITS - 1), (1 << _DROPPED_BITS) - 1
    bits = values.view(np.uint64) + np.uint64(half)
    return (bits & ~np.uint64(mask)).view(np.float64)


def planes(column: npt.NDArray[Any]) -> bytes:
    """First the lowest byte of every number, then the next: those that are alike are together."""
    little = column.astype(column.dtype.newbyteorder("<"))
    return little.view(np.uint8).reshape(-1, column.itemsize).T.tobytes()
