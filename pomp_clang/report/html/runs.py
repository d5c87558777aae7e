"""The parts of several runs' time: a bar per run and a row of shares per part."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pomp_clang.analysis.overheads import share
from pomp_clang.analysis.properties import lasting
from pomp_clang.analysis.run import AnalyzedRun
from pomp_clang.report.comparison_notes import LabeledRun, comparison_notes
from pomp_clang.report.html.bars import Segment, bar, time_parts
from pomp_clang.report.phrases import percent, until
from pomp_clang.report.time_parts import shown_parts


@dataclass(frozen=True, slots=True)
class RunView:
    """`bar` is of `whole`: of the run's own total, or of another's."""

    label: str
    directory: str
    program: str
    start: str
    duration: str
    threads: int
    complete: bool
    bar: tuple[Segment, ...]


def run_view(label: str, run: AnalyzedRun, total: float) -> RunView:
    experiment = run.experiment
    values = run.parts()
    return RunView(
        label,
        experiment.directory,
        experiment.program,
        experiment.start,
        until(lasting(experiment.duration), experiment.complete),
        run.threads,
        experiment.complete,
        bar(time_parts(values, shown_parts(values)), total),
    )


def trust_notes(runs: Sequence[LabeledRun]) -> list[str]:
    """Return the sentences of the banner: what each run lacks, then what makes times misleading."""
    return [note.text for note in comparison_notes(runs)]


def part_rows(runs: Sequence[AnalyzedRun]) -> list[tuple[str, str, list[tuple[str, str]]]]:
    """List for each part its style, its name, and its time and share in each run."""
    rows = []
    for part in shown_parts(*(run.parts() for run in runs)):
        cells = []
        for run in runs:
            value = run.parts()[part.key]
            cells.append((lasting(value), percent(share(value, run.analysis.totalT))))
        rows.append((part.style, part.name, cells))
    return rows
