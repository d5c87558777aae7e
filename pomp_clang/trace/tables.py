"""Tables that the compiled part fills, column by column: the memory that they are in, and what is
there in the end."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import fields
from typing import Any

import numpy as np

from pomp_clang.trace import kernel
from pomp_clang.trace.parts import Counts


class Table:
    """The types of a dataclass's columns, and the operations of which each may make a row."""

    def __init__(self, of: type[Any], types: str, *ops: Iterable[int]) -> None:
        self.of = of
        names = (each.name for each in fields(of))
        self.columns = dict(zip(names, map(np.dtype, types.split()), strict=True))
        self.ops = [op for some in ops for op in some]
        self.row = sum(each.itemsize for each in self.columns.values())
        self.widest_first = sorted(self.columns, key=lambda name: -self.columns[name].itemsize)
        self.nothing = of(*(np.zeros(0, kind) for kind in self.columns.values()))


class Tables:
    """By the names that a run's members begin with."""

    def __init__(self, tables: Mapping[str, Table]) -> None:
        self.tables = dict(tables)
        self._makes = np.zeros((len(self.tables), kernel.OPERATIONS), np.uint64)
        for row, table in enumerate(self.tables.values()):
            self._makes[row, table.ops] = 1

    def rooms(self, run: kernel.Replaying, counts: Counts) -> list[Room]:
        """Of each, for what there is of each operation."""
        rooms = self._makes.dot(counts).tolist()
        named = zip(self.tables.items(), rooms, strict=True)
        return [Room(run, name, table, room) for (name, table), room in named]


class Room:
    """What has no row in the end is never touched, and takes no memory."""

    def __init__(self, run: kernel.Replaying, name: str, table: Table, room: int) -> None:
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
        """The dataclass's columns, with the rows that the run has."""
        count, table, begin = getattr(run, self.name), self._table, self._begin
        if not count:
            return table.nothing
        columns = table.columns.items()
        return table.of(*(np.ndarray(count, of, self._memory, begin[name]) for name, of in columns))
