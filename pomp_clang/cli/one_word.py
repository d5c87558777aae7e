"""`pomp-cc`, `pomp-c++` and the MPI wrappers, for builds that take one word as the compiler."""

from __future__ import annotations

import os
import sys

from pomp_clang.cli.compile import main as compile_
from pomp_clang.driver.process.programs import which

# command: the variable that names the compiler, and the default names without it.
COMMANDS = {
    "pomp-cc": ("POMP_CC", ("cc", "gcc", "clang")),
    "pomp-c++": ("POMP_CXX", ("c++", "g++", "clang++")),
    "pomp-fc": ("POMP_FC", ("gfortran", "flang", "flang-19")),
    "pomp-mpicc": ("POMP_MPICC", ("mpicc", "mpiicc", "mpigcc")),
    "pomp-mpicxx": ("POMP_MPICXX", ("mpicxx", "mpic++", "mpiicpc")),
    "pomp-mpifort": ("POMP_MPIFORT", ("mpifort", "mpif90", "mpiifort")),
}


def main(command: str) -> int:
    """Run the compiler that the command stands for; our options may stand among its own."""
    variable, names = COMMANDS[command]
    try:
        values = _words(os.environ.get(variable, ""))
    except ValueError as error:
        return _say(f"{variable}: {error}")
    if not values:
        values = [next(filter(which, names), names[0])]
    if os.path.basename(values[-1]) in COMMANDS:
        return _say(f"{variable}={values[-1]} calls itself; name the compiler")
    args = sys.argv[1:]
    pomp_options = [arg for arg in args if arg.startswith("--pomp-")]
    return compile_(
        [*pomp_options, "--", *values, *(arg for arg in args if arg not in pomp_options)]
    )


def _say(message: str) -> int:
    print(f"pomp-clang: {message}", file=sys.stderr)
    return 2


def _words(text: str) -> list[str]:
    """Split a command like a shell; an existing path with spaces is one word."""
    if not any(char in text for char in "'\"\\"):
        return [text] if os.path.isfile(text) else text.split()
    import shlex  # slow to import

    return shlex.split(text)
