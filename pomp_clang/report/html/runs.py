"""Where the time of several runs went: a bar and a row of shares for each part."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pomp_clang.analysis.overheads import share
from pomp_clang.analysis.properties import lasting
from pomp_clang.analysis.run import Run
from pomp_clang.report.html.bars import Segment, bar
from pomp_clang.report.parts import shown_parts
from pomp_clang.report.wording import percent, until


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


def run_view(label: str, run: Run, whole: float) -> RunView:
    e = run.experiment
    values = run.parts()
    parts = [(part.style, values[part.key]) for part in shown_parts(values)]
    return RunView(
        label,
        e.directory,
        e.program,
        e.start,
        until(lasting(e.duration), e.complete),
        run.threads,
        e.complete,
        bar(parts, whole),
    )


def part_rows(runs: Sequence[Run]) -> list[tuple[str, str, list[tuple[str, str]]]]:
    """For each part its style, its name, and time and share in each run."""
    rows = []
    for part in shown_parts(*(run.parts() for run in runs)):
        cells = []
        for run in runs:
            value = run.parts()[part.key]
            cells.append((lasting(value), percent(share(value, run.analysis.totalT))))
        rows.append((part.style, part.name, cells))
    return rows
