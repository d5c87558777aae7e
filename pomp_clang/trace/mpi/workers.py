"""Who analyses a job: one process, or several under mpiexec with each some of the job's own."""

from __future__ import annotations

import sys
import time
from typing import Any, Protocol, TypeVar

import numpy.typing as npt

T = TypeVar("T")

_LATER = 1.0
"""Seconds in which the first ends the others where it knows what is wrong itself."""


class Workers(Protocol):
    """What one of them knows of the others; all call the same of these in the same order."""

    @property
    def is_first(self) -> bool:
        """It tells what was found."""

    def mine(self, count: int) -> list[int]:
        """Which of so many processes of the job this one is for."""

    def every(self, own: dict[int, T]) -> list[T]:
        """What each has of its processes, in the order of these."""

    def gathered(self, own: dict[int, T]) -> list[T]:
        """The same, at the first alone; the others have their own."""

    def told(self, own: T) -> T:
        """What the first has, at all."""

    def sum(self, own: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """Of arrays of which each cell is 0 but at one of them, or that are integers."""


def in_order(*several: dict[int, T]) -> list[T]:
    together = {number: each for own in several for number, each in own.items()}
    return [together[number] for number in sorted(together)]


class Alone:
    is_first = True

    def mine(self, count: int) -> list[int]:
        return list(range(count))

    def every(self, own: dict[int, T]) -> list[T]:
        return in_order(own)

    def gathered(self, own: dict[int, T]) -> list[T]:
        return in_order(own)

    def told(self, own: T) -> T:
        return own

    def sum(self, own: npt.NDArray[Any]) -> npt.NDArray[Any]:
        return own


ALONE = Alone()


class UnderMpi:
    """Of a communicator of mpi4py, whose processes take the job's in turns: no more of them than
    the job has."""

    def __init__(self, communicator: Any, most: int) -> None:
        self.takes_part = bool(communicator.rank < most)
        self._of = communicator.Split(0 if self.takes_part else 1, communicator.rank)
        self._world = communicator

    def give_up(self, why: str) -> None:
        """Ends all of them, as others may wait for this one; the first that knows says why."""
        time.sleep(0 if self.is_first else _LATER)
        print(f"Error: {' '.join(why.split())}", file=sys.stderr, flush=True)
        self._world.Abort(1)

    @property
    def is_first(self) -> bool:
        return bool(self._of.rank == 0)

    def mine(self, count: int) -> list[int]:
        return list(range(self._of.rank, count, self._of.size))

    def every(self, own: dict[int, T]) -> list[T]:
        return in_order(*self._of.allgather(own))

    def gathered(self, own: dict[int, T]) -> list[T]:
        return in_order(*(self._of.gather(own) or [own]))

    def told(self, own: T) -> T:
        first: T = self._of.bcast(own)
        return first

    def sum(self, own: npt.NDArray[Any]) -> npt.NDArray[Any]:
        whole = own.copy()
        self._of.Allreduce(own, whole)
        return whole
