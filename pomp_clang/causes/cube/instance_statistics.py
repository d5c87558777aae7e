"""Tables of instances by property and call path: count, sum, spread, and the worst three."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from pomp_clang.causes.timeline.columns import numbered
from pomp_clang.causes.timeline.location_timeline import sums
from pomp_clang.causes.timeline.places import Thread
from pomp_clang.shared_dataclass import dataclass
from pomp_clang.trace.model import Ints

Table = npt.NDArray[Any]

_PLACE = [("metric", "u4"), ("path", "u4")]

GROUPS = np.dtype([*_PLACE, ("count", "u8"), ("sum", "f8"), ("squares", "f8"), ("least", "f8")])
"""A row per metric and call path with instances: the `sum` of their severities, and the `squares`
of their deviations from the mean, summed up."""

BUCKETS = np.dtype([*_PLACE, ("bucket", "u4"), ("count", "u8"), ("sum", "f8")])
"""A row per bucket: severities whose highest bits are equal. These bits are the bucket's number."""

WORST = np.dtype(
    [
        *_PLACE, ("thread", "u4"), ("begin", "f8"), ("end", "f8"), ("severity", "f8"),
        ("partner_process", "i4"), ("partner_thread", "i4"), ("partner_path", "i4"),
        ("partner_begin", "f8"),
    ]
)  # fmt: skip
"""A row per instance, the worst first. `thread` is a row of the cube's threads. A partner has the
numbers of its process and thread, -1 if there is none. Moments are seconds from the program's
begin."""

BUCKET_SHIFT = 48
"""The low bits of a float64 that a bucket ignores: 16 buckets per power of two."""

EACH = 3
"""The number of worst instances that are kept per property and call path."""


@dataclass(frozen=True, slots=True)
class Partner:
    """The MPI call that an instance waited for, at a row of the cube's paths, on a thread of a
    process."""

    process: int
    thread: int
    path: int
    begin: float


@dataclass(frozen=True, slots=True)
class Instance:
    """One instance of a property, at a row of the cube's paths. Moments are seconds from the
    program's begin; `partner` is the MPI call that was waited for."""

    path: int
    process: int
    thread: int
    begin: float
    end: float
    severity: float
    partner: Partner | None = None


@dataclass(frozen=True, slots=True)
class Statistics:
    """The distribution of instances in the property's unit. `deviation` is the standard deviation.
    The quartiles and the median are exact if all instances in their bucket are equal, else within
    6.25 %."""

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
class InstanceTables:
    """Tables of `GROUPS`, `BUCKETS` and `WORST`, sorted by metric and call path; buckets also by
    number."""

    groups: Table
    buckets: Table
    worst: Table

    def statistics(self, metric: int, path: int | None = None) -> Statistics | None:
        """Return the statistics at a call path, or at all; None if there are no instances."""
        groups, buckets, worst = self._of(metric, path)
        count = int(groups["count"].sum())
        if not count:
            return None
        total = float(groups["sum"].sum())
        least, most = float(groups["least"].min()), float(worst["severity"].max())
        squares = _squares(groups, np.full(len(groups), total / count)).sum()
        lower, median, upper = np.clip(_quartiles(buckets, count), least, most).tolist()
        deviation = float(np.sqrt(squares / count))
        mean = total / count
        return Statistics(count, total, mean, deviation, least, lower, median, upper, most)

    def worst_of(
        self, threads: tuple[Thread, ...], metric: int, path: int | None = None
    ) -> tuple[Instance, ...]:
        """Return the worst instances at a call path, or at all, the worst first; `threads` are the
        cube's."""
        rows = self._of(metric, path)[-1]
        order = np.lexsort((rows["begin"], -rows["severity"]))
        return tuple(_instance(threads, row) for row in rows[order[:EACH]])

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

    def moved(
        self, metrics: Ints, paths: Ints, threads: Ints, processes: dict[int, int]
    ) -> InstanceTables:
        """Return the tables for other rows of metrics, call paths and threads, and other process
        numbers."""
        tables = [table.copy() for table in self.tables]
        for table in tables:
            table["metric"], table["path"] = metrics[table["metric"]], paths[table["path"]]
        worst = tables[-1]
        worst["thread"] = threads[worst["thread"]]
        for row in np.flatnonzero(worst["partner_process"] >= 0):
            worst["partner_path"][row] = paths[worst["partner_path"][row]]
            worst["partner_process"][row] = processes[int(worst["partner_process"][row])]
        return united(*tables)

    def placed(self, paths: Ints, first: int) -> InstanceTables:
        """Return the tables for other rows of call paths, with `first` threads before these.
        Partners have the new rows already."""
        tables = [table.copy() for table in self.tables]
        for table in tables:
            table["path"] = paths[table["path"]]
        tables[-1]["thread"] += first
        return united(*tables)

    def kept(self, metrics: npt.NDArray[np.bool_], paths: npt.NDArray[np.bool_]) -> InstanceTables:
        """Return the rows of some metrics and call paths."""
        return InstanceTables(
            *(table[metrics[table["metric"]] & paths[table["path"]]] for table in self.tables)
        )

    def of(self, metric: int) -> InstanceTables:
        """Return the same instances as those of another metric."""
        tables = [table.copy() for table in self.tables]
        for table in tables:
            table["metric"] = metric
        return InstanceTables(*tables)


