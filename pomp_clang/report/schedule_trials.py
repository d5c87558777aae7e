"""The verb `try`: from the request to predicted times beside measured ones.

A trial runs a program with several schedules, and reads a loop's times from its profiles."""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from pomp_clang.analysis.properties import lasting
from pomp_clang.analysis.schedules.loop_costs import measure_chunk_cost
from pomp_clang.analysis.schedules.predict import LoopPrediction, predict_loops
from pomp_clang.analysis.schedules.schedule import STATIC, Schedule
from pomp_clang.experiment import ExperimentError
from pomp_clang.experiment.find import processes
from pomp_clang.experiment.model import Experiment, Region
from pomp_clang.experiment.reader import read
from pomp_clang.progress import Bar
from pomp_clang.report.output import ReportError, deliver, experiment_at, terminal_for
from pomp_clang.report.phrases import number, where
from pomp_clang.report.schedule_predictions import nothing_recorded
from pomp_clang.report.terminal import Terminal
from pomp_clang.report.text.table import Cell, Field, table


class TrialError(Exception):
    """Why a trial is impossible, in one line."""


@dataclass(frozen=True, slots=True)
class TrialResult:
    """A schedule's predicted seconds, None if it was not predicted, and those of each run."""

    schedule: Schedule
    predicted: float | None
    runs: tuple[float, ...]

    @property
    def measured(self) -> float:
        """The median of the runs."""
        return statistics.median(self.runs)


def schedules_to_try(
    loop: LoopPrediction, number: int, named: Sequence[Schedule] = ()
) -> list[Schedule]:
    """Return the schedules that were named; else static, the source's and the best ones, of each
    kind one before a second: at most `number`."""
    if named:
        return list(named)
    first: dict[str, Schedule] = {}
    for prediction in loop.by_schedule:
        first.setdefault(prediction.schedule.kind, prediction.schedule)
    known = [loop.current] if loop.current is not None else []
    others = [prediction.schedule for prediction in loop.by_schedule]
    return list(dict.fromkeys([STATIC, *known, *first.values(), *others]))[:number]


def try_schedules(
    loop: LoopPrediction,
    schedules: Sequence[Schedule],
    command: Sequence[str],
    repeats: int,
    progress: Callable[[str, float], None],
) -> list[TrialResult]:
    """Run the command with each schedule in turn, `repeats` times.  Raises `TrialError`."""
    runs: dict[Schedule, list[float]] = {schedule: [] for schedule in schedules}
    with tempfile.TemporaryDirectory(prefix="pomp-clang-") as folder:
        for turn in range(repeats):
            for number, schedule in enumerate(schedules):
                progress("try", (turn + number / len(schedules)) / repeats)
                directory = os.path.join(folder, f"{turn}-{number}")
                runs[schedule].append(_seconds(loop, schedule, command, directory))
    predicted = {prediction.schedule: prediction.seconds for prediction in loop.by_schedule}
    return [
        TrialResult(schedule, predicted.get(schedule), tuple(runs[schedule]))
        for schedule in schedules
    ]


def _seconds(
    loop: LoopPrediction, schedule: Schedule, command: Sequence[str], directory: str
) -> float:
    """Return the seconds of the loop in a run of the command."""
    environment = {
        "OMP_NUM_THREADS": str(loop.threads),
        **os.environ,
        "OMP_SCHEDULE": schedule.words(),
        "POMP_ITERATIONS": "0",
        "POMP_EXPERIMENT_DIR": directory,
        "POMP_TRACE": "0",
    }
    try:
        completed = subprocess.run(
            command, env=environment, stdin=subprocess.DEVNULL, capture_output=True, check=False
        )
    except OSError as error:
        raise TrialError(f"{command[0]}: {error.strerror}: name the instrumented program") from None
    if completed.returncode:
        raise TrialError(
            f"{command[0]}: status {completed.returncode} with OMP_SCHEDULE={schedule.words()}: "
            "it has to run without input and end with status 0"
        )
    return _of_loop(_experiment(directory, command[0]), loop.region, command[0])


def _experiment(directory: str, program: str) -> Experiment:
    try:
        ranks = processes(directory)
        if ranks:
            raise TrialError(f"{program}: starts several processes: name a command that starts one")
        return read(directory)
    except ExperimentError:
        raise TrialError(
            f"{program}: left no experiment: build it with pomp-clang, and a filter of "
            "`pomp-clang schedules --filter FILE --runtime-schedule`"
        ) from None


def _of_loop(experiment: Experiment, loop_region: Region, program: str) -> float:
    """Return a loop's seconds from the first thread's start to the last thread's end, over all
    executions."""
    same_place = [region for region in experiment.regions if _place(region) == _place(loop_region)]
    place = f"{loop_region.file}:{loop_region.begin_line1}"
    if not same_place:
        raise TrialError(f"{place}: {program} has no such loop: name the program of the experiment")
    if "schedule(runtime)" not in same_place[0].clauses.replace(" ", ""):
        raise TrialError(
            f"{place}: the loop is not schedule(runtime), so OMP_SCHEDULE has no effect: build with "
            "a filter of `pomp-clang schedules --filter FILE --runtime-schedule`"
        )
    rows = [sums for (ident, _), sums in experiment.profile.items() if ident == same_place[0].id]
    if not rows:
        raise TrialError(f"{place}: the loop did not run: name the command of the experiment")
    return max(sums.bodyT + sums.exitBarT for sums in rows)


def _place(region: Region) -> tuple[str, str, int, int]:
    return region.kind, region.file, region.begin_line1, region.begin_column


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
