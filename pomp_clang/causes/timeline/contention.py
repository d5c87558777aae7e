"""Contention: locks and criticals that a thread wanted while another thread held them."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from pomp_clang.causes.timeline.location_timeline import (
    LocationTimeline,
    LockAcquisitions,
    Numbers,
    Ticks,
)
from pomp_clang.experiment import ExperimentError
from pomp_clang.trace.kernel import addresses, load, members, point
from pomp_clang.trace.model import Ints, Paths


class _LockRowsStruct(ctypes.Structure):
    """`struct pomp_lock_rows` of runtime/replay/lock_rows.h."""

    _fields_ = members("COUNT", "location", "row", "first")


class _NeedingStruct(ctypes.Structure):
    """`struct pomp_needing` of runtime/replay/lock_rows.h."""

    _fields_ = (
        *members("COUNT", "number", "freed", "before", "requested", "acquired"),
        ("objects", ctypes.c_int64),
        *members("object", "lag"),
    )


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

    def requested_at(self, rows: Ints) -> Ints:
        """Return the moments of the request of the given rows."""
        return self._column_at("requested", rows)

    def acquired_at(self, rows: Ints) -> Ints:
        """Return the moments at which the locks of the given rows were acquired."""
        return self._column_at("acquired", rows)

    @property
    def lock(self) -> Ints:
        return self._gathered([locks.lock for locks in self.of])

    @property
    def requested(self) -> Ints:
        return self._gathered([locks.requested for locks in self.of])

    @property
    def acquired(self) -> Ints:
        return self._gathered([locks.acquired for locks in self.of])

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
        first = self._first()
        rows = self._struct(first)
        load().pomp_number_locks(ctypes.byref(rows), ctypes.c_void_p(numbers.ctypes.data))
        return [numbers[begin:end] for begin, end in pairwise(first)]

    def needs(self, location: int, number: Numbers, first: int) -> tuple[Numbers, Ticks]:
        """Return whose release each lock acquisition of a location needs, and the ticks it lags.

        A need is `first` plus a row, or -1 if no other thread held the lock. The ticks begin when
        the lock was free and requested. `number` has the rows of the location."""
        of = self.of[location]
        needed, lag = np.empty(len(number), np.int32), np.empty(len(number))
        run = _NeedingStruct(count=len(number), objects=first)
        columns: dict[str, npt.NDArray[Any]] = {
            "number": np.ascontiguousarray(number), "freed": self.freed, "before": self.before,
            "requested": np.ascontiguousarray(of.requested),
            "acquired": np.ascontiguousarray(of.acquired),
            "object": needed, "lag": lag,
        }  # fmt: skip
        for name, column in columns.items():
            point(run, name, column)
        load().pomp_lock_needs(ctypes.byref(run))
        return needed, lag

    def _column_at(self, name: str, rows: Ints) -> npt.NDArray[Any]:
        """Return a column at the given rows, without joining the columns of all locations."""
        columns = [np.ascontiguousarray(getattr(locks, name)) for locks in self.of]
        picked = np.empty(len(rows), columns[0].dtype if columns else np.int64)
        at, places = np.ascontiguousarray(rows, np.int64), addresses(columns)
        of = self._struct(np.zeros(1, np.int64))
        function = load().pomp_pick
        function.argtypes = [
            ctypes.c_void_p, ctypes.c_uint64, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_uint64,
            ctypes.c_void_p,
        ]  # fmt: skip
        function(
            ctypes.byref(of), len(at), at.ctypes.data, places.ctypes.data, picked.itemsize,
            picked.ctypes.data,
        )  # fmt: skip
        return picked

    def _struct(self, first: Ints) -> _LockRowsStruct:
        of = _LockRowsStruct(count=len(self.location))
        for name, column in (("location", self.location), ("row", self.row), ("first", first)):
            assert column.flags.c_contiguous
            point(of, name, column)
        return of

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


_COLUMNS = ("lock", "requested", "acquired", "released")


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
