"""`pomp-cc` and its like: the drop-in for builds that take no more than one word."""

from __future__ import annotations

import os
import sys

from pomp_clang.cli.compile import main as compile_
from pomp_clang.driver.path import which

# command: the variable that names the compiler, and the first of these where it does not.
COMMANDS = {
    "pomp-cc": ("POMP_CC", ("cc", "gcc", "clang")),
    "pomp-c++": ("POMP_CXX", ("c++", "g++", "clang++")),
    "pomp-mpicc": ("POMP_MPICC", ("mpicc", "mpiicc", "mpigcc")),
    "pomp-mpicxx": ("POMP_MPICXX", ("mpicxx", "mpic++", "mpiicpc")),
}


def main(command: str) -> int:
    """Options of our own may stand anywhere among the compiler's."""
    variable, names = COMMANDS[command]
    try:
        words = _words(os.environ.get(variable, ""))
    except ValueError as error:
        return _say(f"{variable}: {error}")
    if not words:
        words = [next(filter(which, names), names[0])]
    if os.path.basename(words[-1]) in COMMANDS:
        return _say(f"{variable}={words[-1]} calls itself; name the compiler")
    args = sys.argv[1:]
    ours = [arg for arg in args if arg.startswith("--pomp-")]
    return compile_([*ours, "--", *words, *(arg for arg in args if arg not in ours)])


def _say(message: str) -> int:
    print(f"pomp-clang: {message}", file=sys.stderr)
    return 2


def _words(text: str) -> list[str]:
    """As a shell would take them apart, whose module is dear; a path may have spaces."""
    if not any(char in text for char in "'\"\\"):
        return [text] if os.path.isfile(text) else text.split()
    import shlex

    return shlex.split(text)
