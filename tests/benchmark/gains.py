"""Predicted gains beside real ones: an uneven loop, a contended critical and a serial phase, and the
same programs without them."""

from __future__ import annotations

import json
import os
import shutil
import statistics
import subprocess
import time

from tests.benchmark.timing import HERE, POMP, at_once, figures, output

TURNS = 5
CASES = {
    "uneven": "Wait at Barrier",
    "critical": "Contention",
    "serial": "Idle Threads",
}
_TEAM = {"OMP_NUM_THREADS": "2"}
_PERIOD = 1.0
"""Seconds; in one the kernel lets what runs at once do so for 0.95 (sched_rt_runtime_us)."""


def gains(compiler: str, folder: str) -> None:
    source = str(HERE / "gains.c")
    options = [compiler, "-fopenmp", "-O1", "-Wno-unknown-pragmas", source, "-o"]
    plain, traced = (os.path.join(folder, name) for name in ("plain", "recorded"))
    subprocess.run([*options, plain], check=True)
    subprocess.run([POMP, "--", *options, traced], check=True)
    print(f"{compiler}: seconds that a program gains, median of {TURNS}")
    print(f"  {'':12}{'as it is':>10}{'fixed':>10}{'gained':>10}{'predicted':>11}{'off by':>9}")
    for case, cause in CASES.items():
        _row(plain, traced, folder, case, cause)


def _row(plain: str, traced: str, folder: str, case: str, cause: str) -> None:
    """Run the programs in turn, so that other work of the machine is the same for all."""
    before, after, predicted = [], [], []
    for _ in range(TURNS):
        before.append(_seconds([plain, case], folder))
        after.append(_seconds([plain, case, "fixed"], folder))
        predicted.append(_predicted(traced, folder, case, cause))
    gained = statistics.median(before) - statistics.median(after)
    predicted_median = statistics.median(predicted)
    print(
        f"  {case:12}{statistics.median(before):10.4f}{statistics.median(after):10.4f}"
        f"{gained:10.4f}{predicted_median:11.4f}{(predicted_median - gained) / gained:+9.1%}"
    )


def _seconds(command: list[str], folder: str) -> float:
    return figures(_run(command, folder))["seconds"]


def _predicted(program: str, folder: str, case: str, cause: str) -> float:
    directory = os.path.join(folder, f"gains-{case}")
    shutil.rmtree(directory, ignore_errors=True)
    settings = {"POMP_TRACE": "1", "POMP_EXPERIMENT_DIR": directory}
    _run([program, case], folder, **settings)
    result = subprocess.run(
        [POMP, "analyze", directory, "--format", "json"], check=True, capture_output=True, text=True
    )
    causes = json.loads(result.stdout)["causes"]
    return max((row["gain"] or 0.0 for row in causes if row["name"] == cause), default=0.0)


def _run(command: list[str], folder: str, **settings: str) -> str:
    """Run a command after a period of rest, so that its share of the processor is unused."""
    time.sleep(_PERIOD)
    return output([*at_once(), *command], folder, **_TEAM, **settings)
