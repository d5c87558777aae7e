"""The numbers of the functions in the table, and the functions that begin and end the use of MPI."""

from __future__ import annotations

from pomp_clang.mpi.functions import FUNCTIONS
from pomp_clang.mpi.variants import variants

NAMES: tuple[str, ...] = tuple(
    dict.fromkeys(f"MPI_{variant.name}" for row in FUNCTIONS for variant in variants(row))
)
"""All functions that an MPI may have, each once, in the order of the table."""

NUMBERS = {name: number for number, name in enumerate(NAMES)}

BEGIN_AND_END = ("Init", "Init_thread", "Finalize", "Session_init", "Session_finalize")


def numbered(name: str) -> str:
    """Return the argument that tells the runtime the function, as runtime/mpi/hooks.h has it."""
    number = str(NUMBERS[f"MPI_{name}"])
    return f"{number} | POMP_MPI_INIT" if name in BEGIN_AND_END else number
