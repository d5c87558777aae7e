"""The run over time as text: a row for each step between profiles."""

from __future__ import annotations

from collections.abc import Sequence

from pomp_clang.analysis.counters import metrics_of
from pomp_clang.analysis.overheads import share
from pomp_clang.analysis.timeline import Step, timeline
from pomp_clang.experiment.model import Experiment
from pomp_clang.report.options import Options
from pomp_clang.report.parts import GOOD
from pomp_clang.report.table import Cell, Field, table
from pomp_clang.report.terminal import Terminal, heat
from pomp_clang.report.text_counters import said_of
from pomp_clang.report.wording import decimals_for, number, percent, place, seconds, what

MOST = 24
"""Rows; of more profiles some are taken together."""

ABREAST = 6
"""Metrics in a table."""


def timeline_section(experiment: Experiment, options: Options, terminal: Terminal) -> list[str]:
    """None where there are no profiles in between."""
    steps = timeline(experiment, options.at_most(MOST))
    if not steps:
        return []
    decimals = decimals_for([experiment.duration], 6)
    names = list(steps[0].parts)
    fields = [
        Field("from"),
        Field("to"),
        Field("by", right=False),
        *(Field(f"{name}%") for name in names),
        Field("busiest region", right=False, least=14, elastic="right"),
        Field("own%"),
    ]
    rows = []
    for step in steps:
        shares = [(name, share(step.parts[name], step.total)) for name in names]
        region = step.busiest
        own = share(step.busiestT, step.total)
        rows.append(
            [
                Cell(seconds(step.begin, decimals)),
                Cell(seconds(step.end, decimals)),
                Cell(step.cause, "dim"),
                *(Cell(percent(s), "" if name in GOOD else heat(s)) for name, s in shares),
                Cell(f"{region.id} {what(region)} {place(region)}" if region else ""),
                Cell(percent(own) if region else ""),
            ]
        )
    lines = [*table(terminal, fields, rows), *_counted(experiment, steps, decimals, terminal)]
    return [*lines, *_notes(experiment, len(steps), terminal)]


def _counted(
    experiment: Experiment, steps: Sequence[Step], decimals: int, terminal: Terminal
) -> list[str]:
    """What was counted in each step, by all threads."""
    if experiment.counters is None:
        return []
    lines: list[str] = []
    metrics = metrics_of(experiment.counters)
    for first in range(0, len(metrics), ABREAST):
        shown = range(first, min(first + ABREAST, len(metrics)))
        fields = [Field("from"), Field("to"), *(Field(metrics[i].name) for i in shown)]
        rows = []
        for step in steps:
            cells = [Cell(seconds(when, decimals)) for when in (step.begin, step.end)]
            rows.append(cells + [Cell(said_of(step.counted[i], metrics[i])) for i in shown])
        lines += ["", *table(terminal, fields, rows)]
    return lines


def _notes(experiment: Experiment, steps: int, terminal: Terminal) -> list[str]:
    notes = []
    taken = len(experiment.snapshots)
    if taken + 1 > steps:
        notes.append(f"{number(taken, 'profile')} in between; --all has them.")
    if experiment.dropped_snapshots:
        notes.append(f"{number(experiment.dropped_snapshots, 'profile')} more had no room.")
    unsettled = sum(1 for each in experiment.snapshots if each.unsettled)
    if unsettled:
        notes.append(
            f"{number(unsettled, 'profile')} copied while threads made events at every moment: "
            "values there are of slightly different moments."
        )
    return [*([""] if notes else []), *(terminal.paint(note, "dim") for note in notes)]
