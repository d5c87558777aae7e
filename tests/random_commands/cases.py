"""The case of a seed."""

from __future__ import annotations

from dataclasses import replace
from random import Random

from tests.random_commands.builds import build_case
from tests.random_commands.case import Case
from tests.random_commands.grammar import RandomCommand
from tests.random_commands.scenarios import scenario_case

SHARES = {"command": 85, "scenario": 10, "build": 5}


def case_of(seed: int, work: str) -> Case:
    """Return the case of a seed, run in the folder `work`; every other one may be served."""
    return replace(_case(seed, work), is_served=seed % 2 == 0)


def _case(seed: int, work: str) -> Case:
    kind = Random(f"kind of {seed}").choices(list(SHARES), list(SHARES.values()))[0]
    if kind == "scenario":
        return scenario_case(seed, work)
    return build_case(seed) if kind == "build" else RandomCommand(seed, work).case()
