"""The verb `try`: from the request to predicted times beside measured ones."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from pomp_clang.analysis.properties import lasting
from pomp_clang.analysis.schedules.chunk_cost import measure_chunk_cost
from pomp_clang.analysis.schedules.predict import LoopPrediction, predict_loops
from pomp_clang.analysis.schedules.schedule import Schedule
from pomp_clang.progress import Bar
from pomp_clang.report.output import ReportError, deliver, experiment_at, terminal_for
from pomp_clang.report.phrases import number, where
from pomp_clang.report.schedules.trial import (
    TrialError,
    TrialResult,
    schedules_to_try,
    try_schedules,
)
from pomp_clang.report.schedules.write import nothing_recorded
from pomp_clang.report.terminal import Terminal
from pomp_clang.report.text.table import Cell, Field, table

_COLUMNS = [
    Field("schedule", right=False),
    Field("predicted"),
    Field("measured"),
    Field("difference"),
]


@dataclass(frozen=True, slots=True)
class TrialRequest:
    """The options of the command line; `region` None is the loop with most to gain."""

    directory: str
    command: tuple[str, ...]
    region: str | None
    schedules: tuple[Schedule, ...]
    number: int
    repeats: int
    format: str
    color: str


def write_trial(request: TrialRequest) -> None:
    """Write the table of a trial.  Raises `ReportError`."""
    experiment = experiment_at(request.directory)
    cost = measure_chunk_cost(experiment.openmp_runtime)
    loops = predict_loops(experiment, cost, extra=request.schedules)
    if not loops:
        raise ReportError(nothing_recorded(experiment))
    loop = _loop_to_try(loops, request.region)
    schedules = schedules_to_try(loop, request.number, request.schedules)
    try:
        with Bar("try") as progress:
            results = try_schedules(loop, schedules, request.command, request.repeats, progress)
    except TrialError as error:
        raise ReportError(str(error)) from None
    if request.format == "json":
        deliver(json.dumps(_as_json(loop, results), indent=2) + "\n", None)
    else:
        lines = _as_text(loop, results, request.repeats, terminal_for(None, request.color))
        deliver("\n".join(lines) + "\n", None)


def _loop_to_try(loops: Sequence[LoopPrediction], region: str | None) -> LoopPrediction:
    if region is None:
        return loops[0]
    for loop in loops:
        if loop.region.id == region:
            return loop
    known = ", ".join(loop.region.id for loop in loops)
    raise ReportError(f"no iterations of {region} were recorded: name one of {known}")


def best_measured(results: Sequence[TrialResult]) -> TrialResult:
    """Return the result with the least measured time."""
    return min(results, key=lambda trial: trial.measured)


def _as_text(
    loop: LoopPrediction, results: Sequence[TrialResult], repeats: int, terminal: Terminal
) -> list[str]:
    rows = [
        _row(trial_result) for trial_result in sorted(results, key=lambda trial: trial.measured)
    ]
    best = best_measured(results)
    return [
        terminal.paint(where(loop.region), "strong"),
        f"  {number(loop.threads, 'thread')}, median of {number(repeats, 'run')} each",
        *(f"  {line}" for line in table(terminal, _COLUMNS, rows)),
        f"  fastest: {best.schedule.clause}, {lasting(best.measured)}",
    ]


def _row(trial: TrialResult) -> list[Cell]:
    predicted = lasting(trial.predicted) if trial.predicted is not None else "-"
    difference = ""
    if trial.predicted and trial.measured:
        difference = f"{100 * (trial.predicted / trial.measured - 1):+.1f} %"
    return [
        Cell(trial.schedule.words()),
        Cell(predicted),
        Cell(lasting(trial.measured)),
        Cell(difference),
    ]


def _as_json(loop: LoopPrediction, results: Sequence[TrialResult]) -> dict[str, Any]:
    region = loop.region
    return {
        "format": "pomp-clang try 1",
        "region": region.id,
        "kind": region.kind,
        "file": region.file,
        "begin_line1": region.begin_line1,
        "threads": loop.threads,
        "best": best_measured(results).schedule.words(),
        "schedules": [
            {
                "schedule": trial_result.schedule.words(),
                "predicted": trial_result.predicted,
                "measured": trial_result.measured,
                "runs": list(trial_result.runs),
            }
            for trial_result in results
        ],
    }
