"""Units for the frontend: text in, found constructs out."""

from collections.abc import Callable
from pathlib import Path

import pytest

from pomp_clang.driver.units import unit_of
from pomp_clang.frontend.find import Found, find
from tests.compilers import first


def compiler(cplusplus: bool) -> str:
    names = ("clang++-19", "clang++", "g++") if cplusplus else ("clang-19", "clang", "gcc")
    return first(*names) or pytest.skip(f"none of {', '.join(names)} is here")


@pytest.fixture
def found(tmp_path: Path) -> Callable[..., Found]:
    """A function that finds the constructs of a text under a file name."""

    def run(text: str, name: str = "a.c", *options: str) -> Found:
        path = tmp_path / name
        path.write_text(text)
        command = [compiler(name.endswith(".cpp")), "-fopenmp", *options]
        return find(unit_of(str(path), command))

    return run
