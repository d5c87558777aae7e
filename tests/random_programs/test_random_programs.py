"""Random programs: instrumented they build silently, run alike and are counted exactly."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.compilers import links_openmp
from tests.random_programs.check import COMPILERS, UNFIT, Case, complaints
from tests.random_programs.fuzz import KINDS
from tests.random_programs.grammar import program
from tests.random_programs.running import load

SEEDS = range(1, 9)
SEEDS_OF_BARRIERS = range(101, 105)


@pytest.mark.parametrize(("language", "compiler"), KINDS)
@pytest.mark.parametrize("seed", SEEDS)
def test_random_program(seed: int, language: str, compiler: str, tmp_path: Path) -> None:
    name = COMPILERS[language][compiler]
    if not links_openmp(name):
        pytest.skip(f"{name} with its OpenMP runtime is not here")
    load()
    program_ = program(seed, language, compiler, size=40)
    actual = list(complaints(Case(program_, compiler, tmp_path), thorough=True))
    if actual and UNFIT in actual[0]:
        pytest.skip(f"{name} fails without us: {actual[0].splitlines()[0]}")
    options = f"--seed {seed} --language {language} --compiler {compiler} --size 40"
    assert not actual, "\n".join([f"python -m tests.random_programs {options}", *actual])


@pytest.mark.parametrize("language", ["c", "c++"])
@pytest.mark.parametrize("seed", SEEDS_OF_BARRIERS)
def test_random_program_with_barriers_as_compiled(seed: int, language: str, tmp_path: Path) -> None:
    name = COMPILERS[language]["clang-19"]
    if not links_openmp(name):
        pytest.skip(f"{name} with its OpenMP runtime is not here")
    load()
    program_ = program(seed, language, "clang-19", size=40)
    actual = list(complaints(Case(program_, "clang-19", tmp_path, barriers="ompt")))
    if actual and UNFIT in actual[0]:
        pytest.skip(f"{name} fails without us: {actual[0].splitlines()[0]}")
    assert not actual, "\n".join([f"--seed {seed} --language {language} --size 40", *actual])


@pytest.mark.parametrize("language", ["c", "c++"])
def test_a_seed_is_a_program(language: str) -> None:
    assert program(5, language).texts() == program(5, language).texts()
    assert program(5, language).texts() != program(6, language).texts()
