"""The tables of instances of a run's properties, by the compiled kernel on NumPy's memory."""

from __future__ import annotations

import ctypes
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from pomp_clang.causes.cube.cube import Cube
from pomp_clang.causes.cube.instance_statistics import (
    BUCKET_SHIFT,
    BUCKETS,
    EACH,
    GROUPS,
    NONE,
    WORST,
    InstanceTables,
    Table,
    together,
)
from pomp_clang.causes.mpi_waits.call_waits import NOBODY
from pomp_clang.causes.properties.property import Property
from pomp_clang.causes.properties.registry import parts_of, pieces_of
from pomp_clang.causes.run.instance import LEAST, Instances, joined
from pomp_clang.causes.run.run import Progress, Run, silent
from pomp_clang.causes.timeline.columns import numbered
from pomp_clang.causes.timeline.location_timeline import Numbers, Ticks, sums
from pomp_clang.trace.kernel import load, members, point
from pomp_clang.trace.model import Ints


class _InstancesStruct(ctypes.Structure):
    """`struct pomp_instances` of runtime/replay/tally.h."""

    _fields_ = members("COUNT", "path", "severity")


class _GroupingStruct(ctypes.Structure):
    """`struct pomp_grouping` of runtime/replay/tally.h."""

    _fields_ = members(
        "COUNT", "path", "severity", "group", "mean", "lowest", "floor",
        "squares", "least", "worst",
    )  # fmt: skip


class InstanceTally:
    """The instances of one piece, of which there is at least one. `low` and `high` are the lowest
    and the highest bucket, `most` is the highest call path."""

    def __init__(self, path: npt.NDArray[Any], severity: npt.NDArray[np.float64]) -> None:
        self._path = np.ascontiguousarray(path, np.int32)
        self._severity = np.ascontiguousarray(severity, np.float64)
        self._instances = _InstancesStruct(count=len(severity))
        point(self._instances, "path", self._path)
        point(self._instances, "severity", self._severity)
        bounds = np.empty(3, np.int64)
        _function("pomp_instance_range", 2)(ctypes.byref(self._instances), bounds.ctypes.data)
        self.low, self.high, self.most = bounds.tolist()

    def buckets(self) -> tuple[Ints, Ticks]:
        """Return the number of instances, and their sum, by call path and bucket."""
        width = self.high - self.low + 1
        size = (self.most + 1) * width
        counts, totals = np.zeros(size, np.int64), np.zeros(size)
        _function("pomp_fill_buckets", 1, 2, 2)(
            ctypes.byref(self._instances), self.low, width, counts.ctypes.data, totals.ctypes.data
        )
        return counts, totals

    def groups(
        self, group: Numbers, mean: Ticks, lowest: Numbers, floor: Numbers
    ) -> tuple[Ticks, Ticks, Ints]:
        """Return, for each group, the squares of the deviations from the mean, the least instance,
        and a row of the worst instances; -1 where there are fewer. `group` is by call path, `lowest`
        the lowest bucket of each group, `floor` the bucket from which on the worst are."""
        squares, least = np.zeros(len(mean)), np.full(len(mean), np.inf)
        worst = np.full((len(mean), EACH), -1, np.int64)
        run = _GroupingStruct(count=self._instances.count)
        columns: dict[str, npt.NDArray[Any]] = {
            "path": self._path, "severity": self._severity, "group": group, "mean": mean,
            "lowest": lowest, "floor": floor, "squares": squares, "least": least, "worst": worst,
        }  # fmt: skip
        for name, column in columns.items():
            point(run, name, column)
        _function("pomp_tally_groups", 1)(ctypes.byref(run))
        return squares, least, worst


def _function(name: str, pointers: int, numbers: int = 0, more: int = 0) -> Any:
    function = getattr(load(), name)
    function.argtypes = [
        *[ctypes.c_void_p] * pointers, *[ctypes.c_int64] * numbers, *[ctypes.c_void_p] * more
    ]  # fmt: skip
    return function


_ROOM = 1 << 14
"""The number of counters that are always affordable."""


def instance_tables_of(
    run: Run, kinds: Sequence[type[Property]], cube: Cube, progress: Progress = silent
) -> InstanceTables:
    """Return the tables at the rows of the run's call paths and threads, as in its `cube`; partners
    have the rows of the job. Entries of `run.memo` that only instances need are dropped, to save
    memory."""
    is_there = cube.totals() != 0
    known = set(run.memo)
    tables: dict[type[Property], InstanceTables] = {}
    for metric, kind in reversed(list(enumerate(kinds))):
        progress(f"instances of {kind.name}", 1 - metric / len(kinds))
        if not is_there[metric] or not kind.instances_are_counted:
            continue
        parts = [tables[part].of(metric) for part in parts_of(kind, kinds, run) if part in tables]
        pieces = (tables_of_piece(run, metric, piece) for piece in larger(pieces_of(kind, run)))
        tables[kind] = together([*pieces, *parts])
    for key in run.memo.keys() - known:
        del run.memo[key]
    return together([tables[kind] for kind in kinds if kind in tables])


