"""Numbers of an archive's processes, communicators and MPI functions in the traces read from it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from pomp_clang.mpi.variants import NUMBERS
from pomp_clang.otf2.events import Events, Ints
from pomp_clang.otf2.layout import PROCESS, Event, GroupType, Paradigm
from pomp_clang.trace.mpi.groups import ARCHIVED, ARCHIVED_WINDOW
from pomp_clang.trace.mpi.layout import NOBODY, SELF, WORLD
from pomp_clang.trace.otf2.definitions import Definitions, RegionDefinition

_BY_NAME = {name.upper(): name for name in NUMBERS}


@dataclass(frozen=True, slots=True)
class ArchivedProcess:
    """A process of an archive: its rank, its group's number, and its locations."""

    rank: int
    group: int
    locations: tuple[int, ...]


def processes_in(definitions: Definitions) -> list[ArchivedProcess]:
    """List the processes by rank: as MPI's locations are numbered, the others in the order of their
    definitions."""
    locations: dict[int, list[int]] = {}
    for number, number_of_location in definitions.locations.items():
        locations.setdefault(_process_of(definitions, number_of_location.process), []).append(
            number
        )
    at = {location: rank for rank, location in reversed([*enumerate(definitions.ranks)])}
    ranks: dict[int, int] = {}
    for group, numbers in locations.items():
        ranks[group] = min((at[number_] for number_ in numbers if number_ in at), default=NOBODY)
    free = iter(sorted(set(range(len(at) + len(ranks))) - set(ranks.values())))
    return sorted(
        (
            ArchivedProcess(rank if rank != NOBODY else next(free), group, tuple(locations[group]))
            for group, rank in ranks.items()
        ),
        key=lambda part: part.rank,
    )


def _process_of(definitions: Definitions, group: int) -> int:
    """Return a location group, or the first process for one that is not a process (an accelerator)."""
    known = definitions.processes.get(group)
    if known is None or known.type == PROCESS:
        return group
    processes = (n for n, process in definitions.processes.items() if process.type == PROCESS)
    return next(processes, group)


def function_of(region: RegionDefinition) -> str | None:
    """Return the MPI function of a region, None for others.

    Tools write its name with an argument list, or as Fortran does.
    """
    name = region.name.partition("(")[0].strip().rstrip("_")
    known = _BY_NAME.get(name.upper())
    return known or (name or "MPI" if region.paradigm == Paradigm.MPI else None)


