"""What a location did in MPI -> OTF2's events, beside those of its stream."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from pomp_clang.mpi.names import NAMES
from pomp_clang.otf2.layout import ROOT_IS_SELF, Event, Paradigm, Role
from pomp_clang.otf2.regions import RegionRow
from pomp_clang.otf2.translate import Step
from pomp_clang.otf2.windows import Accesses, Sets
from pomp_clang.trace.model import Ints, Stream
from pomp_clang.trace.mpi.columns import NONE
from pomp_clang.trace.mpi.groups import Groups
from pomp_clang.trace.mpi.layout import ITSELF, NOBODY, State
from pomp_clang.trace.mpi.layout import Role as Does
from pomp_clang.trace.mpi.operations import Operations, Visits, calls_of

_OPERATIONS = (
    "Barrier", "Bcast", "Gather", "Gatherv", "Scatter", "Scatterv", "Allgather", "Allgatherv",
    "Alltoall", "Alltoallv", "Alltoallw", "Allreduce", "Reduce", "Reduce_scatter", "Scan",
    "Exscan", "Reduce_scatter_block",
)  # fmt: skip
"""By OTF2's numbers; those of neighbours are as those of all."""

_ROLES = (
    (("File_",), Role.FILE_IO),
    (("Win_", "Put", "Get_acc", "Accumulate", "Rput", "Rget", "Raccumulate"), Role.ACCESS),
    (("Bcast", "Ibcast", "Scatter", "Iscatter"), Role.COLLECTIVE_FROM_ONE),
    (("Gather", "Igather", "Reduce_init", "Ireduce"), Role.COLLECTIVE_TO_ONE),
    (("Barrier", "Ibarrier"), Role.BARRIER),
    (("All", "Iall", "Scan", "Exscan", "Neighbor", "Reduce_s"), Role.COLLECTIVE),
    (("Send", "Recv", "Isend", "Irecv", "Ssend", "Bsend", "Rsend", "Mrecv"), Role.MESSAGE),
)


@dataclass(frozen=True, slots=True, eq=False)
class Numbers:
    """How the archive numbers what MPI's events name: functions from `functions` on, a
    communicator at its own number behind `communicators`, and a window, of one that is one, by
    `windows`."""

    functions: int
    communicators: int
    windows: Ints
    sets: Sets


def function_rows() -> Iterator[RegionRow]:
    """MPI's functions as regions, by their number in the table."""
    for name in NAMES:
        short = name.removeprefix("MPI_")
        role = next((role for starts, role in _ROLES if short.startswith(starts)), Role.FUNCTION)
        yield RegionRow(name, role, Paradigm.MPI, "", (0, 0))


