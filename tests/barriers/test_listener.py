"""An OpenMP tool of the program's own hears of the program, and nothing of what the runtime tries
to learn its own cost."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from pomp_clang.experiment.reader import read
from tests.barriers.harness import MODES, PROGRAMS, build, start
from tests.compilers import links_openmp

LISTENER = str(PROGRAMS / "listener.c")
HEARD = "6 criticals, 2 masters\n"
RUNTIMES = ("shared", "static")
RUNS = 3


def _outcome(folder: Path) -> tuple[bool, bool]:
    costs = read(str(folder / "run")).costs
    assert costs is not None
    return costs.critical > 0, costs.master > 0


def _library(folder: Path) -> Path:
    if not links_openmp("clang-19"):
        pytest.skip("clang-19 is not here, or has no OpenMP runtime")
    library = folder / "liblistener.so"
    subprocess.run(["clang-19", "-shared", "-fPIC", LISTENER, "-o", str(library)], check=True)
    return library


@pytest.mark.parametrize("runtime", RUNTIMES)
@pytest.mark.parametrize("mode", MODES)
def test_in_the_program(tmp_path: Path, mode: str, runtime: str) -> None:
    pomp_options = (f"--pomp-barriers={mode}", f"--pomp-runtime={runtime}")
    program = build(tmp_path, "blocks.c", *pomp_options, options=(LISTENER,))
    start(program, tmp_path, HEARD)
    assert _outcome(tmp_path) == (False, False)


@pytest.mark.parametrize("mode", MODES)
def test_in_a_library(tmp_path: Path, mode: str) -> None:
    linked = ("-Wl,--no-as-needed", str(_library(tmp_path)), f"-Wl,-rpath,{tmp_path}")
    program = build(tmp_path, "blocks.c", f"--pomp-barriers={mode}", options=linked)
    start(program, tmp_path, HEARD)
    assert _outcome(tmp_path) == (False, False)


@pytest.mark.parametrize("mode", MODES)
def test_from_the_environment(tmp_path: Path, mode: str) -> None:
    program = build(tmp_path, "blocks.c", f"--pomp-barriers={mode}")
    start(program, tmp_path, HEARD, OMP_TOOL_LIBRARIES=str(_library(tmp_path)))
    assert _outcome(tmp_path) == (False, False)


@pytest.mark.parametrize("runtime", RUNTIMES)
@pytest.mark.parametrize("mode", MODES)
def test_without_one_the_trial_is_made(tmp_path: Path, mode: str, runtime: str) -> None:
    """A trial that the machine interrupts yields no costs; one of several runs must yield them."""
    pomp_options = (f"--pomp-barriers={mode}", f"--pomp-runtime={runtime}")
    program = build(tmp_path, "blocks.c", *pomp_options)
    outcomes = set()
    for _ in range(RUNS):
        start(program, tmp_path)
        outcomes.add(_outcome(tmp_path))
        shutil.rmtree(tmp_path / "run")
    assert (True, True) in outcomes
