"""Contention: locks and criticals that a thread wanted while another thread held them."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from pomp_clang.causes.timeline.location_timeline import LocationTimeline, LockAcquisitions, Numbers
from pomp_clang.experiment.errors import ExperimentError
from pomp_clang.trace.kernel import addresses, load, members, point
from pomp_clang.trace.model import Ints, Paths


@dataclass(frozen=True, slots=True)
class Contention:
    """A row for each lock or critical that was acquired, in time order for each lock; the first
    `criticals` rows are criticals.

    `waited` is ticks from the request until another thread last gave the lock up, at `freed`. The
    acquisition by that thread is row `before`. If no other thread held it or if that is not known,
    `freed` is 0 and `before` -1. `row` is the row in the location's `LockAcquisitions`, from which
    the other columns are gathered on demand.
    """

    of: tuple[LockAcquisitions, ...]
    location: Numbers
    row: Numbers
    waited: Ints
    freed: Ints
    before: Numbers
    criticals: int

    @property
    def path(self) -> Paths:
        columns = [np.zeros(0, np.uint16), *(locks.path for locks in self.of)]
        return np.concatenate(columns)[self._rows()]

    def path_at(self, rows: Ints) -> Paths:
        """Return the call paths of the given rows."""
        return self._column_at("path", rows)

    def asked_at(self, rows: Ints) -> Ints:
        """Return the moments of the request of the given rows."""
        return self._column_at("requested", rows)

    @property
    def lock(self) -> Ints:
        return self._gathered([locks.lock for locks in self.of])

    @property
    def requested(self) -> Ints:
        return self._gathered([locks.requested for locks in self.of])

    @property
    def acquired(self) -> Ints:
        return self._gathered([locks.got for locks in self.of])

    @property
    def released(self) -> Ints:
        return self._gathered([locks.released for locks in self.of])

    def holder_at(self, rows: Ints) -> tuple[Paths, Numbers]:
        """Return the call path and the location at which the lock was held before, for rows that
        waited."""
        before = self.before[rows].astype(np.int64)
        return self.path_at(before), self.location[before]

    def rows_of(self) -> list[Numbers]:
        """Return, for each location, the rows of its `LockAcquisitions` in this table."""
        numbers = np.empty(len(self.location), np.int32)
        numbers[self._rows()] = np.arange(len(numbers), dtype=np.int32)
        return [numbers[begin:end] for begin, end in pairwise(self._first())]

    def _column_at(self, name: str, rows: Ints) -> npt.NDArray[Any]:
        """Return a column at the given rows, without joining the columns of all locations."""
        columns = [getattr(locks, name) for locks in self.of]
        picked = np.empty(len(rows), columns[0].dtype if columns else np.int64)
        location = self.location[rows]
        order = np.argsort(location, kind="stable")
        bounds = np.searchsorted(location[order], np.arange(len(columns) + 1))
        for column, (first, last) in zip(columns, pairwise(bounds), strict=True):
            own_rows = order[first:last]
            picked[own_rows] = column[self.row[rows[own_rows]]]
        return picked

    def _gathered(self, columns: list[Ints]) -> Ints:
        return np.concatenate([np.zeros(0, np.int64), *columns])[self._rows()]

    def _rows(self) -> Ints:
        """Return the row of each lock where all columns are joined."""
        rows = self._first()[self.location]
        rows += self.row
        return rows

    def _first(self) -> Ints:
        """Return the first row of each location where all columns are joined."""
        return np.cumsum([0, *(len(locks.lock) for locks in self.of)])


_COLUMNS = ("lock", "requested", "got", "released")


class _Contending(ctypes.Structure):
    _fields_ = members(
        "LOCATIONS", "counts", *_COLUMNS,
        "ROWS", "location", "row", "waited", "freed", "before", "CRITICALS",
    )  # fmt: skip


def contention_of(timelines: Sequence[LocationTimeline]) -> Contention:
    """Match all locks and criticals that the locations acquired. Raises ExperimentError if they do not
    fit into memory."""
    acquisitions = tuple(timeline.acquisitions for timeline in timelines)
    counts = np.array([len(locks.lock) for locks in acquisitions], np.uint64)
    rows = int(counts.sum())
    location, row, before = (np.empty(rows, np.int32) for _ in range(3))
    wait_time, freed = np.empty(rows, np.int64), np.empty(rows, np.int64)
    run = _Contending(locations=len(acquisitions), rows=rows)
    columns: dict[str, npt.NDArray[Any]] = {
        "counts": counts, "location": location, "row": row, "waited": wait_time, "freed": freed,
        "before": before, **{name: addresses([getattr(e, name) for e in acquisitions]) for name in _COLUMNS},
    }  # fmt: skip
    for name, column in columns.items():
        point(run, name, column)
    if not load().pomp_contend(ctypes.byref(run)):
        raise ExperimentError(f"{rows} locks do not fit the memory: record less of the program")
    return Contention(acquisitions, location, row, wait_time, freed, before, run.criticals)
