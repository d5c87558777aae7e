"""Compilers on this machine, and the libclang that a command will need, known before its compiler
is identified.
"""

from __future__ import annotations

import os

from pomp_clang.driver import DriverError
from pomp_clang.driver.command.classify import CommandLine
from pomp_clang.driver.command.options import INPUT
from pomp_clang.driver.compiler.cache import hint
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


PRAGMA = b"#pragma omp "
NO_LIBCLANG = "none"
"""The library expected for a Fortran compiler: its server has only modules loaded."""


def expected_libclang(line: CommandLine) -> str | None:
    """Return the libclang last used with this compiler, "" for the Python package's.

    Return `NO_LIBCLANG` for a Fortran compiler, None if the compiler was never seen.
    """
    program = which(line.words[-1])
    return hint(os.path.realpath(program)) if program else None


def has_directive(line: CommandLine) -> bool:
    """Return True if a source of the command has an OpenMP directive in its own text.

    Otherwise a header may have one.
    """
    return any(_has_directive(value) for _, _, _, value, role in line.options if role == INPUT)


def _has_directive(path: str) -> bool:
    try:
        with open(path, "rb") as file:
            return PRAGMA in file.read()
    except (OSError, ValueError):
        return False
