"""The run over time as text: a row for each step between profiles."""

from __future__ import annotations

from collections.abc import Sequence

from pomp_clang.analysis.counters import metrics_of
from pomp_clang.analysis.overheads import share
from pomp_clang.analysis.timeline import TimelineStep, timeline
from pomp_clang.experiment.model import Experiment
from pomp_clang.report.options import Options
from pomp_clang.report.phrases import decimals_for, number, percent, place, seconds, what, wrapped
from pomp_clang.report.terminal import Terminal, heat
from pomp_clang.report.text.counters import counter_text
from pomp_clang.report.text.table import GAP, Cell, Field, abreast, table
from pomp_clang.report.time_parts import GOOD

MOST = 24
"""Rows; of more profiles some are taken together."""

ABREAST = 6
"""Metrics in a table, where they fit."""

_ROOMY = 110
"""On narrower terminals a row omits the begin of its step, and the cause of its end."""


def timeline_section(experiment: Experiment, options: Options, terminal: Terminal) -> list[str]:
    """Render the section; empty if there are no intermediate profiles."""
    steps = timeline(experiment, options.at_most(MOST))
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
                *(Cell(percent(s), "" if name in GOOD else heat(s)) for name, s in shares),
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
