"""Random programs: their traces tell what their profiles tell."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.compilers import links_openmp
from tests.random_programs.check import COMPILERS, Case, complaints
from tests.random_programs.fuzz import KINDS
from tests.random_programs.grammar import program
from tests.random_programs.running import load, run
from tests.trace.agreement import disagreements


@pytest.mark.parametrize(("language", "compiler"), KINDS)
@pytest.mark.parametrize("seed", range(201, 205))
def test_agrees_with_the_profile(seed: int, language: str, compiler: str, tmp_path: Path) -> None:
    name = COMPILERS[language][compiler]
    if not links_openmp(name):
        pytest.skip(f"{name} with its OpenMP runtime is not here")
    load()
    case = Case(program(seed, language, compiler, size=40), compiler, tmp_path)
    if list(complaints(case)):
        pytest.skip("its profile is not what it should be: the random programs' own tests tell why")
    traced = {"POMP_EXPERIMENT_DIR": "traced", "POMP_TRACE": "1"}
    run(["./measured"], tmp_path, **case.environment, **traced)
    assert not list(disagreements(tmp_path / "traced"))
