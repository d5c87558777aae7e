"""Tables: columns of equal length by name, which pandas and Polars take as they are."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import numpy as np

from pomp_clang.api.column_arrays import Array, unknown_name

Table = dict[str, Any]
"""Columns by name; each is a list or an array with one dimension."""


def table_named(name: str, tables: Mapping[str, Callable[[], Table]]) -> Table:
    """Return a table; UnknownNameError if there is none of this name."""
    if name not in tables:
        raise unknown_name("table", name, tables)
    return tables[name]()


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
