"""The tables of instances in a cube's file, behind its rows (docs/reference/causes-file.md)."""

from __future__ import annotations

from typing import Any

import numpy as np

from pomp_clang.causes.cube.instance_statistics import (
    BUCKETS,
    EACH,
    GROUPS,
    WORST,
    InstanceTables,
    Table,
)
from pomp_clang.causes.timeline.places import Thread
from pomp_clang.trace.model import Ints

TABLES = {"groups": GROUPS, "buckets": BUCKETS, "worst": WORST}


class DamagedError(Exception):
    """Damaged tables; the message names the table."""


def row_counts_of(instances: InstanceTables | None) -> dict[str, int] | None:
    """Return the number of rows of each table, for the file's text."""
    if instances is None:
        return None
    return {name: len(getattr(instances, name)) for name in TABLES}


def stored(instances: InstanceTables | None) -> bytes:
    """Return the bytes of the tables in the machine's byte order; none if they are unknown."""
    return b"" if instances is None else b"".join(table.tobytes() for table in instances.tables)


def bytes_of(sizes: object) -> int:
    """Return the bytes of the tables that the file's text announces. Raise DamagedError if it is
    wrong."""
    return sum(rows * TABLES[name].itemsize for name, rows in _rows(sizes).items())


def read(sizes: object, order: str, data: bytes, start: int) -> InstanceTables | None:
    """Return the tables in a byte order, not checked yet. Raise DamagedError if the text is
    wrong."""
    tables = {}
    for name, rows in _rows(sizes).items():
        stored_table = np.frombuffer(
            data, TABLES[name].newbyteorder("<" if order == "<" else ">"), rows, start
        )
        tables[name] = stored_table.astype(TABLES[name])
        start += stored_table.nbytes
    return InstanceTables(**tables) if tables else None


def check(instances: InstanceTables, metrics: int, paths: int, threads: tuple[Thread, ...]) -> None:
    """Raise DamagedError if a table contradicts itself, another table, or the cube."""
    for name, is_right in _RULES.items():
        table: Table = getattr(instances, name)
        at = table["metric"].astype(np.int64) * paths + table["path"]
        is_placed = (table["metric"] < metrics).all() and (table["path"] < paths).all()
        reals = [column for column in table.dtype.names or () if table.dtype[column].kind == "f"]
        is_real = all(np.isfinite(table[column]).all() for column in reals)
        if not is_placed or not is_real or not is_right(table, at, instances, paths):
            raise DamagedError(name)
    processes = {thread.process for thread in threads}
    worst = instances.worst
    partners = worst[worst["partner_process"] != -1]
    known = processes.issuperset(partners["partner_process"].tolist())
    has_place = ((partners["partner_path"] >= 0) & (partners["partner_path"] < paths)).all()
    if not known or not has_place or not (worst["thread"] < len(threads)).all():
        raise DamagedError("worst")


def _rows(sizes: object) -> dict[str, int]:
    if sizes is None:
        return {}
    if not isinstance(sizes, dict) or [*sizes] != [*TABLES]:
        raise DamagedError("text")
    if any(type(rows) is not int or rows < 0 for rows in sizes.values()):
        raise DamagedError("text")
    return sizes


def _are_groups(table: Table, at: Ints, _: InstanceTables, __: int) -> bool:
    counts = table["count"]
    return bool((np.diff(at) > 0).all() and (counts > 0).all() and (table["squares"] >= 0).all())


def _are_buckets(table: Table, at: Ints, instances: InstanceTables, paths: int) -> bool:
    """Return True if buckets are in order, and each group has as many instances as its buckets."""
    ordered = np.lexsort((table["bucket"], at))
    follows = (np.diff(at) > 0) | (np.diff(table["bucket"].astype(np.int64)) > 0)
    if not np.array_equal(ordered, np.arange(len(at))) or not follows.all():
        return False
    heads = np.flatnonzero(np.append(True, np.diff(at) != 0)) if len(at) else at
    if not np.array_equal(at[heads], _places(instances, paths)) or not (table["count"] > 0).all():
        return False
    counts = np.add.reduceat(table["count"], heads) if len(heads) else table["count"]
    return np.array_equal(counts, instances.groups["count"])


def _are_worst(table: Table, at: Ints, instances: InstanceTables, paths: int) -> bool:
    """Return True if each group has some worst instances, at most `EACH`, the worst first."""
    places = _places(instances, paths)
    row = np.searchsorted(places, at).clip(max=max(0, len(places) - 1))
    many = np.bincount(row, minlength=len(places)) if len(places) else np.zeros(0, np.int64)
    if len(at) and (not len(places) or (places[row] != at).any()):
        return False
    falls = (np.diff(at) > 0) | ((np.diff(at) == 0) & (np.diff(table["severity"]) <= 0))
    is_some = (many > 0) & (many <= np.minimum(EACH, instances.groups["count"].astype(np.int64)))
    return bool(falls.all() and is_some.all() and (table["begin"] <= table["end"]).all())


def _places(instances: InstanceTables, paths: int) -> Ints:
    places: Ints = instances.groups["metric"].astype(np.int64) * paths + instances.groups["path"]
    return places


_RULES: dict[str, Any] = {
    "groups": _are_groups, "buckets": _are_buckets, "worst": _are_worst,
}  # fmt: skip
