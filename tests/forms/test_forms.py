"""Every form of OpenMP in a program: built, run and counted, natively and instrumented."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

from pomp_clang.experiment.reader import read
from tests.compilers import links_openmp
from tests.forms.expected import FORTRAN, PROGRAMS, Program
from tests.forms.running import SETTINGS, run

FLAGS = ("-fopenmp", "-O1", "-Wall", "-Wextra", "-Werror", "-Wno-sign-compare")
MORE = {"clang": ("-Wno-pass-failed",), "gcc": ()}
"""Only optimized code reports a requested vectorization that failed."""
FORTRAN_FLAGS = {
    "gcc": (
        "-fopenmp", "-O1", "-Wall", "-Wextra", "-Wimplicit-interface", "-fimplicit-none",
        "-pedantic", "-std=f2018", "-Werror",
    ),
    "flang": ("-fopenmp", "-O1"),
}  # fmt: skip
COMPILERS = {
    ("clang", ".c"): "clang-19",
    ("clang", ".cpp"): "clang++-19",
    ("gcc", ".c"): "gcc",
    ("gcc", ".cpp"): "g++",
}
FORTRAN_COMPILERS = {"flang": "flang-new-19", "gcc": "gfortran"}
CASES = [
    pytest.param(program, id=f"{path.name}-{family}")
    for path in sorted(PROGRAMS.glob("*.c*"))
    for family in ("clang", "gcc")
    if (program := Program(path, family)).is_taken
]
FORTRAN_CASES = [
    pytest.param(program, id=f"{path.name}-{family}")
    for path in sorted((PROGRAMS / "fortran").iterdir())
    if path.suffix in FORTRAN
    for family in ("flang", "gcc")
    if (program := Program(path, family)).is_taken
]
NOTE = re.compile(r"(.*?):(\d+): warning: .* \[pomp-([a-z-]+)\]")


@pytest.mark.parametrize("program", CASES)
def test_a_program_of_every_form(program: Program, tmp_path: Path) -> None:
    name = COMPILERS[program.family, program.path.suffix]
    if not links_openmp(name):
        pytest.skip(f"{name} is not here with its OpenMP runtime")
    command = [name, *FLAGS, *MORE[program.family], *program.options]
    _check(program, [*command, str(program.path), "-lm", "-o"], tmp_path)


@pytest.mark.parametrize("program", FORTRAN_CASES)
def test_a_fortran_program_of_every_form(program: Program, tmp_path: Path) -> None:
    name = FORTRAN_COMPILERS[program.family]
    if not links_openmp(name):
        pytest.skip(f"{name} is not here with its OpenMP runtime")
    command = [name, *FORTRAN_FLAGS[program.family], *program.options]
    _check(program, [*command, str(program.path), "-o"], tmp_path)


def _check(program: Program, command: list[str], tmp_path: Path) -> None:
    """Build and run a program natively and instrumented, and compare with what it expects."""
    assert run([*command, "native"], tmp_path) == (0, "", "")
    status, text, notes = run(
        ["pomp-clang", *program.our_words, "--", *command, "measured"], tmp_path
    )
    lines = notes.splitlines()
    assert (status, text) == (0, ""), notes
    result = [match for match in map(NOTE.fullmatch, lines) if match]
    assert len(result) == len(lines), notes
    native = run(["./native"], tmp_path, **SETTINGS)
    assert native[0] == 0
    assert run(["./measured"], tmp_path, **SETTINGS, POMP_EXPERIMENT_DIR="run") == native
    assert Counter((int(m[2]), m[3]) for m in result) == program.named()
    assert _measured(tmp_path / "run") == program.measured()


def _measured(folder: Path) -> Counter[tuple[int, str, int]]:
    """Return each region's line, kind and number of executions by all threads together."""
    experiment = read(str(folder))
    runs: Counter[str] = Counter()
    for (region, _), measured in experiment.profile.items():
        runs[region] += measured.execC
    return Counter((r.begin_line1, r.kind, runs[r.id]) for r in experiment.regions)
