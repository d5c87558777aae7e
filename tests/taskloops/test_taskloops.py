"""A taskloop's own tasks are counted exactly, whatever the loop is like, and it runs as it did."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest

from tests.compilers import links_openmp

SOURCE = Path(__file__).parent / "counts.cpp"

TASKS = {
    "plain": 6, "reduced": 7, "last": 4, "collapsed": 6, "simd": 5, "undeferred": 4, "empty": 0,
    "untied": 4, "copied": 300, "aligned": 9, "throws": 4, "recursive": 2 + 4 + 8, "combined": 6,
}  # fmt: skip
"""By the comment at the directive."""

WAYS = (("-O0",), ("-O2",), ("-O2", "-flto"))


def _lines() -> dict[int, str]:
    lines = enumerate(SOURCE.read_text().splitlines(), 1)
    marks = ((at, line.rpartition("// ")) for at, line in lines if "taskloop" in line)
    return {at: mark for at, (_, is_taskloop, mark) in marks if is_taskloop and mark in TASKS}


@pytest.mark.parametrize("linked", ["shared", "static"])
@pytest.mark.parametrize("options", WAYS, ids=" ".join)
@pytest.mark.parametrize("compiler", ["clang++-19", "g++"])
def test_tasks_are_counted(
    compiler: str, options: tuple[str, ...], linked: str, tmp_path: Path
) -> None:
    if not links_openmp(compiler):
        pytest.skip(f"{compiler} with its OpenMP runtime is not here")
    program = tmp_path / "counts"
    pomp_command = ["pomp-clang", "--pomp-strict", f"--pomp-runtime={linked}", "--", compiler]
    compiler_options = ["-std=c++17", "-fopenmp", *options, str(SOURCE), "-o", str(program)]
    subprocess.run([*pomp_command, *compiler_options], check=True, capture_output=True)
    run = tmp_path / "run"
    environment = {**os.environ, "POMP_EXPERIMENT_DIR": str(run), "POMP_TRACE": "1"}
    result = subprocess.run([program], env=environment, capture_output=True, text=True)
    assert (result.returncode, result.stdout, result.stderr) == (0, "", "")
    report = ["pomp-clang", "report", str(run), "--format", "json"]
    document = json.loads(subprocess.run(report, check=True, capture_output=True).stdout)
    at = _lines()
    counted = {
        at[region["begin_line1"]]: sum(row["loopC"] for row in region["threads"])
        for region in document["regions"]
        if "taskloop" in region["kind"] and region["begin_line1"] in at
    }
    assert counted == TASKS
