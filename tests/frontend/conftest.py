"""Units for the frontend: text in, found constructs out."""

from collections.abc import Callable
from pathlib import Path

import pytest

from pomp_clang.driver.unit.named_source import unit_of
from pomp_clang.frontend.c.find import find
from pomp_clang.frontend.constructs import FoundConstructs
from tests.compilers import first


def compiler(cplusplus: bool) -> str:
    names = ("clang++-19", "clang++", "g++") if cplusplus else ("clang-19", "clang", "gcc")
    return first(*names) or pytest.skip(f"none of {', '.join(names)} is here")


@pytest.fixture
def find_in(tmp_path: Path) -> Callable[..., FoundConstructs]:
    """Return a function that finds the constructs of a text under a file name."""

    def run(text: str, name: str = "a.c", *options: str) -> FoundConstructs:
        path = tmp_path / name
        path.write_text(text)
        command = [compiler(name.endswith(".cpp")), "-fopenmp", *options]
        return find(unit_of(str(path), command))

    return run
