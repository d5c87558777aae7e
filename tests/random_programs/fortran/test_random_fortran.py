"""Random Fortran programs: instrumented they build silently, run alike and are counted exactly."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.compilers import links_openmp
from tests.random_programs.check import COMPILERS, UNFIT, Case, complaints
from tests.random_programs.fortran.grammar import program
from tests.random_programs.running import load

SEEDS = range(2, 6)


@pytest.mark.parametrize("compiler", sorted(COMPILERS["fortran"]))
@pytest.mark.parametrize("seed", SEEDS)
def test_random_fortran_program(seed: int, compiler: str, tmp_path: Path) -> None:
    name = COMPILERS["fortran"][compiler]
    if not links_openmp(name):
        pytest.skip(f"{name} with its OpenMP runtime is not here")
    load()
    mismatches = list(
        complaints(Case(program(seed, compiler, 40), compiler, tmp_path), thorough=True)
    )
    if mismatches and UNFIT in mismatches[0]:
        pytest.skip(f"{name} fails without us: {mismatches[0].splitlines()[0]}")
    assert not mismatches, "\n".join(
        [f"--seed {seed} --compiler {compiler} --size 40", *mismatches]
    )
