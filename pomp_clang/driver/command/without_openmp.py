"""A program made without -fopenmp from sources with OpenMP directives, of which nothing is measured.

On the path of such links only: imports next to nothing.
"""

from __future__ import annotations

import sys

from pomp_clang.driver.command.classify import CommandLine
from pomp_clang.driver.command.options import INPUT

_DIRECTIVES = (b"#pragma omp ", b"# pragma omp ", b"\n!$omp ")
_MOST = 1 << 20
"""Bytes of a source that are searched."""


def say_if_ignored(line: CommandLine) -> None:
    """Print one line on stderr if the command makes a program and its compiler ignores directives."""
    if line.openmp or not (line.links and line.sources):
        return
    if any(name == "-fno-openmp" for _, _, name, _, _ in line.options):
        return
    for _, _, name, value, role in line.options:
        if role == INPUT and not name and _has_directive(value):
            print(
                f"{value}: note: OpenMP directives are ignored without -fopenmp; nothing of the "
                "program is measured; add -fopenmp [pomp-no-openmp]",
                file=sys.stderr,
                flush=True,
            )
            return


def _has_directive(path: str) -> bool:
    if path.endswith((".o", ".a", ".so")) or path == "-":
        return False
    try:
        with open(path, "rb") as file:
            text = file.read(_MOST)
    except OSError:
        return False
    return any(words in text for words in _DIRECTIVES)
