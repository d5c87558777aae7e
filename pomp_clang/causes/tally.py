"""Tally of properties in numbers: how many there are at each call path, how they are spread,
and when the worst were."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from pomp_clang.causes.course import sums
from pomp_clang.causes.distinct import numbered
from pomp_clang.causes.places import Thread
from pomp_clang.trace.model import Ints

Table = npt.NDArray[Any]

_PLACE = [("metric", "u4"), ("path", "u4")]

GROUPS = np.dtype([*_PLACE, ("count", "u8"), ("sum", "f8"), ("squares", "f8"), ("least", "f8")])
"""A row for each metric and call path that has any: `sum` of their severities, and `squares` of
the distances of these from their mean."""

BUCKETS = np.dtype([*_PLACE, ("bucket", "u4"), ("count", "u8"), ("sum", "f8")])
"""Severities that begin with the same bits, which is what a bucket's number is."""

WORST = np.dtype(
    [
        *_PLACE, ("thread", "u4"), ("begin", "f8"), ("end", "f8"), ("severity", "f8"),
        ("partner_process", "i4"), ("partner_thread", "i4"), ("partner_path", "i4"),
        ("partner_begin", "f8"),
    ]
)  # fmt: skip
"""The worst first.  `thread` is a row of the cube's; a partner's numbers are its process's and its
thread's own, -1 where there is none.  Moments are seconds from the program's begin."""

BUCKET_SHIFT = 48
"""Of a float64: 16 buckets from one power of two to the next."""

EACH = 3
"""So many of the worst are kept of a property at a call path."""


@dataclass(frozen=True, slots=True)
class Partner:
    """A call of MPI at a row of the cube's paths, on a thread of a process."""

    process: int
    thread: int
    path: int
    begin: float


@dataclass(frozen=True, slots=True)
class Instance:
    """At a row of the cube's paths.  Moments are seconds from the program's begin; `partner` is
    what was waited for."""

    path: int
    process: int
    thread: int
    begin: float
    end: float
    severity: float
    partner: Partner | None = None


@dataclass(frozen=True, slots=True)
class Statistics:
    """In the property's unit.  `deviation` is the standard deviation; the quartiles and the median
    are exact where no others are in their buckets, else within 6.25 %."""

    count: int
    sum: float
    mean: float
    deviation: float
    least: float
    lower: float
    median: float
    upper: float
    most: float


@dataclass(frozen=True, eq=False)
class Tally:
    """Tables of the types above, in the order of metric and path, buckets in that of their numbers."""

    groups: Table
    buckets: Table
    worst: Table

    def statistics(self, metric: int, path: int | None = None) -> Statistics | None:
        """Of a call path or of all; None where there are no instances."""
        groups, buckets, worst = self._of(metric, path)
        count = int(groups["count"].sum())
        if not count:
            return None
        whole = float(groups["sum"].sum())
        least, most = float(groups["least"].min()), float(worst["severity"].max())
        squares = _squares(groups, np.full(len(groups), whole / count)).sum()
        lower, median, upper = np.clip(_quartiles(buckets, count), least, most).tolist()
        deviation = float(np.sqrt(squares / count))
        mean = whole / count
        return Statistics(count, whole, mean, deviation, least, lower, median, upper, most)

    def worst_of(
        self, threads: tuple[Thread, ...], metric: int, path: int | None = None
    ) -> tuple[Instance, ...]:
        """The worst first, of a call path or of all; `threads` are the cube's."""
        rows = self._of(metric, path)[-1]
        order = np.lexsort((rows["begin"], -rows["severity"]))
        return tuple(_told(threads, row) for row in rows[order[:EACH]])

    @property
    def tables(self) -> tuple[Table, Table, Table]:
        return self.groups, self.buckets, self.worst

    @cached_property
    def _keys(self) -> tuple[Ints, ...]:
        return tuple(map(_key, self.tables))

    def _of(self, metric: int, path: int | None) -> tuple[Table, ...]:
        first, last = metric << 32, (metric + 1) << 32
        if path is not None:
            first, last = first | path, (first | path) + 1
        return tuple(
            table[slice(*np.searchsorted(keys, [first, last]))]
            for table, keys in zip(self.tables, self._keys, strict=True)
        )

    def moved(self, metrics: Ints, paths: Ints, threads: Ints, processes: dict[int, int]) -> Tally:
        """With other rows of a cube, and other numbers of processes."""
        tables = [each.copy() for each in self.tables]
        for each in tables:
            each["metric"], each["path"] = metrics[each["metric"]], paths[each["path"]]
        worst = tables[-1]
        worst["thread"] = threads[worst["thread"]]
        for row in np.flatnonzero(worst["partner_process"] >= 0):
            worst["partner_path"][row] = paths[worst["partner_path"][row]]
            worst["partner_process"][row] = processes[int(worst["partner_process"][row])]
        return united(*tables)

    def placed(self, paths: Ints, first: int) -> Tally:
        """At other rows of call paths, with so many threads before; partners are there already."""
        tables = [each.copy() for each in self.tables]
        for each in tables:
            each["path"] = paths[each["path"]]
        tables[-1]["thread"] += first
        return united(*tables)

    def kept(self, metrics: npt.NDArray[np.bool_], paths: npt.NDArray[np.bool_]) -> Tally:
        """Those of some metrics and call paths."""
        return Tally(*(each[metrics[each["metric"]] & paths[each["path"]]] for each in self.tables))

    def of(self, metric: int) -> Tally:
        """The same as another metric's."""
        tables = [each.copy() for each in self.tables]
        for each in tables:
            each["metric"] = metric
        return Tally(*tables)


