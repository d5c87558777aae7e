"""The tables of instances behind the rows of a cube's file (docs/reference/causes-file.md), and back."""

from __future__ import annotations

from typing import Any

import numpy as np

from pomp_clang.causes.places import Thread
from pomp_clang.causes.tally import BUCKETS, EACH, GROUPS, WORST, Table, Tally
from pomp_clang.trace.model import Ints

TABLES = {"groups": GROUPS, "buckets": BUCKETS, "worst": WORST}


class DamagedError(Exception):
    """Which table."""


def told_of(instances: Tally | None) -> dict[str, int] | None:
    """How many rows the tables have, for the file's text."""
    if instances is None:
        return None
    return {name: len(getattr(instances, name)) for name in TABLES}


def stored(instances: Tally | None) -> bytes:
    """The tables behind each other, in the byte order of the machine; nothing where they are
    not known."""
    return b"" if instances is None else b"".join(each.tobytes() for each in instances.tables)


def size_of(told: object) -> int:
    """Bytes of tables that the text tells of.  Raises DamagedError."""
    return sum(rows * TABLES[name].itemsize for name, rows in _rows(told).items())


def read(told: object, order: str, data: bytes, start: int) -> Tally | None:
    """As the numbers of a byte order; nothing is believed yet.  Raises DamagedError."""
    tables = {}
    for name, rows in _rows(told).items():
        found = np.frombuffer(
            data, TABLES[name].newbyteorder("<" if order == "<" else ">"), rows, start
        )
        tables[name] = found.astype(TABLES[name])
        start += found.nbytes
    return Tally(**tables) if tables else None


def check(found: Tally, metrics: int, paths: int, threads: tuple[Thread, ...]) -> None:
    """Raises DamagedError."""
    for name, is_right in _RULES.items():
        table: Table = getattr(found, name)
        at = table["metric"].astype(np.int64) * paths + table["path"]
        is_placed = (table["metric"] < metrics).all() and (table["path"] < paths).all()
        reals = [each for each in table.dtype.names or () if table.dtype[each].kind == "f"]
        is_real = all(np.isfinite(table[each]).all() for each in reals)
        if not is_placed or not is_real or not is_right(table, at, found, paths):
            raise DamagedError(name)
    processes = {each.process for each in threads}
    worst = found.worst
    partners = worst[worst["partner_process"] != -1]
    known = processes.issuperset(partners["partner_process"].tolist())
    has_place = ((partners["partner_path"] >= 0) & (partners["partner_path"] < paths)).all()
    if not known or not has_place or not (worst["thread"] < len(threads)).all():
        raise DamagedError("worst")


def _rows(told: object) -> dict[str, int]:
    if told is None:
        return {}
    if not isinstance(told, dict) or [*told] != [*TABLES]:
        raise DamagedError("text")
    if any(type(rows) is not int or rows < 0 for rows in told.values()):
        raise DamagedError("text")
    return told


def _are_groups(table: Table, at: Ints, _: Tally, __: int) -> bool:
    counts = table["count"]
    return bool((np.diff(at) > 0).all() and (counts > 0).all() and (table["squares"] >= 0).all())


def _are_buckets(table: Table, at: Ints, found: Tally, paths: int) -> bool:
    """As many as the groups say, in order."""
    ordered = np.lexsort((table["bucket"], at))
    follows = (np.diff(at) > 0) | (np.diff(table["bucket"].astype(np.int64)) > 0)
    if not np.array_equal(ordered, np.arange(len(at))) or not follows.all():
        return False
    heads = np.flatnonzero(np.append(True, np.diff(at) != 0)) if len(at) else at
    if not np.array_equal(at[heads], _places(found, paths)) or not (table["count"] > 0).all():
        return False
    whole = np.add.reduceat(table["count"], heads) if len(heads) else table["count"]
    return np.array_equal(whole, found.groups["count"])


def _are_worst(table: Table, at: Ints, found: Tally, paths: int) -> bool:
    """Some of each group, at most as many as are kept, the worst first."""
    places = _places(found, paths)
    row = np.searchsorted(places, at).clip(max=max(0, len(places) - 1))
    many = np.bincount(row, minlength=len(places)) if len(places) else np.zeros(0, np.int64)
    if len(at) and (not len(places) or (places[row] != at).any()):
        return False
    falls = (np.diff(at) > 0) | ((np.diff(at) == 0) & (np.diff(table["severity"]) <= 0))
    is_some = (many > 0) & (many <= np.minimum(EACH, found.groups["count"].astype(np.int64)))
    return bool(falls.all() and is_some.all() and (table["begin"] <= table["end"]).all())


def _places(found: Tally, paths: int) -> Ints:
    places: Ints = found.groups["metric"].astype(np.int64) * paths + found.groups["path"]
    return places


_RULES: dict[str, Any] = {
    "groups": _are_groups, "buckets": _are_buckets, "worst": _are_worst,
}  # fmt: skip
