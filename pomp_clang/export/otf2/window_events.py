"""A location's calls on windows as OTF2's events of remote memory access."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

import numpy as np

from pomp_clang.export.otf2.translate import EventStep
from pomp_clang.mpi.variants import NAMES
from pomp_clang.otf2.layout import Event
from pomp_clang.trace.model import Ints
from pomp_clang.trace.mpi.actions import paired
from pomp_clang.trace.mpi.layout import NOBODY, OperationRole, OperationState
from pomp_clang.trace.mpi.operations import CallVisits, MpiOperations

_EVENTS = {
    Event.RMA_PUT: ("Put", "Rput"),
    Event.RMA_GET: ("Get", "Rget"),
    Event.RMA_ATOMIC: (
        "Accumulate", "Raccumulate", "Get_accumulate", "Rget_accumulate", "Fetch_and_op",
        "Compare_and_swap",
    ),
    Event.RMA_ACQUIRE_LOCK: ("Win_lock", "Win_lock_all"),
    Event.RMA_RELEASE_LOCK: ("Win_unlock", "Win_unlock_all"),
    Event.RMA_GROUP_SYNC: ("Win_post", "Win_start", "Win_complete", "Win_wait", "Win_test"),
    Event.RMA_COLLECTIVE_END: ("Win_fence", "Win_free"),
}  # fmt: skip
"""By function; the others are RMA_SYNC."""

_ATOMIC = {"Compare_and_swap": 3, "Fetch_and_op": 5}
"""OTF2's numbers of kinds; else it accumulates."""

_DESTROYS = 18
_MEMORY_AND_PROCESS = 3
_EXCLUSIVE, _SHARED = 0, 1


def _by_function(table: dict[str, int], otherwise: int) -> Ints:
    names = [name.removeprefix("MPI_").removesuffix("_c") for name in NAMES]
    return np.array([*(table.get(name, otherwise) for name in names), otherwise], np.int64)


_EVENT = _by_function({n: event for event, names in _EVENTS.items() for n in names}, Event.RMA_SYNC)
_KIND = _by_function(_ATOMIC, 0)
_COLLECTIVE = _by_function({"Win_free": _DESTROYS}, 0)


@dataclass(frozen=True, slots=True)
class RankSets:
    """Sets of a window's ranks that calls synchronize with, numbered from `first` in the order of
    first use."""

    first: int
    known: dict[tuple[int, tuple[int, ...]], int] = field(default_factory=dict)

    def number(self, window: int, ranks: tuple[int, ...]) -> int:
        return self.first + self.known.setdefault((window, ranks), len(self.known))


class WindowEvents:
    """The window events of one location; `function` is that of each call, `window` the number of
    each operation's window."""

    def __init__(
        self,
        visits: CallVisits,
        operations: MpiOperations,
        function: Ints,
        window: Ints,
        sets: RankSets,
    ) -> None:
        self.visits = visits
        self.done = _with_request_bytes(operations)
        self.function = function
        self.window = window
        self.sets = sets
        rows = (operations.role == OperationRole.ACCESSES) & (window >= 0)
        self.rows = np.flatnonzero(
            rows & np.isin(operations.state, (OperationState.WHOLE, OperationState.BEGUN))
        )

    def steps(self) -> Iterator[EventStep]:
        operations, visits = self.done, self.visits
        event = _EVENT[self.function[operations.call]]
        for type_ in np.unique(event[self.rows]).tolist():
            rows = self.rows[event[self.rows] == type_]
            target = self.window[rows], operations.rank[rows]
            none = np.zeros(len(rows), np.int64)
            out, in_ = operations.bytes_out[rows], operations.bytes_in[rows]
            function = self.function[operations.call[rows]]
            fields: tuple[Ints, ...]
            match type_:
                case Event.RMA_PUT:
                    fields = (*target, out, none)
                case Event.RMA_GET:
                    fields = (*target, in_, none)
                case Event.RMA_ATOMIC:
                    fields = (*target, _KIND[function], out, in_, none)
                case Event.RMA_ACQUIRE_LOCK:
                    fields = (
                        *target,
                        none,
                        np.where(operations.tag[rows] == 1, _EXCLUSIVE, _SHARED),
                    )
                case Event.RMA_RELEASE_LOCK:
                    fields = (*target, none)
                case Event.RMA_COLLECTIVE_END:
                    yield EventStep(
                        Event.RMA_COLLECTIVE_BEGIN, visits.began[operations.call[rows]], ()
                    )
                    level = none + _MEMORY_AND_PROCESS
                    fields = (_COLLECTIVE[function], level, target[0], none - 1, none, none)
                case Event.RMA_GROUP_SYNC:
                    rows, group = self._groups(rows)
                    fields = (np.full(len(rows), _MEMORY_AND_PROCESS), self.window[rows], group)
                case _:
                    fields = (*target, none)
            yield EventStep(Event(type_), operations.row[rows], fields)

    def _groups(self, rows: Ints) -> tuple[Ints, Ints]:
        """Return the first row of each call, and the number of the set that it names."""
        call, first, size = np.unique(self.done.call[rows], return_index=True, return_counts=True)
        numbers = np.empty(len(call), np.int64)
        for count in np.unique(size).tolist():
            rows_of_size = np.flatnonzero(size == count)
            group = rows[first[rows_of_size][:, None] + np.arange(count)]
            named = np.column_stack([self.window[rows[first[rows_of_size]]], self.done.rank[group]])
            sets, set_number = np.unique(named, axis=0, return_inverse=True)
            sets_of = [
                self.sets.number(window, tuple(rank for rank in ranks if rank != NOBODY))
                for window, *ranks in sets.tolist()
            ]
            numbers[rows_of_size] = np.array(sets_of, np.int64)[set_number.reshape(-1)]
        return rows[first], numbers


def _with_request_bytes(operations: MpiOperations) -> MpiOperations:
    """Return operations with their bytes at the beginning; requests record them at completion."""
    begins = np.flatnonzero(
        (operations.role == OperationRole.ACCESSES) & (operations.state == OperationState.BEGUN)
    )
    ends = np.flatnonzero(
        (operations.role == OperationRole.ACCESSES) & (operations.state == OperationState.COMPLETE)
    )
    _, key = np.unique(
        np.concatenate([operations.serial[begins], operations.serial[ends]]), return_inverse=True
    )
    key = key.reshape(-1)
    end = paired(key[: len(begins)], key[len(begins) :], ends)
    begins, end = begins[end >= 0], end[end >= 0]
    out, in_ = operations.bytes_out.copy(), operations.bytes_in.copy()
    out[begins], in_[begins] = operations.bytes_out[end], operations.bytes_in[end]
    return replace(operations, bytes_out=out, bytes_in=in_)