NONE = Tally(*(np.zeros(0, kind) for kind in (GROUPS, BUCKETS, WORST)))


def together(several: Iterable[Tally]) -> Tally:
    """Of one cube's rows; their order says in which order sums are made."""
    kept = [each for each in several if len(each.groups)]
    if len(kept) < 2:
        return kept[0] if kept else NONE
    groups, buckets, worst = (
        np.concatenate(column) for column in zip(*(each.tables for each in kept), strict=True)
    )
    return united(groups, buckets, worst)


def united(groups: Table, buckets: Table, worst: Table) -> Tally:
    """In order, rows of the same as one."""
    return Tally(_groups(groups), _buckets(buckets), _worst(worst))


def _key(table: Table) -> Ints:
    key: Ints = table["metric"].astype(np.int64) << 32 | table["path"]
    return key


def _told(threads: tuple[Thread, ...], row: Any) -> Instance:
    thread = threads[row["thread"]]
    partner = None
    if row["partner_process"] >= 0:
        partner = Partner(
            int(row["partner_process"]), int(row["partner_thread"]),
            int(row["partner_path"]), float(row["partner_begin"]),
        )  # fmt: skip
    return Instance(
        int(row["path"]), thread.process, thread.thread,
        float(row["begin"]), float(row["end"]), float(row["severity"]), partner,
    )  # fmt: skip


def _squares(groups: Table, mean: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Of distances from another mean: parallel variance, after Chan, Golub and LeVeque."""
    own = groups["sum"] / groups["count"]
    found: npt.NDArray[np.float64] = groups["squares"] + groups["count"] * (own - mean) ** 2
    return found


def _quartiles(buckets: Table, count: int) -> npt.NDArray[np.float64]:
    """Between the two instances next to where they are, as these are in their buckets' mean."""
    order = np.argsort(buckets["bucket"], kind="stable")
    number, row = numbered(buckets["bucket"][order])
    counts = sums(row, buckets["count"][order], len(number))
    means = sums(row, buckets["sum"][order], len(number)) / counts
    at = np.array([0.25, 0.5, 0.75]) * (count - 1)
    until = np.cumsum(counts)
    below, above = (
        means[np.searchsorted(until, each, "right").clip(max=len(means) - 1)]
        for each in (np.floor(at), np.ceil(at))
    )
    found: npt.NDArray[np.float64] = below + (above - below) * (at - np.floor(at))
    return found


def _groups(table: Table) -> Table:
    key, row = numbered(_key(table))
    found = np.zeros(len(key), GROUPS)
    found["metric"], found["path"] = key >> 32, key & 0xFFFFFFFF
    found["count"] = sums(row, table["count"], len(key))
    found["sum"] = sums(row, table["sum"], len(key))
    mean = found["sum"] / found["count"]
    found["squares"] = sums(row, _squares(table, mean[row]), len(key))
    found["least"] = np.inf
    np.minimum.at(found["least"], row, table["least"])
    return found


def _buckets(table: Table) -> Table:
    order = np.lexsort((table["bucket"], _key(table)))
    table = table[order]
    is_head = np.ones(len(table), np.bool_)
    is_head[1:] = (np.diff(_key(table)) != 0) | (np.diff(table["bucket"].astype(np.int64)) != 0)
    found, row = table[is_head], np.cumsum(is_head) - 1
    found["count"] = sums(row, table["count"], len(found))
    found["sum"] = sums(row, table["sum"], len(found))
    return found


def _worst(table: Table) -> Table:
    key = _key(table)
    order = np.lexsort((table["thread"], table["begin"], -table["severity"], key))
    key = key[order]
    place = np.arange(len(key)) - np.searchsorted(key, key)
    return table[order[place < EACH]]
