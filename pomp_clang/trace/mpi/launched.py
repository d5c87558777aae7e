"""The processes that mpiexec started, by mpi4py."""

from __future__ import annotations

import os
import warnings
from typing import Any

_TOLD = (
    ("OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK"),
    ("MV2_COMM_WORLD_SIZE", "MV2_COMM_WORLD_RANK"),
    ("PMI_SIZE", "PMI_RANK"),
)
"""The variables in which launchers pass the number of processes and the rank."""


class MpiError(Exception):
    """Why there is no communicator, in one line."""


def communicator() -> Any:
    """Return the communicator of all processes; without one, None at all but the first.

    Raises MpiError at the first, so that the message appears once.
    """
    size, rank = _launched()
    wrong = ""
    try:
        with warnings.catch_warnings():
            # The MpiError below says it in one line.
            warnings.simplefilter("ignore", RuntimeWarning)
            from mpi4py import MPI

        world = MPI.COMM_WORLD
        if world.size == 1 < size:
            library = MPI.Get_library_version().replace("\0", "").splitlines()[0].split(",")[0]
            wrong = (
                f"--mpi: mpi4py is of another MPI ({library.strip()}) than this mpiexec: start it "
                "with that one's mpiexec, or install mpi4py for this one"
            )
    except (ImportError, RuntimeError) as error:
        message = " ".join(str(error).split())
        wrong = f"--mpi needs mpi4py ({message}): pip install mpi4py"
    if not wrong:
        return world
    if rank:
        return None
    raise MpiError(wrong)


def _launched() -> tuple[int, int]:
    for size, rank in _TOLD:
        values = os.environ.get(size, ""), os.environ.get(rank, "")
        if all(value.isascii() and value.isdigit() for value in values):
            return int(values[0]), int(values[1])
    return 1, 0
