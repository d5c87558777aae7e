"""Runs that exports are made of: built and run once for all tests."""

from __future__ import annotations

import subprocess
import tempfile
from functools import cache
from pathlib import Path

import pytest

from tests.compilers import first
from tests.random_programs.running import run

PROGRAMS = Path(__file__).parent.parent / "otf2" / "Inputs"


@cache
def _folder() -> tempfile.TemporaryDirectory[str]:
    return tempfile.TemporaryDirectory(prefix="pomp-runs-")


@cache
def experiment_of(source: str, threads: int) -> str:
    """Return the directory of a traced run."""
    compiler = first("clang-19", "clang", "gcc")
    if not compiler:
        pytest.skip("no compiler with OpenMP is here")
    folder = Path(_folder().name)
    build = ["pomp-clang", "--pomp-functions=all", "--", compiler, "-O1", "-fopenmp"]
    subprocess.run([*build, PROGRAMS / source, "-o", "app"], cwd=folder, check=True)
    name = f"exp-{threads}"
    settings = {"POMP_TRACE": "1", "POMP_EXPERIMENT_DIR": name, "OMP_NUM_THREADS": str(threads)}
    assert run(["./app"], folder, **settings).status == 0
    return str(folder / name)
