"""Random programs: instrumented they build silently, run alike and are counted exactly."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.compilers import links_openmp
from tests.random_programs.check import COMPILERS, complaints
from tests.random_programs.grammar import program

SEEDS = range(1, 25)


@pytest.mark.parametrize("compiler", ["clang-19", "gcc"])
@pytest.mark.parametrize("language", ["c", "c++"])
@pytest.mark.parametrize("seed", SEEDS)
def test_random_program(seed: int, language: str, compiler: str, tmp_path: Path) -> None:
    name = COMPILERS[language][compiler]
    if not links_openmp(name):
        pytest.skip(f"{name} with its OpenMP runtime is not here")
    found = list(complaints(program(seed, language, size=40), compiler, tmp_path))
    again = f"python -m tests.random_programs --seed {seed} --language {language} --size 40"
    assert not found, "\n".join([again, *found])


@pytest.mark.parametrize("language", ["c", "c++"])
def test_a_seed_is_a_program(language: str) -> None:
    assert program(5, language).text() == program(5, language).text()
    assert program(5, language).text() != program(6, language).text()
