"""Tables that the compiled part fills column by column, and their memory."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import fields
from typing import Any

import numpy as np

from pomp_clang.trace import kernel
from pomp_clang.trace.location_events import Counts


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
