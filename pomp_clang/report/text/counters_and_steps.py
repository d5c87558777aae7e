"""The hardware counters and the run over time as text: a row for each region, a row for each step between
profiles."""

from __future__ import annotations

from collections.abc import Sequence

from pomp_clang.analysis.counters import Counted, CounterMetric, CounterProfile, metrics_of
from pomp_clang.analysis.overheads import share
from pomp_clang.analysis.profile import RegionProfile
from pomp_clang.analysis.timeline import TimelineStep, timeline
from pomp_clang.experiment.model import Experiment
from pomp_clang.report.options import Options
from pomp_clang.report.phrases import (
    GOOD_PARTS,
    decimals_for,
    number,
    percent,
    place,
    seconds,
    what,
    wrapped,
)
from pomp_clang.report.terminal import Terminal, heat
from pomp_clang.report.text.table import (
    GAP,
    REGION_FIELDS,
    Cell,
    Field,
    abreast,
    region_cells,
    table,
)

MOST_METRICS = 3
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
    for metrics in abreast(terminal, _BESIDE, widths, MOST_METRICS):
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


MOST_STEPS = 24
"""Rows; of more profiles some are taken together."""

ABREAST = 6
"""Metrics in a table, where they fit."""

_ROOMY = 110
"""On narrower terminals a row omits the begin of its step, and the cause of its end."""


def timeline_section(experiment: Experiment, options: Options, terminal: Terminal) -> list[str]:
    """Render the section; empty if there are no intermediate profiles."""
    steps = timeline(experiment, options.at_most(MOST_STEPS))
    if not steps:
        return []
    decimals = decimals_for([experiment.duration], 6)
    names = list(steps[0].parts)
    is_wide = terminal.width is None or terminal.width >= _ROOMY
    fields = [
        *([Field("from")] if is_wide else []),
        Field("to"),
        *([Field("by", right=False)] if is_wide else []),
        *(Field(f"{name}%") for name in names),
        Field(
            "busiest" if not is_wide else "busiest region", right=False, minimum=6, elastic="right"
        ),
        Field("own%"),
    ]
    rows = []
    for step in steps:
        shares = [(name, share(step.parts[name], step.total)) for name in names]
        region = step.busiest
        part = share(step.busiestT, step.total)
        rows.append(
            [
                *([Cell(seconds(step.begin, decimals))] if is_wide else []),
                Cell(seconds(step.end, decimals)),
                *([Cell(step.cause, "dim")] if is_wide else []),
                *(Cell(percent(s), "" if name in GOOD_PARTS else heat(s)) for name, s in shares),
                Cell(f"{region.id} {what(region)} {place(region)}" if region else ""),
                Cell(percent(part) if region else ""),
            ]
        )
    lines = [*table(terminal, fields, rows), *_counted(experiment, steps, decimals, terminal)]
    return [*lines, *_notes(experiment, len(steps), terminal)]


def _counted(
    experiment: Experiment, steps: Sequence[TimelineStep], decimals: int, terminal: Terminal
) -> list[str]:
    """Render the counts of all threads in each step."""
    if experiment.counters is None:
        return []
    lines: list[str] = []
    metrics = metrics_of(experiment.counters)
    times = len(seconds(experiment.duration, decimals))
    texts = [
        [counter_text(step.counted[i], metric) for step in steps]
        for i, metric in enumerate(metrics)
    ]
    widths = [
        [max(len(metric.name), *map(len, values))]
        for metric, values in zip(metrics, texts, strict=True)
    ]
    for columns in abreast(terminal, 2 * times + len(GAP), widths, ABREAST):
        fields = [Field("from"), Field("to"), *(Field(metrics[i].name) for i in columns)]
        rows = []
        for row, step in enumerate(steps):
            cells = [Cell(seconds(when, decimals)) for when in (step.begin, step.end)]
            rows.append(cells + [Cell(texts[i][row]) for i in columns])
        lines += ["", *table(terminal, fields, rows)]
    return lines


def _notes(experiment: Experiment, steps: int, terminal: Terminal) -> list[str]:
    notes = []
    snapshot_count = len(experiment.snapshots)
    if snapshot_count + 1 > steps:
        notes.append(f"{number(snapshot_count, 'profile')} in between; --all has them.")
    if experiment.dropped_snapshots:
        notes.append(f"{number(experiment.dropped_snapshots, 'profile')} more had no room.")
    unsettled = sum(1 for snapshot in experiment.snapshots if snapshot.unsettled)
    if unsettled:
        notes.append(
            f"{number(unsettled, 'profile')} copied while threads made events at every moment: "
            "values there are of slightly different moments."
        )
    lines = [line for note in notes for line in wrapped(note, terminal.width)]
    return [*([""] if lines else []), *(terminal.paint(line, "dim") for line in lines)]