class Calls:
    """Of one location.  `functions` are the table's numbers of those that the trace names."""

    def __init__(
        self, stream: Stream, end: int, groups: Groups, functions: Ints, numbers: Numbers
    ) -> None:  # fmt: skip
        self.size = len(stream.op)
        self.visits: Visits
        self.done: Operations
        self.visits, self.done = calls_of(stream, end)
        known = np.minimum(self.visits.function, len(functions) - 1)
        self.function = functions[known]
        self.numbers = numbers
        self.comm = groups.numbers(self.done.group)
        self.comm_number = np.where(self.comm > 0, numbers.communicators + self.comm, NONE)

    def stream(self, stream: Stream) -> Stream:
        """What is complete is so when its call is over; what is begun is, when that begins."""
        done = self.done
        begins = (done.state == State.BEGUN) | (done.state == State.PREPARED)
        begins |= (done.state == State.WHOLE) & (done.role == Does.SENDS)
        late = np.flatnonzero(~begins)
        time = stream.time.copy()
        time[done.row[late]] = self.visits.leave[done.call[late]]
        return replace(stream, time=time)

    def before(self) -> Iterator[Step]:
        """A call that was left for good is over where the next one begins."""
        yield self._leaves((self.visits.ended == 0) & (self.visits.over < self.size))

    def behind(self) -> Iterator[Step]:
        visits = self.visits
        top = np.flatnonzero((visits.outer == NONE) & (self.function >= 0))
        region = self.numbers.functions + self.function
        yield Step(Event.ENTER, visits.began[top], (region[top],))
        yield from self._messages()
        yield from self._collectives()
        yield from Accesses(
            visits, self.done, self.function, self.numbers.windows[self.comm], self.numbers.sets
        ).steps()
        yield self._leaves((visits.ended > 0) | (visits.over == self.size))

    def _leaves(self, which: npt.NDArray[np.bool_]) -> Step:
        visits = self.visits
        top = np.flatnonzero((visits.outer == NONE) & (self.function >= 0) & which)
        where = np.minimum(visits.over[top], self.size - 1)
        return Step(Event.LEAVE, where, (self.numbers.functions + self.function[top],))

    def _step(self, event: Event, role: Does, states: Sequence[State], *columns: Ints) -> Step:
        done = self.done
        mine = (done.role == role) & np.isin(done.state, states) & (self.comm > 0)
        if role != Does.GATHERS:
            mine &= done.rank != NOBODY
        rows = np.flatnonzero(mine)
        return Step(event, done.row[rows], tuple(column[rows] for column in columns))

    def _messages(self) -> Iterator[Step]:
        done, peer, comm = self.done, self.done.rank, self.comm_number
        sent = peer, comm, done.tag, done.bytes_out
        got = peer, comm, done.tag, done.bytes_in
        number = done.serial
        out, in_ = Does.SENDS, Does.RECEIVES
        yield self._step(Event.MPI_SEND, out, (State.WHOLE,), *sent)
        yield self._step(Event.MPI_ISEND, out, (State.BEGUN,), *sent, number)
        yield self._step(Event.MPI_ISEND_COMPLETE, out, (State.COMPLETE,), number)
        yield self._step(Event.MPI_RECV, in_, (State.WHOLE,), *got)
        yield self._step(Event.MPI_IRECV_REQUEST, in_, (State.BEGUN,), number)
        yield self._step(Event.MPI_IRECV, in_, (State.COMPLETE, State.FREED), *got, number)
        for role in (out, in_):
            yield self._step(Event.MPI_REQUEST_CANCELLED, role, (State.CANCELLED,), number)

    def _collectives(self) -> Iterator[Step]:
        done, what = self.done, self._operations()
        root = np.where(done.tag == ITSELF, ROOT_IS_SELF, np.maximum(done.tag, NONE))
        told = what, self.comm_number, root, done.bytes_out, done.bytes_in
        whole, ended = (State.WHOLE,), (State.COMPLETE, State.FREED)
        begun = self._step(Event.MPI_COLLECTIVE_BEGIN, Does.GATHERS, whole, done.call)
        yield Step(begun.type, self.visits.began[begun.fields[0]], ())
        yield self._step(Event.MPI_COLLECTIVE_END, Does.GATHERS, whole, *told)
        yield self._step(Event.COLLECTIVE_REQUEST, Does.GATHERS, (State.BEGUN,), done.serial)
        yield self._step(Event.COLLECTIVE_COMPLETE, Does.GATHERS, ended, *told, done.serial)

    def _operations(self) -> Ints:
        """OTF2's number of each collective operation, by the call that told what it is."""
        kinds = np.array([_kind_of(name) for name in NAMES] + [0], np.int64)
        done = self.done
        told = np.flatnonzero(np.isin(done.state, (State.BEGUN, State.PREPARED, State.WHOLE)))
        found = kinds[self.function[done.call]]
        serials = done.serial[told]
        first = np.unique(serials, return_index=True)[1]
        serials, rows = serials[first], told[first]
        at = np.minimum(np.searchsorted(serials, done.serial), max(0, len(serials) - 1))
        if len(serials):
            known = (serials[at] == done.serial) & (done.serial > 0)
            found = np.where(known, kinds[self.function[done.call[rows[at]]]], found)
        return np.asarray(found, np.int64)


def _kind_of(name: str) -> int:
    short = name.removeprefix("MPI_").removesuffix("_c").removesuffix("_init")
    short = short.removeprefix("Neighbor_").removeprefix("Ineighbor_").capitalize()
    begun = short[1:].capitalize() if short.startswith("I") else short
    return _OPERATIONS.index(begun) if begun in _OPERATIONS else 0
