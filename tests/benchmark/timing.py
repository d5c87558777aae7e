"""Commands that are run and timed; what all parts of the benchmark share."""

from __future__ import annotations

import os
import shutil
import statistics
import subprocess
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

HERE = Path(__file__).parent
EXAMPLES = HERE.parents[1] / "examples"
POMP = shutil.which("pomp-clang") or "pomp-clang"


def wall(command: Sequence[str]) -> float:
    """Return the seconds of one run of a command."""
    begin = time.perf_counter()
    subprocess.run(command, check=True, capture_output=True)
    return time.perf_counter() - begin


def pair(plain: Sequence[str], ours: Sequence[str], turns: int) -> tuple[float, float]:
    """Return the median seconds of two commands run in turn, after one turn that does not count."""
    times = [(wall(plain), wall(ours)) for _ in range(turns + 1)][1:]
    return statistics.median(t[0] for t in times), statistics.median(t[1] for t in times)


def output(command: Sequence[str], folder: str, **environment: str) -> str:
    """Return the output of a program, whose experiment gets a directory of its own."""
    number = len(os.listdir(folder))
    settings = {"POMP_EXPERIMENT_DIR": os.path.join(folder, f"experiment-{number}"), **environment}
    done = subprocess.run(
        command, env=os.environ | settings, check=True, capture_output=True, text=True, cwd=folder
    )
    return done.stdout


def figures(said: str) -> dict[str, float]:
    """Parse lines of a name and a number."""
    return {name: float(value) for name, value in map(str.split, said.splitlines())}


def medians(runs: Sequence[Mapping[str, float]]) -> dict[str, float]:
    """Return the median of each figure over several runs."""
    return {name: statistics.median(run[name] for run in runs) for name in runs[0]}


def at_once() -> list[str]:
    """Return the command that gives both threads a processor despite other work, if that is allowed."""
    command = ["chrt", "-f", "50"]
    if not shutil.which("chrt"):
        return []
    done = subprocess.run([*command, "true"], capture_output=True)
    return [] if done.returncode else command
