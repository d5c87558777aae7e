"""Random programs with a library of POMP2 that checks nesting, handles and tasks."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from tests.random_programs.fuzz import FORTRAN_KINDS, KINDS, case, usable

CHECKING = Path(__file__).parent / "checking.c"
LIBRARY_COMPILERS = {"gcc": "gcc", "gfortran": "gcc", "clang-19": "clang-19", "flang": "clang-19"}
"""The compiler for the library, by that of the program: both link the same OpenMP runtime."""


@pytest.mark.parametrize(
    ("seed", "kinds"),
    [*((seed, KINDS) for seed in range(9000, 9012)), *((seed, FORTRAN_KINDS) for seed in range(4))],
)
def test_a_random_program_calls_pomp2_rightly(
    seed: int, kinds: tuple[tuple[str, str], ...], tmp_path: Path
) -> None:
    """Seed 9006 runs tasks in waits without events, and flang hands no task on."""
    kind = kinds[seed % len(kinds)]
    if kind not in usable(kinds):
        pytest.skip(f"{kind[1]} is not here, or has no OpenMP runtime")
    random_case = case(seed, kinds, 40, tmp_path, "explicit")
    library = tmp_path / "checking.o"
    command = [LIBRARY_COMPILERS[kind[1]], "-O1", "-fopenmp", "-c", str(CHECKING)]
    subprocess.run([*command, "-o", str(library)], check=True)
    texts = random_case.program.texts()
    for name, text in texts.items():
        (tmp_path / name).write_text(text, newline="")
    sources = [name for name in texts if not name.endswith((".h", ".inc"))]
    options = [option for option in random_case.options if not option.startswith("-W")]
    command = [random_case.name, *options, "-w", *sources, "-lm", "-o", "app"]
    built = subprocess.run(
        ["pomp-clang", f"--pomp-library=pomp2:{library}", "--", *command],
        cwd=tmp_path,
        capture_output=True,
        text=True,
    )
    if "internal compiler error" in built.stderr:
        pytest.skip("the compiler itself fails")
    assert built.returncode == 0, built.stderr
    done = subprocess.run(
        ["./app"],
        cwd=tmp_path,
        env=os.environ | random_case.environment,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert "FAULT" not in done.stderr, done.stderr
    assert (done.returncode, done.stdout) == random_case.program.output()