class Numbering:
    """The trace's numbers of an archive's functions (places in `functions`), communicators and
    windows."""

    def __init__(self, definitions: Definitions, parts: Sequence[ArchivedProcess]) -> None:
        self.definitions = definitions
        regions = {
            number: name
            for number, region in sorted(definitions.regions.items())
            if (name := function_of(region)) is not None
        }
        self.functions = list(dict.fromkeys("_".join(name.split()) for name in regions.values()))
        place = {name: number for number, name in enumerate(self.functions)}
        self._regions = np.array([*regions], np.int64)
        self._function = np.array(
            [place["_".join(name.split())] for name in regions.values()], np.int64
        )
        rank_of = {location: part.rank for part in parts for location in part.locations}
        named = [rank_of.get(rank, NOBODY) for rank in definitions.ranks]
        self._ranks = named or list(range(len(parts)))
        self.size = max([len(self._ranks), *(part.rank + 1 for part in parts)])
        self._comm = {
            number: self._number_of_communicator(number, SELF + 1 + place)
            for place, number in enumerate(sorted(definitions.comms))
        }
        first = SELF + 1 + len(definitions.comms)
        self._window = {
            number: first + place for place, number in enumerate(sorted(definitions.windows))
        }

    def functions_at(self, events: Events) -> Ints:
        """Return the function that each event enters or leaves, -1 for others."""
        functions = np.full(len(events), -1)
        if len(self._regions):
            rows = np.flatnonzero((events.type == Event.ENTER) | (events.type == Event.LEAVE))
            region = events.fields[0][rows]
            at = np.minimum(np.searchsorted(self._regions, region), len(self._regions) - 1)
            functions[rows] = np.where(self._regions[at] == region, self._function[at], -1)
        return functions

    def those(self, names: Iterable[str]) -> list[int]:
        """Return the numbers of the functions with these names."""
        name_set = set(names)
        return [number for number, name in enumerate(self.functions) if name in name_set]

    def comms(self, numbers: Ints) -> Ints:
        return _looked_up(numbers, self._comm)

    def windows(self, numbers: Ints) -> Ints:
        return _looked_up(numbers, self._window)

    def members(self, windows: Ints, groups: Ints) -> tuple[Ints, Ints]:
        """Return a row for each member of a pair of window and group: the pair's place, and the
        member's rank in the window.

        A pair without members has one row with `NOBODY`.
        """
        pairs, pair_number = np.unique(np.stack([windows, groups]), axis=1, return_inverse=True)
        members = [self._within(*pair) for pair in pairs.T.tolist()]
        count = np.array([len(ranks) for ranks in members], np.int64)
        flat = np.array([rank for ranks in members for rank in ranks], np.int64)
        first = np.cumsum(count) - count
        pair_number = pair_number.reshape(-1)
        rows = np.repeat(np.arange(len(pair_number)), count[pair_number])
        start = np.cumsum(count[pair_number]) - count[pair_number]
        within = np.arange(len(rows)) - np.repeat(start, count[pair_number])
        return rows, flat[first[pair_number[rows]] + within]

    def _within(self, window: int, group: int) -> list[int]:
        if group not in self.definitions.groups:
            return [NOBODY]
        comm = self.definitions.comms.get(self.definitions.windows.get(window, -1))
        all_ = self.members_of(comm.group) if comm else ()
        place = {rank: n for n, rank in enumerate(all_)}
        return [place.get(rank, NOBODY) for rank in self.members_of(group)] or [NOBODY]

    def members_of(self, group: int) -> tuple[int, ...]:
        """Return the members of a group as ranks of the job."""
        known = self.definitions.groups.get(group)
        if known is None:
            return ()
        ranks = self._ranks
        return tuple(
            ranks[member] if 0 <= member < len(ranks) else NOBODY for member in known.members
        )

    def _number_of_communicator(self, comm: int, number: int) -> int:
        """Return the trace's number of a communicator, 0 if it is not MPI's."""
        defined = self.definitions.comms[comm]
        group = self.definitions.groups.get(defined.group)
        if group is None or group.paradigm != Paradigm.MPI:
            return 0
        if group.type == GroupType.COMM_SELF:
            return SELF
        is_all = self.members_of(defined.group) == tuple(range(self.size))
        return WORLD if is_all and defined.name == "MPI_COMM_WORLD" else number

    def texts(self, rank: int) -> dict[str, str]:
        """Return the texts of MPI in the trace of a process."""
        texts = {
            "mpi_rank": str(rank),
            "mpi_size": str(self.size),
            "mpi_functions": " ".join(self.functions),
        }
        for comm, members in self._comm.items():
            if members > SELF:
                texts[f"mpi_group_{members}"] = f"{ARCHIVED} {comm} 0 {self._members(comm, rank)}"
        for window, members in self._window.items():
            comm = self.definitions.windows[window]
            texts[f"mpi_group_{members}"] = (
                f"{ARCHIVED_WINDOW} {window} 0 {self._members(comm, rank)}"
            )
        return texts

    def _members(self, comm: int, rank: int) -> str:
        """Return the text of a communicator's members; of two groups the process's own comes first."""
        defined = self.definitions.comms.get(comm)
        if defined is None:
            return "?"
        members = self.members_of(defined.group)
        if defined.other < 0:
            return ranges(members)
        remote = self.members_of(defined.other)
        pair = (members, remote) if rank in members else (remote, members)
        return "/".join(map(ranges, pair))


def ranges(ranks: Sequence[int]) -> str:
    """Return ranks as a trace writes them; a process outside the job is a question mark."""
    if not ranks:
        return "?"
    spans: list[list[int]] = []
    for rank in ranks:
        if spans and rank >= 0 and rank == spans[-1][-1] + 1 and spans[-1][0] >= 0:
            spans[-1][1:] = [rank]
        else:
            spans.append([rank])
    return ",".join("?" if span[0] < 0 else "-".join(map(str, span)) for span in spans)


def _looked_up(numbers: Ints, table: dict[int, int]) -> Ints:
    known, place = np.unique(numbers, return_inverse=True)
    values = np.array([table.get(number, 0) for number in known.tolist()], np.int64)
    return values[place.reshape(-1)] if len(known) else numbers
