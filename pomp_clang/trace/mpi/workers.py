"""Workers that analyze a job: one process, or several under mpiexec that each take some of the
job's.

mpi4py has the processes that mpiexec started.
"""

from __future__ import annotations

import os
import sys
import time
import warnings
from typing import Any, Protocol, TypeVar

import numpy.typing as npt

T = TypeVar("T")

_LATER = 1.0
"""Seconds that the other workers leave the first one to end all with its own message."""


class Workers(Protocol):
    """Exchange between workers; all of them call the same methods in the same order."""

    @property
    def is_first(self) -> bool:
        """True for the worker that prints the result."""

    def own_numbers(self, count: int) -> list[int]:
        """Return those of `count` processes of the job that this worker takes."""

    def allgather(self, results: dict[int, T]) -> list[T]:
        """Return at all workers each worker's results, sorted by process."""

    def gather(self, results: dict[int, T]) -> list[T]:
        """Return the results as `every` at the first worker; the others get their own."""

    def broadcast(self, value: T) -> T:
        """Return the first worker's value at all workers."""

    def sum(self, array: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """Add arrays of all workers. Each cell must be an integer, or 0 at all workers but one."""


def in_order(*process_results: dict[int, T]) -> list[T]:
    by_number = {
        number: result for results in process_results for number, result in results.items()
    }
    return [by_number[number] for number in sorted(by_number)]


class Alone:
    is_first = True

    def own_numbers(self, count: int) -> list[int]:
        return list(range(count))

    def allgather(self, results: dict[int, T]) -> list[T]:
        return in_order(results)

    def gather(self, results: dict[int, T]) -> list[T]:
        return in_order(results)

    def broadcast(self, value: T) -> T:
        return value

    def sum(self, array: npt.NDArray[Any]) -> npt.NDArray[Any]:
        return array


ALONE = Alone()


class UnderMpi:
    """A worker of an mpi4py communicator; at most `most` of its processes take part."""

    def __init__(self, communicator: Any, limit: int) -> None:
        self.takes_part = bool(communicator.rank < limit)
        self._of = communicator.Split(0 if self.takes_part else 1, communicator.rank)
        self._world = communicator

    def give_up(self, why: str) -> None:
        """End all workers, as others may wait for this one; the first one that fails prints why."""
        time.sleep(0 if self.is_first else _LATER)
        print(f"Error: {' '.join(why.split())}", file=sys.stderr, flush=True)
        self._world.Abort(1)

    @property
    def is_first(self) -> bool:
        return bool(self._of.rank == 0)

    def own_numbers(self, count: int) -> list[int]:
        return list(range(self._of.rank, count, self._of.size))

    def allgather(self, results: dict[int, T]) -> list[T]:
        return in_order(*self._of.allgather(results))

    def gather(self, results: dict[int, T]) -> list[T]:
        return in_order(*(self._of.gather(results) or [results]))

    def broadcast(self, value: T) -> T:
        first: T = self._of.bcast(value)
        return first

    def sum(self, array: npt.NDArray[Any]) -> npt.NDArray[Any]:
        total = array.copy()
        self._of.Allreduce(array, total)
        return total


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
