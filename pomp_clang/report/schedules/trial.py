"""Trials: a program is run with several schedules, and a loop's times are read from its profiles."""

from __future__ import annotations

import os
import statistics
import subprocess
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from pomp_clang.analysis.schedules.predict import LoopPrediction
from pomp_clang.analysis.schedules.schedule import STATIC, Schedule
from pomp_clang.experiment.errors import ExperimentError
from pomp_clang.experiment.find import processes
from pomp_clang.experiment.model import Experiment, Region
from pomp_clang.experiment.reader import read


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
