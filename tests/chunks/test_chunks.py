"""The chunks that the OpenMP runtime hands out are counted exactly."""

from __future__ import annotations

import json
import os
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest

from pomp_clang.driver.runtime.link import WRAPPED
from tests.compilers import links_openmp

FOLDER = Path(__file__).parent
NUMBER = re.compile(r"(?:/\*|!) (\d+)(?: \*/)?$")


def built_and_run(folder: Path, compiler: str, source: str, *pomp_options: str) -> dict[str, Any]:
    if not links_openmp(compiler):
        pytest.skip(f"{compiler} is not here, or has no OpenMP runtime")
    program = folder / "program"
    command = ["pomp-clang", *pomp_options, "--", compiler, "-fopenmp", "-O1", str(FOLDER / source)]
    subprocess.run([*command, "-o", str(program)], check=True, capture_output=True, cwd=folder)
    environment = {"OMP_NUM_THREADS": "3", "OMP_SCHEDULE": "dynamic,4"}
    experiment = {"POMP_EXPERIMENT_DIR": str(folder / "run")}
    subprocess.run([str(program)], check=True, env={**os.environ, **environment, **experiment})
    command = ["pomp-clang", "report", str(folder / "run"), "--format", "json"]
    result = subprocess.run(command, check=True, capture_output=True, text=True)
    return dict(json.loads(result.stdout))


def expected(source: str) -> dict[int, int]:
    lines = (FOLDER / source).read_text().splitlines()
    numbers = {number: NUMBER.search(line) for number, line in enumerate(lines, 1)}
    return {line: int(match[1]) for line, match in numbers.items() if match}


@pytest.mark.parametrize("runtime", ["shared", "static"])
@pytest.mark.parametrize(
    ("compiler", "source"),
    [("clang-19", "chunks.c"), ("gcc", "chunks.c"), ("gfortran", "chunks.f90"),
     ("flang-new-19", "chunks.f90")],
)  # fmt: skip
def test_chunks_are_counted(tmp_path: Path, compiler: str, source: str, runtime: str) -> None:
    report = built_and_run(tmp_path, compiler, source, f"--pomp-runtime={runtime}")
    loops = {region["begin_line1"]: region["sum"] for region in report["regions"]}
    counted = {line: loops[line].get("chunkC", 0) for line in expected(source)}
    assert counted == expected(source)
    assert all("chunkT" not in loops[line] for line, count in counted.items() if not count)


@pytest.mark.parametrize("library", ["libpomp.so", "libpomp.a"])
def test_every_call_that_a_link_wraps_is_defined(pomp_runtime: Path, library: str) -> None:
    """An undefined one would break each link of a program that makes the call."""
    command = ["nm", "--defined-only", str(pomp_runtime / "lib" / library)]
    symbols = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()
    expected = {f"__wrap_{option.removeprefix('--wrap=')}" for option in WRAPPED}
    assert expected <= set(symbols)
