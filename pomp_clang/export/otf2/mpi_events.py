"""A location's MPI operations as OTF2 events, beside those of its stream."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from pomp_clang.export.otf2.region_rows import RegionRow
from pomp_clang.export.otf2.translate import EventStep
from pomp_clang.export.otf2.window_events import RankSets, WindowEvents
from pomp_clang.mpi.variants import NAMES
from pomp_clang.otf2.layout import ROOT_IS_SELF, Event, Paradigm, RegionRole
from pomp_clang.trace.model import Ints, Stream
from pomp_clang.trace.mpi.columns import NONE
from pomp_clang.trace.mpi.groups import Groups
from pomp_clang.trace.mpi.layout import ITSELF, NOBODY, OperationState
from pomp_clang.trace.mpi.layout import OperationRole as Does
from pomp_clang.trace.mpi.operations import CallVisits, MpiOperations, calls_of

_OPERATIONS = (
    "Barrier", "Bcast", "Gather", "Gatherv", "Scatter", "Scatterv", "Allgather", "Allgatherv",
    "Alltoall", "Alltoallv", "Alltoallw", "Allreduce", "Reduce", "Reduce_scatter", "Scan",
    "Exscan", "Reduce_scatter_block",
)  # fmt: skip
"""By OTF2's numbers; those of neighbours are as those of all."""

_ROLES = (
    (("File_",), RegionRole.FILE_IO),
    (("Win_", "Put", "Get_acc", "Accumulate", "Rput", "Rget", "Raccumulate"), RegionRole.ACCESS),
    (("Bcast", "Ibcast", "Scatter", "Iscatter"), RegionRole.COLLECTIVE_FROM_ONE),
    (("Gather", "Igather", "Reduce_init", "Ireduce"), RegionRole.COLLECTIVE_TO_ONE),
    (("Barrier", "Ibarrier"), RegionRole.BARRIER),
    (("All", "Iall", "Scan", "Exscan", "Neighbor", "Reduce_s"), RegionRole.COLLECTIVE),
    (("Send", "Recv", "Isend", "Irecv", "Ssend", "Bsend", "Rsend", "Mrecv"), RegionRole.MESSAGE),
)


@dataclass(frozen=True, slots=True, eq=False)
class ArchiveNumbers:
    """The archive's numbers for MPI: `functions` is the first function's.

    A communicator's number is its own plus `communicators`; a window's stands in `windows` by its
    communicator.
    """

    functions: int
    communicators: int
    windows: Ints
    sets: RankSets


def function_rows() -> Iterator[RegionRow]:
    """Yield MPI's functions as regions, in the order of their table."""
    for name in NAMES:
        short = name.removeprefix("MPI_")
        role = next(
            (role for starts, role in _ROLES if short.startswith(starts)), RegionRole.FUNCTION
        )
        yield RegionRow(name, role, Paradigm.MPI, "", (0, 0))


