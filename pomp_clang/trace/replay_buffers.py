"""The input and output of a compiled replay: a location's events piece by piece, and tables that are filled
column by column."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import fields
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from pomp_clang.shared_dataclass import dataclass
from pomp_clang.trace import kernel
from pomp_clang.trace.model import Ints, Ops, Paths, Stream, Trace

Counts = npt.NDArray[np.uint64]


@dataclass(frozen=True, slots=True)
class EventPiece:
    """Some events as columns like those of a `Stream`; `value_row` counts from the first of them."""

    time: Ints
    op: Ops
    path: Paths
    value_row: Ints
    values: Ints

    def through(self, run: kernel.Replaying) -> int:
        """Replay the events; return the kernel's error."""
        run.events, run.value_count = len(self.op), len(self.values)
        kernel.point(run, "time", self.time)
        kernel.point(run, "op", self.op)
        kernel.point(run, "path", self.path)
        kernel.point(run, "value_row", self.value_row)
        kernel.point(run, "value", self.values)
        return int(kernel.load().pomp_replay(ctypes.byref(run)))


class AnyPiece(Protocol):
    """Some events, which need not be columns yet."""

    def through(self, run: kernel.Replaying) -> int:
        """Replay the events; return the kernel's error, whose details stand in `run`."""


@dataclass(frozen=True, slots=True)
class LocationEvents:
    """The events of a location. `counts` has the number of events of each operation, `largest` is
    at least every call path."""

    location: int
    counts: Counts
    largest: int
    pieces: Iterator[AnyPiece]


def location_events_of(trace: Trace) -> Iterator[LocationEvents]:
    """Yield each location's events, piece by piece where the streams have a method
    `location_events`.

    Raises ExperimentError if a location cannot be read.
    """
    in_parts: Callable[[], Iterator[LocationEvents]] | None = getattr(
        trace.streams, "location_events", None
    )
    if in_parts:
        yield from in_parts()
    else:
        for stream in trace.streams:
            yield in_one_piece(stream)


def in_one_piece(stream: Stream) -> LocationEvents:
    """Return a stream's events as one piece."""
    piece = EventPiece(
        np.ascontiguousarray(stream.time, np.int64),
        np.ascontiguousarray(stream.op, np.uint8),
        np.ascontiguousarray(stream.path, np.uint16),
        np.ascontiguousarray(stream.value_row, np.int64),
        np.ascontiguousarray(stream.values, np.int64),
    )
    counts = np.zeros(kernel.OPERATIONS, np.uint64)
    largest = kernel.load().pomp_replay_count(
        len(piece.op), piece.op.ctypes.data, piece.path.ctypes.data, counts.ctypes.data
    )
    return LocationEvents(stream.location, counts, largest, iter((piece,)))


class KernelTable:
    """The column types of a dataclass, and the operations that may each add a row."""

    def __init__(self, structure: type[Any], types: str, *ops: Iterable[int]) -> None:
        self.of = structure
        names = (field.name for field in fields(structure))
        self.columns = dict(zip(names, map(np.dtype, types.split()), strict=True))
        self.ops = [op for some in ops for op in some]
        self.row = sum(column.itemsize for column in self.columns.values())
        self.widest_first = sorted(self.columns, key=lambda name: -self.columns[name].itemsize)
        self.nothing = structure(*(np.zeros(0, kind) for kind in self.columns.values()))


class KernelTables:
    """Tables by the names that a run's members begin with."""

    def __init__(self, tables: Mapping[str, KernelTable]) -> None:
        self.tables = dict(tables)
        self._makes = np.zeros((len(self.tables), kernel.OPERATIONS), np.uint64)
        for row, table in enumerate(self.tables.values()):
            self._makes[row, table.ops] = 1

    def rooms(self, run: kernel.Replaying, counts: Counts) -> list[TableRoom]:
        """Allocate each table for the largest number of rows that these numbers of events can
        make."""
        rooms = self._makes.dot(counts).tolist()
        named = zip(self.tables.items(), rooms, strict=True)
        return [TableRoom(run, name, table, room) for (name, table), room in named]


class TableRoom:
    """The memory of one table. Pages of rows that stay unused are never touched, and take no
    memory."""

    def __init__(self, run: kernel.Replaying, name: str, table: KernelTable, room: int) -> None:
        self.name = name
        self._table = table
        self._begin: dict[str, int] = {}
        setattr(run, f"{name}_room", room)
        if not room:
            return
        self._memory = np.empty(room * table.row, np.uint8)
        at, address = 0, self._memory.ctypes.data
        for column in table.widest_first:
            self._begin[column] = at
            setattr(run, f"{name}_{column}", address + at)
            at += room * table.columns[column].itemsize

    def filled(self, run: kernel.Replaying) -> Any:
        """Return the dataclass with the rows that the run filled."""
        count, table, begin = getattr(run, self.name), self._table, self._begin
        if not count:
            return table.nothing
        columns = table.columns.items()
        return table.of(*(np.ndarray(count, of, self._memory, begin[name]) for name, of in columns))
