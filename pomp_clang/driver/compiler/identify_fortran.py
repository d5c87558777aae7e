"""The kind of a Fortran compiler, by its own words."""

from __future__ import annotations

import os
import re

from pomp_clang.driver.compiler import cache
from pomp_clang.driver.compiler.expected_libclang import NO_LIBCLANG
from pomp_clang.driver.compiler.identify import Toolchain
from pomp_clang.driver.process.errors import DriverError
from pomp_clang.driver.process.programs import which

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

# Changed whenever a cached record means something else.
FORMAT = 2

_FAMILIES = (("flang", re.compile(r"\bflang\b")), ("gcc", re.compile(r"Free Software Foundation")))
_VERSION = re.compile(r"\b(\d+(?:\.\d+)+)")
OPENMP = "201511"
"""The version that both compilers name; the directives that they take reach further."""


def identify_fortran(words: Sequence[str]) -> Toolchain:
    """Return the compiler of a command, from the cache if it is known; it may be behind a wrapper.

    Raises DriverError when it cannot be run or is neither gfortran nor flang.
    """
    program = which(words[-1]) or words[-1]
    key: dict[str, Any] = {
        "fortran": FORMAT,
        "words": list(words),
        "program": cache.stamp(os.path.realpath(program)),
        "path": os.environ.get("PATH", ""),
        "environment": sorted(
            item for item in os.environ.items() if item[0].startswith(("OMPI_", "MPICH_"))
        ),
    }
    known = cache.lookup(key, lambda: _learn(words, program))
    return Toolchain(known["family"], known["version"], "", OPENMP, "", "", ())


def _learn(words: Sequence[str], program: str) -> dict[str, Any]:
    from pomp_clang.driver.process.query_tool import query

    outcome = query([*words, "--version"])
    output = outcome.stdout.decode("utf-8", "replace")
    for family, pattern in _FAMILIES:
        if outcome.status == 0 and pattern.search(output):
            version = _VERSION.search(output.split("\n", 1)[0])
            cache.give_hint(os.path.realpath(program), NO_LIBCLANG)
            stamps = [cache.stamp(os.path.realpath(program))]
            return {"family": family, "version": version[1] if version else "0", "stamps": stamps}
    raise DriverError(f"{words[-1]}: neither gfortran nor flang")
