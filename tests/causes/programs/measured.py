"""A program built, run and analysed."""

from __future__ import annotations

import shutil
import subprocess
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from pomp_clang.causes.cube.cube import Cube, compute
from pomp_clang.causes.properties.registry import properties
from pomp_clang.causes.run.gather import gather
from pomp_clang.causes.run.run import Run
from pomp_clang.trace.reader import read

CXX = {"clang-19": "clang++-19", "gcc": "g++"}


@dataclass(frozen=True)
class Measured:
    """`seconds` is from the warm team to the end, `lost` the inefficiency on each thread, both by
    the program's own clock; `text` is its source."""

    run: Run
    cube: Cube
    seconds: float
    lost: tuple[float, float]
    text: str

    def line(self, mark: str) -> int:
        return next(
            (n for n, line in enumerate(self.text.split("\n"), 1) if f"/* {mark} */" in line), 0
        )


@cache
def _at_once() -> tuple[str, ...]:
    """Return the command that gives threads real-time priority, or nothing where this is not
    permitted.

    Threads then wake in time, whatever else the machine does. They are scheduled in turns:
    otherwise a thread that polls for another's action would never let the other run.
    """
    command = ("chrt", "--rr", "50")
    if (
        not shutil.which("chrt")
        or subprocess.run([*command, "true"], capture_output=True).returncode
    ):
        return ()
    return command


def build(compiler: str, text: str, folder: Path, is_cxx: bool = False, *pomp_options: str) -> None:
    """Build `app` in the folder, with options of ours."""
    folder.mkdir(parents=True, exist_ok=True)
    name = "app.cpp" if is_cxx else "app.c"
    (folder / name).write_text(text)
    compiler = CXX[compiler] if is_cxx else compiler
    command = ["pomp-clang", *pomp_options, "--", compiler, "-fopenmp", "-O1", name, "-o", "app"]
    subprocess.run(command, cwd=folder, check=True)


def traced(folder: Path, name: str = "run") -> tuple[str, Run]:
    """Return the program's output, and its trace in an experiment of this name."""
    environment = {"POMP_EXPERIMENT_DIR": name, "POMP_TRACE": "1", "OMP_WAIT_POLICY": "passive"}
    environment["OMP_CANCELLATION"] = "true"
    result = subprocess.run(
        [*_at_once(), "env", *(f"{key}={value}" for key, value in environment.items()), "./app"],
        cwd=folder,
        check=True,
        capture_output=True,
        text=True,
        timeout=120,
    )
    return result.stdout, gather(read(str(folder / name)))


def measure(text: str, folder: Path, name: str = "run") -> Measured:
    """Return the measurement of the program that was built in the folder."""
    output, run = traced(folder, name)
    seconds, *lost = map(float, output.split())
    return Measured(run, compute(run, properties()), seconds, (lost[0], lost[1]), text)
