"""Tables that the compiled part fills, column by column: the memory that they are in, and what is
there in the end."""

from __future__ import annotations

from collections.abc import Iterable
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
        self.ops = np.array([op for some in ops for op in some], np.int64)
        self.row = sum(each.itemsize for each in self.columns.values())
        self.widest_first = sorted(self.columns, key=lambda name: -self.columns[name].itemsize)


class Filled:
    """A table of a run: what has no row in the end is never touched, and takes no memory."""

    def __init__(self, run: kernel.Replaying, name: str, table: Table, counts: Counts) -> None:
        self.table = table
        room = int(counts[table.ops].sum())
        self._memory = np.empty(room * table.row, np.uint8)
        self._begin: dict[str, int] = {}
        setattr(run, f"{name}_room", room)
        at = 0
        address = self._memory.ctypes.data if room else 0
        for column in table.widest_first:
            self._begin[column] = at
            if room:
                setattr(run, f"{name}_{column}", address + at)
            at += room * table.columns[column].itemsize

    def rows(self, count: int) -> Any:
        """The dataclass's columns, of so many rows."""
        return self.table.of(
            *(
                np.ndarray(count, kind, self._memory, self._begin[column])
                for column, kind in self.table.columns.items()
            )
        )
