"""A program built, run and analysed."""

from __future__ import annotations

import shutil
import subprocess
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from pomp_clang.causes.cube import Cube, compute
from pomp_clang.causes.registry import properties
from pomp_clang.causes.run import Run, gather
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
    """What wakes threads when they have slept, whatever else the machine does; where it may.  In
    turns: else a thread that looks for what another is to do would never let it run."""
    command = ("chrt", "--rr", "50")
    if (
        not shutil.which("chrt")
        or subprocess.run([*command, "true"], capture_output=True).returncode
    ):
        return ()
    return command


def build(compiler: str, text: str, folder: Path, is_cxx: bool = False, *ours: str) -> None:
    """As `app` in the folder, with options of ours."""
    folder.mkdir(parents=True, exist_ok=True)
    name = "app.cpp" if is_cxx else "app.c"
    (folder / name).write_text(text)
    compiler = CXX[compiler] if is_cxx else compiler
    command = ["pomp-clang", *ours, "--", compiler, "-fopenmp", "-O1", name, "-o", "app"]
    subprocess.run(command, cwd=folder, check=True)


def traced(folder: Path, name: str = "run") -> tuple[str, Run]:
    """What it said, and its trace, in an experiment of this name."""
    environment = {"POMP_EXPERIMENT_DIR": name, "POMP_TRACE": "1", "OMP_WAIT_POLICY": "passive"}
    environment["OMP_CANCELLATION"] = "true"
    ran = subprocess.run(
        [*_at_once(), "env", *(f"{key}={value}" for key, value in environment.items()), "./app"],
        cwd=folder,
        check=True,
        capture_output=True,
        text=True,
        timeout=120,
    )
    return ran.stdout, gather(read(str(folder / name)))


def measure(text: str, folder: Path, name: str = "run") -> Measured:
    """Of what was built there."""
    said, run = traced(folder, name)
    seconds, *lost = map(float, said.split())
    return Measured(run, compute(run, properties()), seconds, (lost[0], lost[1]), text)
