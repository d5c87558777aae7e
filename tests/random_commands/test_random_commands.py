"""Random commands do the same behind pomp-clang as without."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.compilers import links_openmp
from tests.random_commands.builds import build_case
from tests.random_commands.case import Case
from tests.random_commands.cases import case_of
from tests.random_commands.compare import compared
from tests.random_commands.grammar import COMPILERS, RandomCommand
from tests.random_commands.sandbox import Sandbox
from tests.random_commands.scenarios import scenario_case

SEEDS_OF_COMMANDS = range(1, 5)
COMMANDS = 8
"""Commands of one seed."""

SEEDS_OF_SCENARIOS = range(1, 5)
SEEDS_OF_BUILDS = range(1, 3)


@pytest.fixture
def sandbox(tmp_path: Path) -> Sandbox:
    missing = [name for name, *_ in COMPILERS if not links_openmp(name)]
    if missing:
        pytest.skip(f"without {', '.join(missing)}, seeds are other commands")
    return Sandbox(tmp_path)


def _check(sandbox: Sandbox, case: Case) -> None:
    *_, result = compared(sandbox, case)
    assert not result, "\n".join([case.text(), *result])


@pytest.mark.parametrize("seed", SEEDS_OF_COMMANDS)
def test_random_commands(sandbox: Sandbox, seed: int) -> None:
    for number in range(COMMANDS):
        _check(sandbox, RandomCommand(1000 * seed + number, str(sandbox.work)).case())


@pytest.mark.parametrize("seed", SEEDS_OF_SCENARIOS)
def test_random_scenario(sandbox: Sandbox, seed: int) -> None:
    _check(sandbox, scenario_case(seed, str(sandbox.work)))


@pytest.mark.parametrize("seed", SEEDS_OF_BUILDS)
def test_random_build(sandbox: Sandbox, seed: int) -> None:
    _check(sandbox, build_case(seed))


def test_a_seed_is_a_case() -> None:
    cases = [case_of(seed, "/work") for seed in range(20)]
    assert cases == [case_of(seed, "/work") for seed in range(20)]
    assert len({case.text() for case in cases}) == 20
