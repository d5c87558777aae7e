"""A trace as the phases after its reading see it: times are ticks, columns have a row an event."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import numpy.typing as npt

from pomp_clang.experiment.records import Records

Ints = npt.NDArray[np.int64]
Ops = npt.NDArray[np.uint8]
Paths = npt.NDArray[np.uint16]


@dataclass(frozen=True, slots=True)
class Stream:
    """What one location recorded, in its order.

    `op` are those of `layout.Op`, `path` are call paths as `Records.paths` has them, 0 is none.
    Few events have values: `value_row` says which event each of `values` is of.  Of the events
    after the last, `lost` were not recorded, the first of them at `lost_since`.
    """

    location: int
    time: Ints
    op: Ops
    path: Paths
    value_row: Ints
    values: Ints
    lost: int = 0
    lost_since: int = 0

    def values_of(self, rows: Ints, number: int | Ints = 0) -> tuple[Ints, npt.NDArray[np.bool_]]:
        """One of the values of some events, and which of these have it."""
        first = np.searchsorted(self.value_row, rows) + number
        within = np.minimum(first, max(0, len(self.value_row) - 1))
        if not len(self.value_row):
            return np.zeros(len(rows), np.int64), np.zeros(len(rows), np.bool_)
        has = (first < len(self.value_row)) & (self.value_row[within] == rows)
        return np.where(has, self.values[within], 0), has


class Streams(Protocol):
    """A location's stream is read when it is asked for, and not kept."""

    def __iter__(self) -> Iterator[Stream]: ...


@dataclass(frozen=True, slots=True)
class Trace:
    """One process's run: the profile's records, and the streams of its locations.  `end` is
    in ticks; what was open then had not ended."""

    directory: str
    records: Records
    end: int
    streams: Streams
