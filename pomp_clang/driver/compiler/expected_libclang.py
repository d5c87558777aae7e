"""The libclang that a command will need, known before the compiler is identified."""

from __future__ import annotations

import os

from pomp_clang.driver.command.classify import CommandLine
from pomp_clang.driver.command.options import INPUT
from pomp_clang.driver.compiler.cache import hint
from pomp_clang.driver.process.programs import which

PRAGMA = b"#pragma omp "
NO_LIBCLANG = "none"
"""What is expected for a Fortran compiler: its server has only modules loaded."""


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