def larger(pieces: Iterable[Instances]) -> Iterator[Instances]:
    """Yield pieces joined to at least `LEAST` instances: each piece has a fixed cost. References to
    the small pieces are dropped before the joined one is processed, to save memory."""
    waiting: list[Instances] = []
    count = 0
    for piece in pieces:
        waiting.append(piece)
        count += len(piece.severity)
        if count >= LEAST:
            waiting, count = [joined(waiting)], 0
            del piece
            yield waiting.pop()
    waiting = [joined(waiting)]
    yield waiting.pop()


def tables_of_piece(run: Run, metric: int, piece: Instances) -> InstanceTables:
    """Return the tables of one piece."""
    if not len(piece.severity):
        return NONE
    tally = InstanceTally(piece.path, piece.severity)
    buckets = _buckets(metric, tally, piece)
    heads = np.flatnonzero(np.append(True, np.diff(buckets["path"].astype(np.int64)) != 0))
    groups = np.zeros(len(heads), GROUPS)
    groups["metric"], groups["path"] = metric, buckets["path"][heads]
    groups["count"] = np.add.reduceat(buckets["count"], heads)
    groups["sum"] = np.add.reduceat(buckets["sum"], heads)
    row = np.zeros(tally.most + 1, np.int32)
    row[groups["path"]] = np.arange(len(heads))
    groups["squares"], groups["least"], worst = tally.groups(
        row,
        groups["sum"] / groups["count"],
        buckets["bucket"][heads].astype(np.int32),
        _floors(buckets, heads),
    )
    at = worst.T.reshape(-1)
    return InstanceTables(groups, buckets, _worst_table(run, metric, piece.take(at[at >= 0])))


def _buckets(metric: int, tally: InstanceTally, piece: Instances) -> Table:
    """Return the buckets of a piece: counted by their number if memory allows, else sorted."""
    low, width = tally.low, tally.high - tally.low + 1
    if (tally.most + 1) * width <= max(_ROOM, 2 * len(piece.severity)):
        counts, totals = tally.buckets()
        there = np.flatnonzero(counts)
        count, total = counts[there], totals[there]
    else:
        severity = np.ascontiguousarray(piece.severity)
        key = piece.path.astype(np.int64) * width - low
        key += severity.view(np.int64) >> BUCKET_SHIFT
        there, place = numbered(key)
        count = np.bincount(place, minlength=len(there))
        total = sums(place, severity, len(there))
    buckets = np.zeros(len(there), BUCKETS)
    buckets["metric"], buckets["path"], buckets["bucket"] = (
        metric,
        there // width,
        there % width + low,
    )
    buckets["count"], buckets["sum"] = count, total
    return buckets


def _floors(buckets: Table, heads: Ints) -> Numbers:
    """Return, by call path, the highest bucket from which on there are at least `EACH` instances,
    or the lowest one."""
    until = np.cumsum(buckets["count"].astype(np.int64))
    ends = np.append(heads[1:], len(buckets)) - 1
    above = np.repeat(until[ends], np.diff(np.append(heads, len(buckets)))) - until
    passed = np.add.reduceat((above >= EACH).astype(np.int64), heads)
    floors: Numbers = buckets["bucket"][heads + passed].astype(np.int32)
    return floors


def _worst_table(run: Run, metric: int, worst: Instances) -> Table:
    table = np.zeros(len(worst.severity), WORST)
    table["metric"], table["path"], table["thread"] = metric, worst.path, worst.thread
    table["severity"] = worst.severity
    for name, ticks in (("begin", worst.begin), ("end", worst.end)):
        if run.peers is not None:
            table[name] = run.peers.seconds(run, ticks)
        else:
            table[name] = (ticks - run.start) / run.second
    names = ("partner_process", "partner_thread", "partner_path", "partner_begin")
    for row, call in enumerate(worst.partners):
        of = (-1, -1, -1, 0.0)
        if run.peers is not None and call != NOBODY:
            of = run.peers.caller(int(call))
        for name, value in zip(names, of, strict=True):
            table[name][row] = value
    return table[np.lexsort((table["begin"], -table["severity"], table["path"]))]