class LocationMpiEvents:
    """The MPI events of one location. `functions` maps the functions that its trace names to rows
    of the table."""

    def __init__(
        self, stream: Stream, end: int, groups: Groups, functions: Ints, numbers: ArchiveNumbers
    ) -> None:  # fmt: skip
        self.size = len(stream.op)
        self.visits: CallVisits
        self.done: MpiOperations
        self.visits, self.done = calls_of(stream, end)
        known = np.minimum(self.visits.function, len(functions) - 1)
        self.function = functions[known]
        self.numbers = numbers
        self.comm = groups.numbers(self.done.group)
        self.comm_number = np.where(self.comm > 0, numbers.communicators + self.comm, NONE)

    def stream(self, stream: Stream) -> Stream:
        """Return the stream with a completed operation at the end of its call, and one that was
        begun at its beginning."""
        operations = self.done
        begins = (operations.state == OperationState.BEGUN) | (
            operations.state == OperationState.PREPARED
        )
        begins |= (operations.state == OperationState.WHOLE) & (operations.role == Does.SENDS)
        late = np.flatnonzero(~begins)
        time = stream.time.copy()
        time[operations.row[late]] = self.visits.leave[operations.call[late]]
        return replace(stream, time=time)

    def before(self) -> Iterator[EventStep]:
        """Yield the end of each abandoned call, where the next one begins."""
        yield self._leaves((self.visits.ended == 0) & (self.visits.over < self.size))

    def call_steps(self) -> Iterator[EventStep]:
        """Yield the calls' begins, their operations, and their ends."""
        visits = self.visits
        top = np.flatnonzero((visits.outer == NONE) & (self.function >= 0))
        region = self.numbers.functions + self.function
        yield EventStep(Event.ENTER, visits.began[top], (region[top],))
        yield from self._messages()
        yield from self._collectives()
        yield from WindowEvents(
            visits, self.done, self.function, self.numbers.windows[self.comm], self.numbers.sets
        ).steps()
        yield self._leaves((visits.ended > 0) | (visits.over == self.size))

    def _leaves(self, selection: npt.NDArray[np.bool_]) -> EventStep:
        visits = self.visits
        top = np.flatnonzero((visits.outer == NONE) & (self.function >= 0) & selection)
        row = np.minimum(visits.over[top], self.size - 1)
        return EventStep(Event.LEAVE, row, (self.numbers.functions + self.function[top],))

    def _step(
        self, event: Event, role: Does, states: Sequence[OperationState], *columns: Ints
    ) -> EventStep:
        operations = self.done
        is_wanted = (operations.role == role) & np.isin(operations.state, states) & (self.comm > 0)
        if role != Does.GATHERS:
            is_wanted &= operations.rank != NOBODY
        rows = np.flatnonzero(is_wanted)
        return EventStep(event, operations.row[rows], tuple(column[rows] for column in columns))

    def _messages(self) -> Iterator[EventStep]:
        operations, peer, comm = self.done, self.done.rank, self.comm_number
        sent = peer, comm, operations.tag, operations.bytes_out
        receive_values = peer, comm, operations.tag, operations.bytes_in
        number = operations.serial
        out, in_ = Does.SENDS, Does.RECEIVES
        yield self._step(Event.MPI_SEND, out, (OperationState.WHOLE,), *sent)
        yield self._step(Event.MPI_ISEND, out, (OperationState.BEGUN,), *sent, number)
        yield self._step(Event.MPI_ISEND_COMPLETE, out, (OperationState.COMPLETE,), number)
        yield self._step(Event.MPI_RECV, in_, (OperationState.WHOLE,), *receive_values)
        yield self._step(Event.MPI_IRECV_REQUEST, in_, (OperationState.BEGUN,), number)
        yield self._step(
            Event.MPI_IRECV,
            in_,
            (OperationState.COMPLETE, OperationState.FREED),
            *receive_values,
            number,
        )
        for role in (out, in_):
            yield self._step(Event.MPI_REQUEST_CANCELLED, role, (OperationState.CANCELLED,), number)

    def _collectives(self) -> Iterator[EventStep]:
        operations, kinds = self.done, self._operations()
        root = np.where(operations.tag == ITSELF, ROOT_IS_SELF, np.maximum(operations.tag, NONE))
        values = kinds, self.comm_number, root, operations.bytes_out, operations.bytes_in
        complete, ended = (OperationState.WHOLE,), (OperationState.COMPLETE, OperationState.FREED)
        begins = self._step(Event.MPI_COLLECTIVE_BEGIN, Does.GATHERS, complete, operations.call)
        yield EventStep(begins.type, self.visits.began[begins.fields[0]], ())
        yield self._step(Event.MPI_COLLECTIVE_END, Does.GATHERS, complete, *values)
        yield self._step(
            Event.COLLECTIVE_REQUEST, Does.GATHERS, (OperationState.BEGUN,), operations.serial
        )
        yield self._step(Event.COLLECTIVE_COMPLETE, Does.GATHERS, ended, *values, operations.serial)

    def _operations(self) -> Ints:
        """Return OTF2's number of each collective operation, by the call that names it."""
        kinds = np.array([_kind_of(name) for name in NAMES] + [0], np.int64)
        operations = self.done
        begins = np.flatnonzero(
            np.isin(
                operations.state,
                (OperationState.BEGUN, OperationState.PREPARED, OperationState.WHOLE),
            )
        )
        kind = kinds[self.function[operations.call]]
        serials = operations.serial[begins]
        first = np.unique(serials, return_index=True)[1]
        serials, rows = serials[first], begins[first]
        at = np.minimum(np.searchsorted(serials, operations.serial), max(0, len(serials) - 1))
        if len(serials):
            known = (serials[at] == operations.serial) & (operations.serial > 0)
            kind = np.where(known, kinds[self.function[operations.call[rows[at]]]], kind)
        return np.asarray(kind, np.int64)


def _kind_of(name: str) -> int:
    short = name.removeprefix("MPI_").removesuffix("_c").removesuffix("_init")
    short = short.removeprefix("Neighbor_").removeprefix("Ineighbor_").capitalize()
    kind = short[1:].capitalize() if short.startswith("I") else short
    return _OPERATIONS.index(kind) if kind in _OPERATIONS else 0
