"""One command, run natively and instrumented, each in a folder of its own with the same names."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

import pytest

from tests.compilers import links_openmp

PROGRAMS = Path(__file__).parent / "programs"
COMPILERS = ("clang-19", "gcc", "clang++-19", "g++")
CXX_COMPILERS = COMPILERS[2:]


@dataclass(frozen=True, slots=True)
class CommandResult:
    """How a command ended in one of the folders."""

    folder: Path
    status: int
    out: str
    err: str


def _run(
    command: list[str], folder: Path, settings: Mapping[str, str] = MappingProxyType({})
) -> CommandResult:
    clean = {k: v for k, v in os.environ.items() if not k.startswith(("POMP_", "OMP_"))}
    environment = {
        **clean,
        "LC_ALL": "C",
        "OMP_NUM_THREADS": "2",
        "OMP_DYNAMIC": "false",
        "POMP_EXPERIMENT_DIR": str(folder.parent / "experiment"),
        **settings,
    }
    result = subprocess.run(command, cwd=folder, env=environment, capture_output=True, timeout=120)
    return CommandResult(folder, result.returncode, result.stdout.decode(), result.stderr.decode())


class Pair:
    """The folders of the native and the instrumented build; `environment` applies to the commands
    that run in them.
    """

    def __init__(self, root: Path) -> None:
        self.environment: dict[str, str] = {}
        self.folders = (root / "native" / "work", root / "instrumented" / "work")
        for folder in self.folders:
            folder.mkdir(parents=True)
            shutil.copytree(PROGRAMS, folder / "src")

    def both(
        self, *command: str, pomp_options: Sequence[str] = ()
    ) -> tuple[CommandResult, CommandResult]:
        """Run a compiler's command natively and through pomp-clang."""
        native, instrumented = self.folders
        plain = _run([*command, "-D_POMP=202611"], native)
        return plain, _run(["pomp-clang", *pomp_options, "--", *command], instrumented)

    def compile(self, *command: str) -> tuple[CommandResult, CommandResult]:
        """Run a compiler's command in both folders, and check that it succeeds and that pomp-clang
        measures all constructs.
        """
        plain, result = self.both(*command, pomp_options=["--pomp-strict"])
        assert plain.status == 0, plain.err
        assert (result.status, result.out, result.err) == (plain.status, plain.out, plain.err)
        return plain, result

    def run(self, *command: str) -> tuple[CommandResult, CommandResult]:
        """Run a built program, or a tool that inspects the built files, in both folders."""
        native, instrumented = (
            _run(list(command), folder, self.environment) for folder in self.folders
        )
        return native, instrumented


def require(compiler: str, *flags: str) -> None:
    """Skip, aloud, without the compiler or without what its flags need."""
    if not links_openmp(compiler):
        pytest.skip(f"{compiler} with its OpenMP runtime is not here")
    command = [compiler, "-fopenmp", *flags, "-x", "c", "-", "-o", "app"]
    with tempfile.TemporaryDirectory() as folder:  # coverage writes files beside its output
        program = b"int main(void) { return 0; }"
        result = subprocess.run(command, cwd=folder, input=program, capture_output=True)
    if result.returncode:
        pytest.skip(f"{compiler} cannot link with {' '.join(flags)} here")
