"""The hardware counters as text: a row for each region."""

from __future__ import annotations

from collections.abc import Sequence

from pomp_clang.analysis.counters import Counted, CounterMetric, CounterProfile
from pomp_clang.analysis.profile import RegionProfile
from pomp_clang.experiment.model import Experiment
from pomp_clang.report.terminal import Terminal
from pomp_clang.report.text.region_columns import REGION_FIELDS, region_cells
from pomp_clang.report.text.table import Cell, Field, abreast, table

MOST = 3
"""Metrics in a table, inclusive and exclusive; where they fit."""

_BESIDE = 33
"""Columns that regions need."""


def counter_section(
    experiment: Experiment,
    counted: CounterProfile | None,
    shown_regions: Sequence[RegionProfile],
    terminal: Terminal,
) -> list[str]:
    """Render the counters of `shown_regions`; empty if nothing was counted.

    `experiment` has the regions as the report names them.
    """
    if counted is None:
        return []
    named = {region.id: region for region in experiment.regions}
    by_id = {region.id: region for region in counted.regions}
    regions = [by_id[profile.region.id] for profile in shown_regions if profile.region.id in by_id]
    rows = [(region_cells(named[region.id]), region.total) for region in regions]
    outside = Counted(counted.outside, counted.outside)
    total = Counted(counted.total, counted.total)
    rows.append(([Cell("(outside)", "dim"), Cell(""), Cell("")], outside))
    rows.append(([Cell("SUM", "strong"), Cell(""), Cell("")], total))
    widths = [_width_of(i, metric, rows) for i, metric in enumerate(counted.metrics)]
    lines: list[str] = []
    for metrics in abreast(terminal, _BESIDE, widths, MOST):
        lines += ["", *_table(counted.metrics, metrics, rows, terminal)]
    notes = [
        f"{metric.name} = {metric.expression}" for metric in counted.metrics if metric.expression
    ]
    notes += counted.notes
    lines += ["", *(terminal.paint(note, "dim") for note in notes)] if notes else []
    return lines[1:]


_Row = tuple[list[Cell], Counted]


def _width_of(number: int, metric: CounterMetric, rows: Sequence[_Row]) -> tuple[int, int]:
    both = [_cells(range(number, number + 1), of, [metric] * (number + 1)) for _, of in rows]
    inclusive, exclusive = (max(len(cells[i].text) for cells in both) for i in (0, 1))
    return max(inclusive, len(metric.name)), max(exclusive, len(_EXCLUSIVE))


_EXCLUSIVE = "excl"


def _table(
    metrics: Sequence[CounterMetric], columns: range, rows: Sequence[_Row], terminal: Terminal
) -> list[str]:
    fields = [*REGION_FIELDS]
    for i in columns:
        fields += [Field(metrics[i].name), Field(_EXCLUSIVE)]
    return table(terminal, fields, [cells + _cells(columns, of, metrics) for cells, of in rows])


def _cells(columns: range, counted: Counted, metrics: Sequence[CounterMetric]) -> list[Cell]:
    pairs = (
        (values[i], metrics[i])
        for i in columns
        for values in (counted.inclusive, counted.exclusive)
    )
    return [Cell(counter_text(value, metric)) for value, metric in pairs]


def counter_text(value: float | None, metric: CounterMetric) -> str:
    """Format a count as an integer, a result of an expression with four digits, None as "-"."""
    if value is None:
        return "-"
    return f"{value:.4g}" if metric.expression else f"{value:.0f}"
