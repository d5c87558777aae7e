"""Compilers on this machine."""

from __future__ import annotations

from pomp_clang.driver.process.errors import DriverError
from pomp_clang.driver.process.programs import which

NEWEST = 30
OLDEST = 14


def first_compiler(cxx: bool) -> str:
    """Return clang if there is one, else gcc.  Raises DriverError when there is no compiler."""
    name = "clang++" if cxx else "clang"
    versions = [f"{name}-{number}" for number in range(NEWEST, OLDEST - 1, -1)]
    others = ["g++", "c++"] if cxx else ["gcc", "cc"]
    for program in [name, *versions, *others]:
        if which(program):
            return program
    raise DriverError("no compiler found; name one after `--`", 127)


def all_compilers() -> list[str]:
    """Return every gcc and clang on the PATH, plain names first."""
    names: list[str] = []
    for stem in ("clang", "clang++", "gcc", "g++"):
        names += [stem, *(f"{stem}-{number}" for number in range(NEWEST, 7, -1))]
    return [name for name in names if which(name)]
