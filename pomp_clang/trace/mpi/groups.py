"""Communicators and windows: the processes' numbers matched.

A process records the members of each, and the parent and the call that made it. Groups made by
their members alone differ in the number of earlier groups with the same members.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache

import numpy as np

from pomp_clang.experiment.mpi_calls import number_of
from pomp_clang.trace.model import Ints
from pomp_clang.trace.mpi.columns import NONE, Communicator
from pomp_clang.trace.mpi.layout import SELF, WORLD

_KEY = "mpi_group_"
_WINDOW, _DERIVED = "window", "derived"
ARCHIVED, ARCHIVED_WINDOW = "archived", "archived_window"
"""The kinds of groups that all processes of an archive number alike."""


@dataclass(frozen=True, slots=True, eq=False)
class Groups:
    """A process's groups by its own numbers. `number` is the job's; the ranks of the peers of a
    group are `size` of `ranks` from `first`."""

    number: Ints
    first: Ints
    size: Ints
    ranks: Ints

    def numbers(self, groups: Ints) -> Ints:
        """Return the job's number of each group, 0 for unknown ones."""
        known = (groups > 0) & (groups < len(self.number))
        return np.where(known, self.number[np.where(known, groups, 0)], 0)

    def translate(self, groups: Ints, ranks: Ints) -> Ints:
        """Convert ranks in groups to ranks of the job; unknown ones become `NONE`."""
        known = (groups > 0) & (groups < len(self.number)) & (ranks >= 0)
        groups = np.where(known, groups, 0)
        known &= ranks < self.size[groups]
        return np.where(known, self.ranks[np.where(known, self.first[groups] + ranks, 0)], NONE)


@dataclass(slots=True)
class Registry:
    """The groups of all processes as one job's; numbers begin with 1."""

    size: int
    communicators: list[Communicator] = field(default_factory=list)
    numbers: dict[tuple[object, ...], int] = field(default_factory=dict)

    def add(self, rank: int, texts: Mapping[str, str]) -> Groups:
        """Register the groups that a process recorded, and return its numbering."""
        world = tuple(range(self.size))
        groups = {
            0: (0, ()),
            WORLD: (self._number((WORLD,), world, (), "MPI_COMM_WORLD"), world),
            SELF: (self._number((SELF, rank), (rank,), (), "MPI_COMM_SELF"), (rank,)),
        }
        before: Counter[tuple[object, ...]] = Counter()
        for communicator, text in sorted(_group_texts(texts)):
            kind, parent_number, call, members = text
            members_here, remote = ranks_of(members, self.size)
            if kind == _DERIVED or (kind == _WINDOW and int(parent_number)):
                parent = groups.get(int(parent_number), (0, ()))[0]
                key: tuple[object, ...] = (kind, parent, call, _sides(members))
            elif kind in (ARCHIVED, ARCHIVED_WINDOW):
                key = (kind, parent_number)
            else:
                key = (kind, _sides(members))
                before[key] += 1
                key = (*key, before[key])
            number = self._number(key, members_here, remote, "", kind in (_WINDOW, ARCHIVED_WINDOW))
            groups[communicator] = number, remote or members_here
        return _groups(groups)

    def _number(
        self,
        key: tuple[object, ...],
        members: tuple[int, ...],
        remote: tuple[int, ...],
        name: str,
        is_window: bool = False,
    ) -> int:
        number = self.numbers.setdefault(key, len(self.numbers) + 1)
        if number > len(self.communicators):
            self.communicators.append(Communicator(number, members, remote, name, is_window))
        return number


def _group_texts(texts: Mapping[str, str]) -> Iterable[tuple[int, list[str]]]:
    for key, text in texts.items():
        communicator, values = key.removeprefix(_KEY), text.split(" ")
        number = number_of(communicator) if key.startswith(_KEY) else None
        well = len(values) == 4 and None not in map(number_of, values[1:3])
        if number is not None and number > SELF and well:
            yield number, values


def _sides(members: str) -> tuple[str, ...]:
    """Return both sides of a group sorted, as each side of an intercommunicator names itself first."""
    return tuple(sorted(members.split("/")))


@cache
def ranks_of(text: str, size: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the ranks of both groups; a process outside the job is `NONE`."""
    first_part, _, remote = text.partition("/")
    return tuple(_ranks(first_part, size)), tuple(_ranks(remote, size))


def _ranks(text: str, size: int) -> Iterable[int]:
    for part in filter(None, text.split(",")):
        first, _, last = part.partition("-")
        begin, end = number_of(first), number_of(last or first)
        if begin is not None and end is not None and begin <= end < size:
            yield from range(begin, end + 1)
        else:
            yield NONE


def _groups(groups: Mapping[int, tuple[int, tuple[int, ...]]]) -> Groups:
    count = max(groups) + 1
    number, size = np.zeros(count, np.int64), np.zeros(count, np.int64)
    for communicator, (of_job, ranks) in groups.items():
        number[communicator], size[communicator] = of_job, len(ranks)
    first = np.cumsum(size) - size
    flat = [rank for number in sorted(groups) for rank in groups[number][1]]
    return Groups(number, first, size, np.array([*flat, NONE], np.int64))
