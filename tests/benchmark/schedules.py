"""Predicted times of loops under six schedules beside measured ones, for loops of many shapes.

Iterations spin for a processor time, as other work shares the machine; the programs run before that
work where that is allowed. The best predicted schedule is right if its measured time is within 5 %
of the least one.
"""

from __future__ import annotations

import os
import re
import statistics
import subprocess
import time
from pathlib import Path

from pomp_clang.analysis.schedules.loop_costs import ChunkCost, measure_chunk_cost
from pomp_clang.analysis.schedules.predict import (
    LoopPrediction,
    SchedulePrediction,
    best_of,
    predict_loops,
)
from pomp_clang.analysis.schedules.schedule import Schedule
from pomp_clang.experiment.reader import read
from pomp_clang.report.schedule_trials import TrialResult, try_schedules
from tests.benchmark.timing import HERE, POMP, at_once, output

SCHEDULES = (
    Schedule("static"),
    Schedule("static", 1),
    Schedule("static", 16),
    Schedule("dynamic", 1),
    Schedule("dynamic", 16),
    Schedule("guided", 1),
    Schedule("guided", 16),
)
THREADS = 2
_REPEATS = 3
_RIGHT = 1.05
_FILTER = "POMP_RULES_BEGIN\nITERATIONS file=schedules.c\nPOMP_RULES_END\n"
_PERIOD = 0.3
"""Seconds of rest before a program: the kernel stops what runs at once if it runs for too long."""


def schedules(compiler: str, folder: str) -> None:
    """Print a row for each shape, and how often the best predicted schedule was right."""
    rules, program = Path(folder, "loops.filter"), os.path.join(folder, f"schedules-{compiler}")
    rules.write_text(_FILTER)
    source = str(HERE / "schedules.c")
    options = [f"--pomp-filter={rules}", "--", compiler, "-fopenmp", "-O2", source, "-lm", "-o"]
    subprocess.run([POMP, *options, program], check=True)
    print(f"{compiler}: milliseconds of a loop, predicted and measured (median of {_REPEATS})")
    print(
        f"  {'':14}{'predicted best':>15}{'measured':>9}{'best':>12}{'measured':>9}{'ratio':>7}{'error':>8}"
    )
    cost: ChunkCost | None = None
    ratios = []
    for shape in re.findall(r'SHAPE\("([\w-]+)"', Path(source).read_text()):
        loop, cost = _recorded(program, shape, folder, cost)
        results = _trials(loop, program, shape)
        best = best_of([one for one in loop.by_schedule if one.schedule in SCHEDULES])
        ratios.append(_row(shape, best, results))
    right = sum(ratio <= _RIGHT for ratio in ratios)
    print(
        f"  best predicted within {_RIGHT - 1:.0%} of the best measured: {right} of {len(ratios)}"
    )


def _recorded(
    program: str, shape: str, folder: str, cost: ChunkCost | None
) -> tuple[LoopPrediction, ChunkCost]:
    """Return the prediction for a shape from one run with schedule(static)."""
    directory = os.path.join(folder, f"{os.path.basename(program)}-{shape}")
    settings = {"OMP_SCHEDULE": "static", "OMP_NUM_THREADS": str(THREADS)}
    time.sleep(_PERIOD)
    output([*at_once(), program, shape], folder, POMP_EXPERIMENT_DIR=directory, **settings)
    experiment = read(directory)
    cost = cost or measure_chunk_cost(experiment.openmp_runtime)
    return predict_loops(experiment, cost, extra=SCHEDULES)[0], cost


def _trials(loop: LoopPrediction, program: str, shape: str) -> list[TrialResult]:
    def rest(_: str, __: float) -> None:
        time.sleep(_PERIOD)

    os.environ["OMP_NUM_THREADS"] = str(THREADS)
    return try_schedules(loop, SCHEDULES, [*at_once(), program, shape], _REPEATS, rest)


def _row(shape: str, best: SchedulePrediction, results: list[TrialResult]) -> float:
    """Print a shape's row; return the measured time of the best predicted schedule over the least."""
    chosen = next(
        trial_result for trial_result in results if trial_result.schedule == best.schedule
    )
    fastest = min(results, key=lambda one: one.measured)
    ratio = chosen.measured / fastest.measured
    errors = [
        abs((trial_result.predicted or 0.0) / trial_result.measured - 1) for trial_result in results
    ]
    print(
        f"  {shape:14}{chosen.schedule.words():>15}{1e3 * chosen.measured:9.2f}"
        f"{fastest.schedule.words():>12}{1e3 * fastest.measured:9.2f}{ratio:7.3f}"
        f"{statistics.median(errors):8.1%}",
        flush=True,
    )
    return ratio