NONE = InstanceTables(*(np.zeros(0, kind) for kind in (GROUPS, BUCKETS, WORST)))


def together(summands: Iterable[InstanceTables]) -> InstanceTables:
    """Return the sum of tables with the same rows of a cube. Their order is the order of
    floating-point sums."""
    kept = [tables for tables in summands if len(tables.groups)]
    if len(kept) < 2:
        return kept[0] if kept else NONE
    groups, buckets, worst = (
        np.concatenate(column) for column in zip(*(tables.tables for tables in kept), strict=True)
    )
    return united(groups, buckets, worst)


def united(groups: Table, buckets: Table, worst: Table) -> InstanceTables:
    """Return sorted tables in which equal metrics and call paths are one row."""
    return InstanceTables(_groups(groups), _buckets(buckets), _worst(worst))


def _key(table: Table) -> Ints:
    key: Ints = table["metric"].astype(np.int64) << 32 | table["path"]
    return key


def _instance(threads: tuple[Thread, ...], row: Any) -> Instance:
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
    """Return the squared deviations of each group from another mean: parallel variance, after Chan,
    Golub and LeVeque."""
    own_mean = groups["sum"] / groups["count"]
    squares: npt.NDArray[np.float64] = groups["squares"] + groups["count"] * (own_mean - mean) ** 2
    return squares


def _quartiles(buckets: Table, count: int) -> npt.NDArray[np.float64]:
    """Return the first quartile, median and third quartile: linear between the two nearest
    instances, each taken as the mean of its bucket."""
    order = np.argsort(buckets["bucket"], kind="stable")
    number, row = numbered(buckets["bucket"][order])
    counts = sums(row, buckets["count"][order], len(number))
    means = sums(row, buckets["sum"][order], len(number)) / counts
    at = np.array([0.25, 0.5, 0.75]) * (count - 1)
    until = np.cumsum(counts)
    below, above = (
        means[np.searchsorted(until, ranks, "right").clip(max=len(means) - 1)]
        for ranks in (np.floor(at), np.ceil(at))
    )
    quartiles: npt.NDArray[np.float64] = below + (above - below) * (at - np.floor(at))
    return quartiles


def _groups(table: Table) -> Table:
    key, row = numbered(_key(table))
    groups = np.zeros(len(key), GROUPS)
    groups["metric"], groups["path"] = key >> 32, key & 0xFFFFFFFF
    groups["count"] = sums(row, table["count"], len(key))
    groups["sum"] = sums(row, table["sum"], len(key))
    mean = groups["sum"] / groups["count"]
    groups["squares"] = sums(row, _squares(table, mean[row]), len(key))
    groups["least"] = np.inf
    np.minimum.at(groups["least"], row, table["least"])
    return groups


def _buckets(table: Table) -> Table:
    order = np.lexsort((table["bucket"], _key(table)))
    table = table[order]
    is_head = np.ones(len(table), np.bool_)
    is_head[1:] = (np.diff(_key(table)) != 0) | (np.diff(table["bucket"].astype(np.int64)) != 0)
    buckets, row = table[is_head], np.cumsum(is_head) - 1
    buckets["count"] = sums(row, table["count"], len(buckets))
    buckets["sum"] = sums(row, table["sum"], len(buckets))
    return buckets


def _worst(table: Table) -> Table:
    key = _key(table)
    order = np.lexsort((table["thread"], table["begin"], -table["severity"], key))
    key = key[order]
    place = np.arange(len(key)) - np.searchsorted(key, key)
    return table[order[place < EACH]]
