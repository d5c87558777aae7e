"""Prices measured on this machine: a small program, built by a compiler of the run's OpenMP runtime."""

from __future__ import annotations

import os
import tempfile

from pomp_clang.driver.compiler.installed import NEWEST, OLDEST
from pomp_clang.driver.process.errors import DriverError
from pomp_clang.driver.process.programs import which
from pomp_clang.driver.process.run import query

_CLANG = ("clang", *(f"clang-{number}" for number in range(NEWEST, OLDEST - 1, -1)))
_COMPILERS = {"libgomp": ("gcc", "cc"), "libomp": _CLANG}


def measured_costs(runtime: str, source: bytes) -> tuple[float, ...] | None:
    """Return the numbers that a C program prints with the OpenMP runtime "libgomp" or "libomp"; None
    if no compiler for it is here."""
    for compiler in filter(which, _COMPILERS.get(runtime, ())):
        try:
            return _printed(compiler, source)
        except (DriverError, ValueError):
            continue
    return None


def _printed(compiler: str, source: bytes) -> tuple[float, ...]:
    """Compile and run the program.  Raises DriverError or ValueError if that fails."""
    with tempfile.TemporaryDirectory(prefix="pomp-clang-") as folder:
        program = os.path.join(folder, "cost")
        command = [compiler, "-fopenmp", "-O2", "-x", "c", "-", "-o", program]
        if query(command, stdin=source).status:
            raise ValueError(compiler)
        return tuple(map(float, query([program], timeout=20).stdout.split()))
