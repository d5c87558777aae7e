"""Predicted remedies beside the remedies made: merged regions, an atomic, fewer tasks, dependences,
more threads."""

from __future__ import annotations

import json
import os
import shutil
import statistics
import subprocess
import time

from tests.benchmark.timing import HERE, POMP, at_once, figures, output

TURNS = 5
CASES = (
    ("regions", "one region", "merging"),
    ("critical", "atomic", "an atomic"),
    ("critical", "reduction", "a reduction"),
    ("tasks", "larger tasks", "no tasks"),
    ("rounds", "depend", "depend"),
)
"""The program's part, the remedy made, and the begin of the predicted change."""

_TEAM = {"OMP_NUM_THREADS": "2"}
_PERIOD = 0.3
"""Seconds of rest before a program: the kernel stops what runs at once if it runs for too long."""


def remedies(compiler: str, folder: str) -> None:
    """Print a row for each remedy: milliseconds of the measured program, predicted and made."""
    source, program = str(HERE / "remedies.c"), os.path.join(folder, "remedies")
    subprocess.run([POMP, "--", compiler, "-fopenmp", "-O1", source, "-o", program], check=True)
    print(f"{compiler}: milliseconds of a run, as it is and with a remedy, median of {TURNS}")
    print(f"  {'':24}{'as it is':>10}{'predicted':>11}{'made':>10}{'gained':>9}{'predicted':>11}")
    for case, remedy, change in CASES:
        _row(program, folder, case, remedy, change)
    _threads(program, folder)


def _threads(program: str, folder: str) -> None:
    """Predict from runs with one and two threads where the speed-up saturates, and run with so many."""
    command, places, was = [program, "threads"], [], []
    for number in (1, 2):
        places.append(os.path.join(folder, f"threads-{number}"))
        settings = {"OMP_NUM_THREADS": str(number), "POMP_EXPERIMENT_DIR": places[-1]}
        was.append(figures(output(command, folder, **settings))["seconds"])
    result = subprocess.run(
        [POMP, "scale", *places, "--format", "json"], check=True, capture_output=True, text=True
    )
    saturation = json.loads(result.stdout)["saturation"]
    measured = figures(output(command, folder, OMP_NUM_THREADS=str(saturation["threads"])))[
        "seconds"
    ]
    _print(f"threads: {saturation['threads']}", was[-1], saturation["predicted"], measured)


def _print(name: str, was: float, predicted: float, measured: float) -> None:
    print(
        f"  {name:24}{1e3 * was:10.2f}{1e3 * predicted:11.2f}{1e3 * measured:10.2f}"
        f"{(was - measured) / was:9.1%}{(was - predicted) / was:11.1%}",
        flush=True,
    )


def _row(program: str, folder: str, case: str, remedy: str, change: str) -> None:
    """Run the program as it is and with the remedy in turn, so that other work is the same."""
    before, repaired, predicted = [], [], []
    for _ in range(TURNS):
        seconds, prediction = _recorded([program, case], folder, change)
        before.append(seconds)
        predicted.append(seconds - prediction)
        repaired.append(_recorded([program, case, remedy], folder, "")[0])
    was, repaired_median, predicted_median = (
        statistics.median(times) for times in (before, repaired, predicted)
    )
    _print(f"{case}: {remedy}", was, predicted_median, repaired_median)


def _recorded(command: list[str], folder: str, change: str) -> tuple[float, float]:
    """Return the seconds of a recorded run, and those that the best remedy of that name would save."""
    directory = os.path.join(folder, "remedies-run")
    shutil.rmtree(directory, ignore_errors=True)
    time.sleep(_PERIOD)
    settings = {"POMP_TRACE": "1", "POMP_EXPERIMENT_DIR": directory, **_TEAM}
    seconds = figures(output([*at_once(), *command], folder, **settings))["seconds"]
    if not change:
        return seconds, 0.0
    result = subprocess.run(
        [POMP, "analyze", directory, "--format", "json", "--top", "20"],
        check=True, capture_output=True, text=True,
    )  # fmt: skip
    predictions = [
        one for cause in json.loads(result.stdout)["causes"] for one in cause["remedies"]
    ]
    saved = [
        one["recorded"] - one["predicted"]
        for one in predictions
        if one["change"].startswith(change)
    ]
    return seconds, max(saved, default=0.0)
