"""The functions of the table by number."""

from __future__ import annotations

from pomp_clang.mpi.functions import FUNCTIONS
from pomp_clang.mpi.variants import variants

NAMES: tuple[str, ...] = tuple(
    dict.fromkeys(f"MPI_{each.name}" for row in FUNCTIONS for each in variants(row))
)
"""All that there may be, each once, in the order of the table."""

NUMBERS = {name: number for number, name in enumerate(NAMES)}
