"""Programs built with their implied barriers one way or the other, and what their runs left."""

from __future__ import annotations

import os
import re
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest

from pomp_clang.experiment.model import Experiment, Measured
from pomp_clang.experiment.reader import read
from tests.compilers import links_openmp

PROGRAMS = Path(__file__).parent / "programs"
MODES = ("arrival", "explicit", "ompt")
LATE = 0.05
"""Seconds, in the programs."""
Construct = tuple[str, str]
"""Its kind, and the function that it stands in."""


@dataclass(frozen=True)
class RunResult:
    experiment: Experiment
    folder: Path

    def rows(self, construct: Construct) -> list[Measured]:
        regions = {r.id for r in self.experiment.regions if (r.kind, r.function) == construct}
        assert regions
        return [m for (ident, _), m in self.experiment.profile.items() if ident in regions]

    def total(self, construct: Construct, column: str) -> float:
        return sum(float(getattr(m, column)) for m in self.rows(construct))

    def report(self, form: str = "text") -> str:
        command = ["pomp-clang", "report", str(self.folder / "run"), "--all", "--format", form]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def command(source: str, output: Path | str, *options: str) -> list[str]:
    return ["clang-19", "-fopenmp", "-O1", str(PROGRAMS / source), "-o", str(output), *options]


def build(folder: Path, source: str, *pomp_options: str, options: tuple[str, ...] = ()) -> Path:
    return build_by(["pomp-clang", "--pomp-strict", *pomp_options, "--"], folder, source, options)


def build_by(launcher: list[str], folder: Path, source: str, options: tuple[str, ...] = ()) -> Path:
    if not links_openmp("clang-19"):
        pytest.skip("clang-19 is not here, or has no OpenMP runtime")
    program = folder / "program"
    result = subprocess.run(
        launcher + command(source, program, *options), capture_output=True, text=True
    )
    assert (result.returncode, result.stderr) == (0, "")
    return program


def start(program: Path, folder: Path, text: str = "", **environment: str) -> None:
    clean = {k: v for k, v in os.environ.items() if not k.startswith(("POMP_", "OMP_"))}
    settings = {"POMP_EXPERIMENT_DIR": "run", "OMP_CANCELLATION": "true"} | environment
    result = subprocess.run(
        [str(program)], cwd=folder, env=clean | settings, capture_output=True, text=True, timeout=60
    )
    assert (result.returncode, result.stdout, result.stderr) == (0, text, "")


def run(program: Path, folder: Path, **environment: str) -> RunResult:
    start(program, folder, **environment)
    return RunResult(read(str(folder / "run")), folder)


def calls_of_barriers(folder: Path, source: str, *launcher: str) -> int:
    text = folder / "text.ll"
    command_ = [*launcher, *command(source, text, "-S", "-emit-llvm")]
    subprocess.run(command_, check=True, capture_output=True)
    return len(re.findall(r"call \w+ @__kmpc_(?:cancel_)?barrier\(", text.read_text()))


def library(folder: Path, source: str) -> str:
    """Build a library of the programs' to load before the OpenMP runtime."""
    library_file = folder / "library.so"
    options = ["-D_GNU_SOURCE", "-shared", "-fPIC", "-o", str(library_file)]
    subprocess.run(["clang-19", str(PROGRAMS / source), *options], check=True)
    return str(library_file)
