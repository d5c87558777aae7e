"""A program as it is and measured, side by side: it must behave alike, whatever it does."""

from __future__ import annotations

import os
import subprocess
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import pytest

from pomp_clang.experiment.model import Experiment
from pomp_clang.experiment.reader import read
from tests.compilers import links_openmp

PROGRAMS = Path(__file__).parent / "programs"
COMPILERS = {"clang": {".c": "clang-19", ".cpp": "clang++-19"}, "gcc": {".c": "gcc", ".cpp": "g++"}}
SETTINGS = {"OMP_NUM_THREADS": "2", "OMP_DYNAMIC": "false"}


@dataclass(frozen=True, slots=True)
class Ended:
    """How a process ended and what it wrote."""

    status: int
    out: str
    err: str


def execute(command: list[str], folder: Path, **environment: str) -> Ended:
    clean = {k: v for k, v in os.environ.items() if not k.startswith(("POMP_", "OMP_"))}
    result = subprocess.run(
        command,
        cwd=folder,
        env=clean | SETTINGS | environment,
        capture_output=True,
        text=True,
        timeout=120,
    )
    return Ended(result.returncode, result.stdout, result.stderr)


def require(compiler: str) -> str:
    """Return a key of `COMPILERS`, or skip the test."""
    for command in COMPILERS[compiler].values():
        if not links_openmp(command):
            pytest.skip(f"{command} is not here, or has no OpenMP runtime")
    return compiler


@dataclass(frozen=True, slots=True)
class Both:
    """The two programs, each in a folder of its own."""

    compiler: str
    folder: Path
    options: tuple[str, ...] = ()
    """Of pomp-clang."""

    def build(self, source: str | Path, name: str, *options: str, plain: bool = False) -> None:
        """Compile and link it twice; `plain` leaves the second uninstrumented as well."""
        path = PROGRAMS / source
        compiler = COMPILERS[self.compiler][path.suffix]
        for kind, launcher in (
            ("native", []),
            ("measured", ["pomp-clang", "--pomp-strict", *self.options, "--"]),
        ):
            folder = self.folder / kind
            folder.mkdir(exist_ok=True)
            command = [compiler, "-fopenmp", "-O1", str(path), "-o", name, *options]
            ended = execute(([] if plain else launcher) + command, folder)
            assert ended == Ended(0, "", ""), ended.err

    def run(self, *command: str, **environment: str) -> Ended:
        """Run both programs, check that they end alike, and return the measured one's end."""
        native = execute(list(command), self.folder / "native")
        measured = self.measure(*command, **environment)
        assert measured == native
        return measured

    def measure(self, *command: str, **environment: str) -> Ended:
        settings = {"POMP_EXPERIMENT_DIR": "run"} | environment
        return execute(list(command), self.folder / "measured", **settings)

    def experiments(self) -> list[Experiment]:
        """Return the program's own experiment first, then those of processes that it forked."""
        return [read(str(path)) for path in sorted((self.folder / "measured").glob("run*"))]


def visits(experiment: Experiment) -> Counter[str]:
    """Return the number of executions of each kind of region, by all threads together."""
    counter: Counter[str] = Counter()
    kinds = {region.id: region.sub_name or region.kind for region in experiment.regions}
    for (region, _), measured in experiment.profile.items():
        counter[kinds[region]] += measured.execC
    return counter
