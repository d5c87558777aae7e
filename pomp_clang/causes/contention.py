"""Locks and criticals that were wanted while another thread had them."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from pomp_clang.causes.course import Course, Got, Numbers
from pomp_clang.experiment.errors import ExperimentError
from pomp_clang.trace.kernel import addresses, load, members, point
from pomp_clang.trace.model import Ints, Paths


@dataclass(frozen=True, slots=True)
class Contention:
    """A row for each lock or critical that was got, in the order of time for each lock; those of
    criticals come first, so many as `criticals` says.

    `waited` is ticks from when it was asked for to when another thread gave it up last.  That was
    at `freed`, which had got it in the row `before`; 0 and -1 where nobody had it or that is not
    known.  `row` is that of the course's `Got`, from which the other columns are gathered when
    they are asked for.
    """

    of: tuple[Got, ...]
    course: Numbers
    row: Numbers
    waited: Ints
    freed: Ints
    before: Numbers
    criticals: int

    @property
    def path(self) -> Paths:
        columns = [np.zeros(0, np.uint16), *(each.path for each in self.of)]
        return np.concatenate(columns)[self._rows()]

    def path_at(self, rows: Ints) -> Paths:
        """Of some rows."""
        return self._some("path", rows)

    def asked_at(self, rows: Ints) -> Ints:
        """Of some rows."""
        return self._some("asked", rows)

    @property
    def lock(self) -> Ints:
        return self._gathered([each.lock for each in self.of])

    @property
    def asked(self) -> Ints:
        return self._gathered([each.asked for each in self.of])

    @property
    def got(self) -> Ints:
        return self._gathered([each.got for each in self.of])

    @property
    def released(self) -> Ints:
        return self._gathered([each.released for each in self.of])

    def holder_at(self, rows: Ints) -> tuple[Paths, Numbers]:
        """Of some rows that waited: the path and course at which it was held before."""
        before = self.before[rows].astype(np.int64)
        return self.path_at(before), self.course[before]

    def rows_of(self) -> list[Numbers]:
        """Of each course: where the rows of its `Got` are."""
        numbers = np.empty(len(self.course), np.int32)
        numbers[self._rows()] = np.arange(len(numbers), dtype=np.int32)
        return [numbers[begin:end] for begin, end in pairwise(self._first())]

    def _some(self, name: str, rows: Ints) -> npt.NDArray[Any]:
        """Of some rows, without joining the columns of all courses."""
        columns = [getattr(each, name) for each in self.of]
        found = np.empty(len(rows), columns[0].dtype if columns else np.int64)
        course = self.course[rows]
        order = np.argsort(course, kind="stable")
        bounds = np.searchsorted(course[order], np.arange(len(columns) + 1))
        for column, (first, last) in zip(columns, pairwise(bounds), strict=True):
            mine = order[first:last]
            found[mine] = column[self.row[rows[mine]]]
        return found

    def _gathered(self, columns: list[Ints]) -> Ints:
        return np.concatenate([np.zeros(0, np.int64), *columns])[self._rows()]

    def _rows(self) -> Ints:
        """Where all columns are joined."""
        rows = self._first()[self.course]
        rows += self.row
        return rows

    def _first(self) -> Ints:
        """Of each course: where its rows begin there."""
        return np.cumsum([0, *(len(each.lock) for each in self.of)])


_COLUMNS = ("lock", "asked", "got", "released")


class _Contending(ctypes.Structure):
    _fields_ = members(
        "COURSES", "counts", *_COLUMNS,
        "ROWS", "course", "row", "waited", "freed", "before", "CRITICALS",
    )  # fmt: skip


def contention_of(courses: list[Course]) -> Contention:
    """Of all locks and criticals that the courses got.  Raises ExperimentError where they do
    not fit the memory."""
    of = tuple(each.got for each in courses)
    counts = np.array([len(each.lock) for each in of], np.uint64)
    rows = int(counts.sum())
    course, row, before = (np.empty(rows, np.int32) for _ in range(3))
    waited, freed = np.empty(rows, np.int64), np.empty(rows, np.int64)
    run = _Contending(courses=len(of), rows=rows)
    columns: dict[str, npt.NDArray[Any]] = {
        "counts": counts, "course": course, "row": row, "waited": waited, "freed": freed,
        "before": before, **{name: addresses([getattr(e, name) for e in of]) for name in _COLUMNS},
    }  # fmt: skip
    for name, column in columns.items():
        point(run, name, column)
    if not load().pomp_contend(ctypes.byref(run)):
        raise ExperimentError(f"{rows} locks do not fit the memory: record less of the program")
    return Contention(of, course, row, waited, freed, before, run.criticals)
