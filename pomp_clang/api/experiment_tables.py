"""The tables of an opened experiment: columns by name, for pandas and Polars."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Protocol

import numpy as np

from pomp_clang.api.tables import (
    ColumnArrays,
    OpenedFinding,
    OpenedLocation,
    Table,
    is_count,
    sums,
    table_of,
    zeros,
)
from pomp_clang.experiment.model import CallPath, Region


class TabledRun(Protocol):
    """What tables are made of: an opened experiment, or one until a snapshot."""

    @property
    def regions(self) -> tuple[Region, ...]: ...
    @property
    def callpaths(self) -> tuple[CallPath, ...]: ...
    @property
    def locations(self) -> tuple[OpenedLocation, ...]: ...
    @property
    def findings(self) -> tuple[OpenedFinding, ...]: ...
    @property
    def snapshots(self) -> Sequence[TabledSnapshot]: ...
    @property
    def steps(self) -> list[dict[str, Any]]: ...
    @property
    def region_columns(self) -> ColumnArrays: ...
    @property
    def callpath_columns(self) -> ColumnArrays: ...
    @property
    def region_counters(self) -> ColumnArrays: ...
    @property
    def callpath_counters(self) -> ColumnArrays: ...


class TabledSnapshot(Protocol):
    """A snapshot, and the run until then."""

    @property
    def number(self) -> int: ...
    @property
    def time(self) -> float: ...
    @property
    def cause(self) -> str: ...
    @property
    def run(self) -> TabledRun: ...


def tables_of(run: TabledRun) -> dict[str, Callable[[], Table]]:
    """Return what makes each table of an experiment, by its name."""
    tables: dict[str, Callable[[], Table]] = {
        "regions": lambda: _summed(_region_head(run), run.region_columns),
        "regions_by_thread": lambda: _by_thread(run, _region_head(run), run.region_columns),
        "callpaths": lambda: _summed(_callpath_head(run), run.callpath_columns),
        "callpaths_by_thread": lambda: _by_thread(run, _callpath_head(run), run.callpath_columns),
        "locations": partial(_locations, run),
        "findings": partial(_findings, run),
    }
    if run.region_counters:
        tables["region_counters"] = lambda: _by_thread(run, _region_head(run), run.region_counters)
        tables["callpath_counters"] = lambda: _by_thread(
            run, _callpath_head(run), run.callpath_counters
        )
    if run.snapshots:
        tables |= {"snapshots": partial(_snapshots, run), "steps": partial(_steps, run)}
    return tables


def _snapshots(run: TabledRun) -> Table:
    """Return a row for each snapshot and each region; 0 in columns that a region has not."""
    runs = [snapshot.run for snapshot in run.snapshots]
    rows = len(run.regions)
    table = table_of(
        ("snapshot", "time", "cause"),
        ((s.number, s.time, s.cause) for s in run.snapshots for _ in range(rows)),
    )
    for name, values in _region_head(run).items():
        table[name] = [value for _ in runs for value in values]
    for name in dict.fromkeys(name for until in runs for name in until.region_columns):
        columns = [until.region_columns.get(name, zeros(name, rows, 1)) for until in runs]
        kind = np.int64 if is_count(name) else np.float64
        table[name] = np.array([value for column in columns for value in sums(column)], kind)
    return table


def _steps(run: TabledRun) -> Table:
    rows = run.steps
    table = table_of([n for n in rows[0] if n != "counters"], ())
    for row in rows:
        counted = row.pop("counters") or {}
        for name, value in {**row, **counted}.items():
            table.setdefault(name, []).append(value)
    return table


def _region_head(run: TabledRun) -> Table:
    names = ("id", "kind", "name", "function", "file", "begin_line1", "end_lineN")
    return table_of(
        names,
        (
            (r.id, r.kind, r.sub_name, r.function, r.file, r.begin_line1, r.end_lineN)
            for r in run.regions
        ),
    )


def _callpath_head(run: TabledRun) -> Table:
    regions = {region.id: region for region in run.regions}
    depths: dict[str | None, int] = {None: -1}
    rows: list[tuple[object, ...]] = []
    for path in run.callpaths:
        depths[path.id] = depths[path.above] + 1
        region = regions[path.region]
        place = region.file, region.begin_line1
        rows.append(
            (
                path.id,
                path.above,
                depths[path.id],
                path.region,
                path.task,
                region.kind,
                region.sub_name,
                *place,
            )
        )
    names = ("id", "above", "depth", "region", "task", "kind", "name", "file", "begin_line1")
    return table_of(names, rows)


def _summed(head: Table, columns: ColumnArrays) -> Table:
    """Add each column's sum over the locations to the head of a table."""
    return {
        **head,
        **{
            name: np.array(sums(array), np.int64 if is_count(name) else np.float64)
            for name, array in columns.items()
        },
    }


def _by_thread(run: TabledRun, head: Table, columns: ColumnArrays) -> Table:
    """Return a row for each row of the head and each location."""
    repeated = {
        name: [value for value in values for _ in run.locations] for name, values in head.items()
    }
    rows = len(next(iter(head.values())))
    numbers = [(x.process, x.thread) for x in run.locations] * rows
    repeated |= table_of(("process", "thread"), numbers)
    return {**repeated, **{name: array.reshape(-1) for name, array in columns.items()}}


def _locations(run: TabledRun) -> Table:
    return table_of(
        ("process", "thread", "dropped", "ranT", "queuedT"),
        ((x.process, x.thread, x.dropped, x.ranT, x.queuedT) for x in run.locations),
    )


def _findings(run: TabledRun) -> Table:
    names = (
        "name", "title", "overhead", "process", "region", "file", "line", "severity", "share",
        "gain", "text", "advice",
    )  # fmt: skip
    return table_of(names, ([getattr(f, name) for name in names] for f in run.findings))
