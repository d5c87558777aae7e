"""What was counted besides time, on the page."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from pomp_clang.analysis.counters import Counting, Metric, Values
from pomp_clang.experiment.model import Region
from pomp_clang.report.text_counters import said_of


@dataclass(frozen=True, slots=True)
class Row:
    """`region` is None for what is in none, which has a `name`; `cells` are inclusive and
    exclusive in turn; `last` is the sum."""

    region: Region | None
    name: str
    cells: tuple[str, ...]
    last: bool = False


@dataclass(frozen=True, slots=True)
class CounterTable:
    metrics: tuple[Metric, ...]
    rows: tuple[Row, ...]
    notes: tuple[str, ...]


def counter_table(counted: Counting, named: Mapping[str, Region]) -> CounterTable:
    def cells(inclusive: Values, exclusive: Values) -> tuple[str, ...]:
        pairs = zip(counted.metrics, inclusive, exclusive, strict=True)
        return tuple(said_of(value, metric) for metric, *both in pairs for value in both)

    rows = []
    for each in counted.regions:
        values = cells(each.total.inclusive, each.total.exclusive)
        rows.append(Row(named[each.id], "", values))
    rows.append(Row(None, "outside all regions", cells(counted.outside, counted.outside)))
    rows.append(Row(None, "all", cells(counted.total, counted.total), last=True))
    return CounterTable(counted.metrics, tuple(rows), counted.notes)
