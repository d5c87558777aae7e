"""Tables and arrays: columns of equal length by name, which pandas and Polars take as they are,
rows of threads and findings, and the call paths of several processes as rows of one experiment.

An array is built when its column is read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from pomp_clang.experiment.model import CallPath, Region

Array = npt.NDArray[Any]


class UnknownNameError(KeyError):
    """Why a name stands for nothing in the experiment, in one line."""

    def __str__(self) -> str:
        return str(self.args[0])


def unknown_name(kind: str, name: object, known: Iterable[object]) -> UnknownNameError:
    """Return the error for a name of this kind that is none of the known ones."""
    names = ", ".join(map(str, known)) or "none"
    return UnknownNameError(f"there is no {kind} {name!r}; there are: {names}")


class ColumnArrays(Mapping[str, Array]):
    """Arrays of rows x locations by the name of their column. They are read-only.

    `kind` is a word for a column in an error.
    """

    def __init__(self, kind: str, names: tuple[str, ...], build: Callable[[str], Array]) -> None:
        self._kind = kind
        self._names = dict.fromkeys(names)
        self._build = build
        self._arrays: dict[str, Array] = {}

    def __getitem__(self, name: str) -> Array:
        if name not in self._names:
            raise unknown_name(self._kind, name, self._names)
        if name not in self._arrays:
            self._arrays[name] = frozen(self._build(name))
        return self._arrays[name]

    def __contains__(self, name: object) -> bool:
        return name in self._names

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)

    def __repr__(self) -> str:
        return f"ColumnArrays({', '.join(self._names)})"


def frozen(array: Array) -> Array:
    """Make the array read-only and return it."""
    array.flags.writeable = False
    return array


def zeros(name: str, rows: int, locations: int) -> Array:
    """Return an array of zeros: integers for counts and bytes, else floats."""
    return np.zeros((rows, locations), np.int64 if is_count(name) else np.float64)


def is_count(name: str) -> bool:
    return name.endswith(("C", "V"))


Table = dict[str, Any]
"""Columns by name; each is a list or an array with one dimension."""


class HasTables:
    """What has tables: `_tables` returns what makes each of them."""

    def _tables(self) -> Mapping[str, Callable[[], Table]]:
        raise NotImplementedError

    @property
    def tables(self) -> tuple[str, ...]:
        """The names of the tables."""
        return tuple(self._tables())

    def table(self, name: str) -> Table:
        """Return a table as columns by name, for `pandas.DataFrame` and `polars.DataFrame`.

        UnknownNameError if there is none of this name.
        """
        known = self._tables()
        if name not in known:
            raise unknown_name("table", name, known)
        return known[name]()


def table_of(columns: Iterable[str], rows: Iterable[Iterable[object]]) -> Table:
    """Return the table of rows with these columns."""
    names = tuple(columns)
    listed = [tuple(row) for row in rows]
    return {name: [row[number] for row in listed] for number, name in enumerate(names)}


def plain(table: Table) -> dict[str, list[Any]]:
    """Return the table with lists of Python's own numbers, which JSON has room for."""
    return {
        name: column.tolist() if isinstance(column, np.ndarray) else list(column)
        for name, column in table.items()
    }


def sums(array: Array) -> list[Any]:
    """Return each row's sum over the locations, added in the order in which reports add."""
    return [sum(row) for row in array.tolist()]


_Numbers = dict[str, int]


def merge_callpaths(
    processes: Sequence[tuple[tuple[CallPath, ...], _Numbers]], regions: Sequence[Region]
) -> tuple[tuple[CallPath, ...], list[_Numbers]]:
    """Return the call paths of all processes, callers before their callees, and the row of each
    call path of each process by its id.

    `processes` are the call paths of each, with the row of a region by its id. The call paths of
    one process keep their ids.
    """
    merged: list[CallPath] = []
    rows: dict[tuple[int, int, bool], int] = {}
    numbers: list[_Numbers] = []
    for paths, region_rows in processes:
        own: _Numbers = {}
        for path in paths:
            above = own[path.above] if path.above is not None else -1
            key = above, region_rows[path.region], path.task
            if key not in rows or len(processes) == 1:
                rows[key] = len(merged)
                ident = path.id if len(processes) == 1 else f"C{len(merged) + 1:05d}"
                parent = merged[above].id if above >= 0 else None
                merged.append(CallPath(ident, parent, regions[key[1]].id, path.task))
            own[path.id] = rows[key]
        numbers.append(own)
    return tuple(merged), numbers


@dataclass(frozen=True, slots=True)
class OpenedLocation:
    """A thread of a process. `ranT` and `queuedT` are seconds on a processor and of waiting for
    one, None if unknown; `dropped` is the number of dropped events."""

    process: int
    thread: int
    dropped: int
    ranT: float | None
    queuedT: float | None


@dataclass(frozen=True, slots=True)
class OpenedFinding:
    """A property that holds at a region, or for the program if `region` is None.

    `severity` is seconds over all threads, `share` its part of duration x threads, `gain` the run time
    that a run without it would roughly save, None if that is not predicted. `severities` are the
    seconds of each location of the experiment.
    """

    name: str
    title: str
    overhead: str | None
    process: int
    region: str | None
    file: str | None
    line: int | None
    severity: float
    share: float
    gain: float | None
    text: str
    advice: str
    severities: tuple[float, ...]
