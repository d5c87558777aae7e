"""A program of two units, one with explicit barriers and one with them as compiled. Each unit has
the same results as alone, in profile and trace. The report names each unit's mode.
"""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from tests.barriers.harness import LATE, MODES, PROGRAMS, RunResult, run
from tests.compilers import links_openmp
from tests.trace.agreement import disagreements

UNITS = {"first": "ompt", "second": "explicit"}
CONSTRUCTS = {"for": "region", "parallel": "region", "parallel for": "combined"}


def _compile(folder: Path, unit: str, mode: str) -> str:
    object_file = str(folder / f"{unit}.o")
    source = shutil.copy(PROGRAMS / "mixed.c", folder / f"{unit}.c")
    chosen = ["-DSECOND"] if unit == "second" else []
    command = ["clang-19", "-fopenmp", "-O1", *chosen, "-c", str(source), "-o", object_file]
    pomp_command = ["pomp-clang", "--pomp-strict", f"--pomp-barriers={mode}", "--"]
    subprocess.run([*pomp_command, *command], check=True)
    return object_file


@pytest.fixture(scope="module", params=MODES)
def program(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Link the program in one mode or the other: the modes of its units decide."""
    if not links_openmp("clang-19"):
        pytest.skip("clang-19 is not here, or has no OpenMP runtime")
    folder = tmp_path_factory.mktemp("mixed")
    objects = [_compile(folder, unit, mode) for unit, mode in UNITS.items()]
    program_file = folder / "program"
    pomp_command = ["pomp-clang", f"--pomp-barriers={request.param}", "--"]
    subprocess.run(
        [*pomp_command, "clang-19", "-fopenmp", *objects, "-o", str(program_file)], check=True
    )
    return program_file


@pytest.fixture(scope="module")
def ran(program: Path, tmp_path_factory: pytest.TempPathFactory) -> RunResult:
    return run(program, tmp_path_factory.mktemp("ran"), POMP_TRACE="1")


@pytest.mark.parametrize("unit", UNITS)
@pytest.mark.parametrize("kind", CONSTRUCTS)
def test_each_as_alone(ran: RunResult, kind: str, unit: str) -> None:
    rows = ran.rows((kind, f"{CONSTRUCTS[kind]}_of_{unit}"))
    assert [row.execC for row in rows] == [1] * 4
    last, *others = sorted(row.exitBarT for row in rows)
    assert min(others) - last >= 0.5 * LATE
    assert {row.againT > 0 for row in rows} == {kind != "for" and UNITS[unit] == "explicit"}


def test_the_trace_agrees(ran: RunResult) -> None:
    assert not list(disagreements(ran.folder / "run"))


def test_the_report_says_which_is_which(ran: RunResult) -> None:
    text = ran.report()
    assert (
        "Barriers        as compiled, by OMPT, in 3 regions; made explicit in 3 regions\n" in text
    )
    assert text.count("barrier by OMPT") == 3


def test_without_ompt_the_explicit_ones_are_measured(program: Path, tmp_path: Path) -> None:
    result = run(program, tmp_path, OMP_TOOL="disabled")
    text = result.report()
    assert "as compiled, not measured, in 3 regions; made explicit in 3 regions\n" in text
    for kind, name in CONSTRUCTS.items():
        assert result.total((kind, f"{name}_of_first"), "exitBarT") == 0
        assert result.total((kind, f"{name}_of_second"), "exitBarT") >= 3 * 0.7 * LATE
