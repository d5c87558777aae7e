"""Contention: locks and criticals that a thread wanted while another thread held them.

Repeated attempts to get a lock by `omp_test_lock` and `omp_test_nest_lock` are a wait as well.
Attempts are repeated if a thread makes them at one place in the source and records nothing else in
between. It must try again within `SOON`, or within the time for which it has tried before. If the
thread gets the lock at last, it has waited since the first attempt; else all were in vain.
"""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from pomp_clang.causes.timeline.activity import Activity
from pomp_clang.causes.timeline.columns import are_among, is_any, where
from pomp_clang.causes.timeline.location_timeline import (
    Flags,
    LocationTimeline,
    LockAcquisitions,
    Numbers,
    Ticks,
    over,
)
from pomp_clang.experiment import ExperimentError
from pomp_clang.experiment.layout import SOON
from pomp_clang.shared_dataclass import dataclass
from pomp_clang.trace.kernel import addresses, load, members, point
from pomp_clang.trace.layout import Kind
from pomp_clang.trace.model import Ints, Paths
from pomp_clang.trace.summarize import LocationSummary

_LOCK, _COMPUTE = int(Activity.LOCK), int(Activity.COMPUTE)


@dataclass(frozen=True, slots=True)
class _Attempts:
    """The intervals in a lock routine, at the rows `at`. `has_failed` is True if the attempt did not
    get the lock, `continues` if it repeats the attempt before; `head` is the first of its sequence."""

    at: Ints
    has_failed: Flags
    continues: Flags
    head: Ints


def as_waits(summary: LocationSummary, until: int, second: int) -> LocationSummary:
    """Book what lies between repeated attempts as time in the lock routine.

    The location's events go `until`; `second` is ticks.
    """
    at = where(summary.intervals.doing == _LOCK)
    if not len(at):
        return summary
    attempts = _attempts(summary, at, until, int(SOON * second))
    if not is_any(attempts.has_failed):
        return summary
    summary = _asked_first(summary, attempts)
    in_vain = _in_vain(attempts)
    between = where(attempts.continues & (np.diff(at, prepend=at[0]) == 2))
    activity = np.where(in_vain[between], Activity.TRYING, Activity.LOCK)
    summary = _book_intervals(
        summary, at[between] - 1, summary.intervals.path[at[between]], activity, until
    )
    rows = at[in_vain]
    trying = np.full(len(rows), Activity.TRYING)
    return _book_intervals(summary, rows, summary.intervals.path[rows], trying, until)


def _attempts(summary: LocationSummary, at: Ints, until: int, soon: int) -> _Attempts:
    intervals, locks = summary.intervals, summary.locks
    begin, ends = intervals.begin[at], over(intervals.begin, at, until)
    has_failed = np.ones(len(at), np.bool_)
    is_lock = locks.lock >= 0  # the others are critical sections
    requested, acquired = locks.requested[is_lock], locks.acquired[is_lock]
    rows = begin.searchsorted(requested, "right") - 1, begin.searchsorted(acquired, "left") - 1
    for moment, row in zip((requested, acquired), rows, strict=True):
        has_failed[row[(row >= 0) & (moment <= ends[row])]] = False
    gives_up = are_among(begin, np.sort(locks.released, kind="stable"))
    has_failed[gives_up] = False
    gap = at[1:] - at[:-1]
    continues = np.zeros(len(at), np.bool_)
    continues[1:] = has_failed[:-1] & ~gives_up[1:] & (gap <= 2)
    continues[1:] &= intervals.path[at[1:]] == intervals.path[at[:-1]]
    continues[1:] &= (gap == 1) | (intervals.doing[at[1:] - 1] == _COMPUTE)
    late = where(continues[1:] & (begin[1:] - ends[:-1] > soon)) + 1
    continues[late] = False
    head = _first_attempts(continues)
    for row in late.tolist():
        since = int(head[row - 1])
        if begin[row] - ends[row - 1] <= ends[row - 1] - begin[since]:
            continues[row] = True
            head[row : int(head.searchsorted(row, "right"))] = since
    return _Attempts(at, has_failed, continues, head)


def _first_attempts(continues: Flags) -> Ints:
    """Return the first of each attempt's row of attempts."""
    first: Ints = np.maximum.accumulate(np.where(continues, 0, np.arange(len(continues))))
    return first


def _asked_first(summary: LocationSummary, attempts: _Attempts) -> LocationSummary:
    """Move the request of a lock that was acquired after some attempts to the first of these."""
    begin, locks = summary.intervals.begin[attempts.at], summary.locks
    row = np.maximum(begin.searchsorted(locks.requested, "right") - 1, 0)
    is_retry = (begin[row] == locks.requested) & attempts.continues[row] & (locks.lock >= 0)
    requested = np.where(is_retry, begin[attempts.head[row]], locks.requested)
    return replace(summary, locks=replace(locks, requested=requested))


def _in_vain(attempts: _Attempts) -> Flags:
    """Return, for each attempt, whether the thread did not get the lock in the end."""
    last = np.append(~attempts.continues[1:], True)
    is_vain = np.zeros(len(attempts.at), np.bool_)
    is_vain[attempts.head[last]] = attempts.has_failed[last]
    return is_vain[attempts.head]


def _book_intervals(
    summary: LocationSummary, at: Ints, path: Paths, activity: Ints, until: int
) -> LocationSummary:
    """Book intervals at another call path and as another activity."""
    intervals, ticks, serial = summary.intervals, summary.ticks.copy(), summary.serial.copy()
    begin, before, doing = intervals.begin[at], intervals.path.copy(), intervals.doing.copy()
    duration = over(intervals.begin, at, until) - begin
    alone = duration * ~_are_in_teams(summary, begin)
    cells, width = ticks.reshape(-1), ticks.shape[1]
    np.subtract.at(cells, before[at].astype(np.int64) * width + doing[at], duration)
    np.subtract.at(serial, before[at], alone)
    before[at], doing[at] = path, activity
    np.add.at(cells, before[at].astype(np.int64) * width + doing[at], duration)
    np.add.at(serial, before[at], alone)
    summary = replace(summary, intervals=replace(intervals, path=before, doing=doing))
    return replace(summary, ticks=ticks, serial=serial)


def _are_in_teams(summary: LocationSummary, moments: Ints) -> Flags:
    """Return, for each moment, whether the location was in a parallel region."""
    regions = where(summary.visits.kind == int(Kind.PARALLEL))
    if not len(regions):
        return np.zeros(len(moments), np.bool_)
    begin = summary.visits.begin[regions]
    end = np.maximum.accumulate(summary.visits.end[regions])
    row = begin.searchsorted(moments, "right") - 1
    inside: Flags = (row >= 0) & (moments < end[row])
    return inside


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
