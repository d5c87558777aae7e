"""What was counted besides time, as text: a row for each region."""

from __future__ import annotations

from collections.abc import Sequence

from pomp_clang.analysis.counters import Counting, Metric, Values
from pomp_clang.experiment.model import Experiment, Region
from pomp_clang.report.region_columns import REGION_FIELDS, region_cells
from pomp_clang.report.table import Cell, Field, table
from pomp_clang.report.terminal import Terminal

ABREAST = 3
"""Metrics in a table, inclusive and exclusive."""


def counter_section(
    experiment: Experiment, counted: Counting | None, terminal: Terminal
) -> list[str]:
    """Empty where nothing was counted; `experiment` has the names that the report uses."""
    if counted is None:
        return []
    named = {region.id: region for region in experiment.regions}
    lines: list[str] = []
    for first in range(0, len(counted.metrics), ABREAST):
        lines += ["", *_table(counted, first, named, terminal)]
    notes = [
        f"{metric.name} = {metric.expression}" for metric in counted.metrics if metric.expression
    ]
    notes += counted.notes
    lines += ["", *(terminal.paint(note, "dim") for note in notes)] if notes else []
    return lines[1:]


def _table(
    counted: Counting, first: int, named: dict[str, Region], terminal: Terminal
) -> list[str]:
    shown = range(first, min(first + ABREAST, len(counted.metrics)))
    fields = [*REGION_FIELDS]
    for i in shown:
        fields += [Field(counted.metrics[i].name), Field("excl")]
    rows = []
    for each in counted.regions:
        region = named[each.id]
        cells = region_cells(region)
        total = each.total
        rows.append(cells + _cells(shown, total.inclusive, total.exclusive, counted.metrics))
    for name, values in (("(outside)", counted.outside), ("SUM", counted.total)):
        cells = [Cell(name, "dim" if name != "SUM" else "strong"), Cell(""), Cell("")]
        rows.append(cells + _cells(shown, values, values, counted.metrics))
    return table(terminal, fields, rows)


def _cells(
    shown: range, inclusive: Values, exclusive: Values, metrics: Sequence[Metric]
) -> list[Cell]:
    said = ((said_of(values[i], metrics[i])) for i in shown for values in (inclusive, exclusive))
    return [Cell(text) for text in said]


def said_of(value: float | None, metric: Metric) -> str:
    """Counts as they are, results with four digits; nothing where there is none."""
    if value is None:
        return "-"
    return f"{value:.4g}" if metric.expression else f"{value:.0f}"
