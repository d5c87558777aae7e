"""MPI operations of a process's locations in OTF2 events, as words of a trace."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path

import numpy as np
import numpy.typing as npt

from pomp_clang.otf2.events import Events, Ints
from pomp_clang.otf2.layout import MPI_WORD, ROOT_IS_SELF, Event
from pomp_clang.trace.model import Stream
from pomp_clang.trace.mpi.actions import paired
from pomp_clang.trace.mpi.layout import (
    ITSELF,
    MPI,
    NOBODY,
    TAG_BITS,
    OperationRole,
    OperationState,
    amounts,
    operation,
)
from pomp_clang.trace.mpi.layout import CallEvent as Word
from pomp_clang.trace.otf2.decode_events import damaged
from pomp_clang.trace.otf2.numbering import Numbering

_LOW = (1 << TAG_BITS) - 1


@dataclass(frozen=True, slots=True)
class _WordForm:
    """The role and state of an event's operation, and which of the event's fields hold its values."""

    role: OperationRole
    state: OperationState
    group: int | None = None
    rank: int | None = None
    tag: int | None = None
    bytes_out: int | None = None
    bytes_in: int | None = None
    serial: int | None = None


_MESSAGES = {
    Event.MPI_SEND: _WordForm(OperationRole.SENDS, OperationState.WHOLE, 1, 0, 2, bytes_out=3),
    Event.MPI_ISEND: _WordForm(
        OperationRole.SENDS, OperationState.BEGUN, 1, 0, 2, bytes_out=3, serial=4
    ),
    Event.MPI_ISEND_COMPLETE: _WordForm(OperationRole.SENDS, OperationState.COMPLETE, serial=0),
    Event.MPI_RECV: _WordForm(OperationRole.RECEIVES, OperationState.WHOLE, 1, 0, 2, bytes_in=3),
    Event.MPI_IRECV_REQUEST: _WordForm(OperationRole.RECEIVES, OperationState.BEGUN, serial=0),
    Event.MPI_IRECV: _WordForm(
        OperationRole.RECEIVES, OperationState.COMPLETE, 1, 0, 2, bytes_in=3, serial=4
    ),
    Event.MPI_REQUEST_CANCELLED: _WordForm(OperationRole.SENDS, OperationState.CANCELLED, serial=0),
}
_COLLECTIVES = {
    Event.MPI_COLLECTIVE_END: _WordForm(
        OperationRole.GATHERS, OperationState.WHOLE, 1, None, 2, 3, 4
    ),
    Event.COLLECTIVE_REQUEST: _WordForm(OperationRole.GATHERS, OperationState.BEGUN, serial=0),
    Event.COLLECTIVE_COMPLETE: _WordForm(
        OperationRole.GATHERS, OperationState.COMPLETE, 1, None, 2, 3, 4, 5
    ),
}
_LOCKS = (Event.RMA_REQUEST_LOCK, Event.RMA_ACQUIRE_LOCK, Event.RMA_TRY_LOCK)
_WINDOWS = {
    Event.RMA_COLLECTIVE_END: _WordForm(OperationRole.ACCESSES, OperationState.WHOLE, 2),
    Event.RMA_GROUP_SYNC: _WordForm(OperationRole.ACCESSES, OperationState.WHOLE, 1, 2),
    **{
        function: _WordForm(OperationRole.ACCESSES, OperationState.WHOLE, 0, 1, 3)
        for function in _LOCKS
    },
    Event.RMA_RELEASE_LOCK: _WordForm(OperationRole.ACCESSES, OperationState.WHOLE, 0, 1),
    Event.RMA_SYNC: _WordForm(OperationRole.ACCESSES, OperationState.WHOLE, 0, 1),
    Event.RMA_PUT: _WordForm(OperationRole.ACCESSES, OperationState.WHOLE, 0, 1, bytes_out=2),
    Event.RMA_GET: _WordForm(OperationRole.ACCESSES, OperationState.WHOLE, 0, 1, bytes_in=2),
    Event.RMA_ATOMIC: _WordForm(
        OperationRole.ACCESSES, OperationState.WHOLE, 0, 1, bytes_out=3, bytes_in=4
    ),
}
_FORMS = {**_MESSAGES, **_COLLECTIVES, **_WINDOWS}

_WITH_GROUP = frozenset(("MPI_Win_start", "MPI_Win_post"))
"""Functions whose group names the members; other functions only name the group again."""


@dataclass(frozen=True, slots=True, eq=False)
class _OperationWords:
    """Words of operations, a row each: of the location `at`, and its event `row`."""

    at: Ints
    row: Ints
    call: Ints
    type: Ints
    time: Ints
    role: Ints
    state: Ints
    group: Ints
    rank: Ints
    tag: Ints
    bytes_out: Ints
    bytes_in: Ints
    serial: Ints

    def rows(self, rows: npt.NDArray[np.generic]) -> _OperationWords:
        return _OperationWords(*(getattr(self, field.name)[rows] for field in fields(self)))


@dataclass(frozen=True, slots=True, eq=False)
class LocationWords:
    """A location's events with the words among them.

    The values of all words stand one behind the other; each word has `count` of them.
    """

    events: Events
    count: Ints
    values: Ints

    def with_values(self, stream: Stream) -> Stream:
        """Return the stream with the words' values."""
        rows = np.flatnonzero((stream.op >= MPI) & (stream.op < operation(len(OperationRole), 0)))
        if not len(rows):
            return stream
        row = np.concatenate([stream.value_row, np.repeat(rows, self.count)])
        order = np.argsort(row, kind="stable")
        values = np.concatenate([stream.values, self.values])
        return replace(stream, value_row=row[order], values=values[order])


def words_of(
    events: Sequence[Events], numbering: Numbering, files: Sequence[Path]
) -> list[LocationWords]:
    """Return the words of each location of a process; one location may complete what another began.

    Raises ExperimentError if a call is left that was not entered.
    """
    calls = [_calls(columns, numbering, file) for columns, file in zip(events, files, strict=True)]
    parts = [
        part
        for at, (columns, (_, depth, call)) in enumerate(zip(events, calls, strict=True))
        for part in _operation_words(at, columns, depth, call, numbering)
    ]
    none = np.zeros(0, np.int64)
    all_ = _OperationWords(
        *(
            np.concatenate([none, *(getattr(p, field.name) for p in parts)])
            for field in fields(_OperationWords)
        )
    )
    all_ = _completed(_without_repeated_requests(all_))
    return [
        _placed(columns, ops, all_.rows(all_.at == at), numbering)
        for at, (columns, (ops, _, _)) in enumerate(zip(events, calls, strict=True))
    ]


def _calls(events: Events, numbering: Numbering, file: Path) -> tuple[Ints, Ints, Ints]:
    """Return three columns of events: the operation of a call's begin or end, the number of open
    calls, and the newest call's enter.

    The operation of other events is 0.
    """
    ops = np.zeros(len(events), np.int64)
    function = numbering.functions_at(events)
    enters = (events.type == Event.ENTER) & (function >= 0)
    leaves = (events.type == Event.LEAVE) & (function >= 0)
    depth = np.cumsum(enters.astype(np.int64) - leaves)
    if len(depth) and depth.min() < 0:
        raise damaged(file, "is damaged (a call of MPI is left that was not entered)")
    ops[enters] = np.where(depth[enters] > 1, MPI + Word.ENTERS_WITHIN, MPI + Word.ENTERS)
    ops[leaves] = np.where(depth[leaves] > 0, MPI + Word.LEAVES_WITHIN, MPI + Word.LEAVES)
    newest = np.maximum.accumulate(np.where(enters, np.arange(len(events)), -1))
    return ops, depth, newest


def _operation_words(
    at: int, events: Events, depth: Ints, call: Ints, numbering: Numbering
) -> Iterator[_OperationWords]:
    for type_, form in _FORMS.items():
        rows = np.flatnonzero((events.type == type_) & (depth > 0))
        if not len(rows):
            continue
        size = len(rows)

        def column(field: int | None, rows: Ints = rows, size: int = size) -> Ints:
            return np.full(size, 0) if field is None else events.fields[field][rows]

        group, rank, tag = column(form.group), column(form.rank), column(form.tag)
        if type_ == Event.RMA_GROUP_SYNC:
            named = np.isin(
                numbering.functions_at(events)[call[rows]], numbering.those(_WITH_GROUP)
            )
            place, rank = numbering.members(group, np.where(named, rank, NOBODY))
            rows, group = rows[place], group[place]
            tag = np.zeros(len(rows), np.int64)
        elif form.rank is None:
            rank = np.full(size, NOBODY)
        if type_ in _LOCKS:
            tag = np.where(tag == 0, 1, 0)
        if form.role == OperationRole.GATHERS:
            tag = np.where(tag == ROOT_IS_SELF, ITSELF, np.where(tag > _LOW >> 1, NOBODY, tag))
        number = numbering.windows if form.role == OperationRole.ACCESSES else numbering.comms
        ones = np.ones(len(rows), np.int64)
        yield _OperationWords(
            at * ones, rows, call[rows], type_ * ones, events.time[rows], form.role * ones,
            form.state * ones, number(group) if form.group is not None else 0 * ones, rank, tag,
            *(column(column_, rows, len(rows)) for column_ in (form.bytes_out, form.bytes_in, form.serial)),
        )  # fmt: skip


def _without_repeated_requests(words: _OperationWords) -> _OperationWords:
    """Drop the request of a lock that the same call gets; rows become sorted by location and event."""
    order = np.lexsort((words.row, words.at))
    words = words.rows(order)
    locks = np.flatnonzero(np.isin(words.type, _LOCKS))
    key = np.stack([getattr(words, column_)[locks] for column_ in ("at", "call", "group", "rank")])
    is_kept = np.ones(len(words.at), np.bool_)
    is_kept[locks] = False
    is_kept[locks[np.unique(key, axis=1, return_index=True)[1]]] = True
    return words.rows(is_kept)


def _completed(words: _OperationWords) -> _OperationWords:
    """Copy values between the beginning and the completion of a request, as OTF2 records each once."""
    begins = np.flatnonzero(words.state == OperationState.BEGUN)
    ends = np.flatnonzero(np.isin(words.state, (OperationState.COMPLETE, OperationState.CANCELLED)))
    if not len(ends):
        return words
    columns = {field.name: getattr(words, field.name).copy() for field in fields(words)}
    cancelled = ends[words.state[ends] == OperationState.CANCELLED]
    received = words.serial[begins[words.role[begins] == OperationRole.RECEIVES]]
    columns["role"][cancelled[np.isin(words.serial[cancelled], received)]] = OperationRole.RECEIVES
    role = columns["role"]
    begins, ends = (rows[np.lexsort((rows, words.time[rows]))] for rows in (begins, ends))
    _, key = np.unique(
        np.stack([np.concatenate([column[begins], column[ends]]) for column in (words.serial, role)]),
        axis=1, return_inverse=True,
    )  # fmt: skip
    key = key.reshape(-1)
    other = paired(key[: len(begins)], key[len(begins) :], ends)
    begins, ends = begins[other >= 0], other[other >= 0]
    sends = role[begins] == OperationRole.SENDS
    told_by, tells = np.where(sends, begins, ends), np.where(sends, ends, begins)
    for name in ("group", "rank", "tag"):
        columns[name][tells] = columns[name][told_by]
    columns["bytes_out"][ends[sends]] = columns["bytes_out"][begins[sends]]
    return _OperationWords(**columns)


def _placed(
    events: Events, ops: Ints, operations: _OperationWords, numbering: Numbering
) -> LocationWords:
    """Put the words in place of their events; an event of several words is repeated."""
    words = np.bincount(operations.row, minlength=len(events)).astype(np.int64)
    times = np.maximum(words, 1)
    if (times > 1).any():
        rows = np.repeat(np.arange(len(events)), times)
        events = Events(
            events.time[rows], events.type[rows], tuple(field[rows] for field in events.fields)
        )
        ops = ops[rows]
        first_row = np.searchsorted(operations.row, operations.row)
        operations = replace(
            operations,
            row=(np.cumsum(times) - times)[operations.row] + np.arange(len(first_row)) - first_row,
        )
    calls = np.flatnonzero(ops)
    if not len(calls) and not len(operations.row):
        return LocationWords(events, ops[:0], ops[:0])
    types, first = events.type.copy(), events.fields[0].copy()
    called = numbering.functions_at(events)[calls]
    entered = np.isin(ops[calls], (MPI + Word.ENTERS, MPI + Word.ENTERS_WITHIN))
    ops = ops.copy()
    ops[operations.row] = (
        operation(0, 0) + operations.role * (operation(1, 0) - operation(0, 0)) + operations.state
    )
    pairs = [(calls[entered], called[entered]), *_values(operations)]
    all_rows, all_values = (np.concatenate(column) for column in zip(*pairs, strict=True))
    order = np.argsort(all_rows, kind="stable")
    of_word = np.flatnonzero(ops)
    types[of_word], first[of_word] = MPI_WORD, ops[of_word]
    count = np.bincount(all_rows, minlength=len(ops))[of_word]
    return LocationWords(
        Events(events.time, types, (first, *events.fields[1:])), count, all_values[order]
    )


def _values(words: _OperationWords) -> Iterator[tuple[Ints, Ints]]:
    """Yield rows and values of all words, in the order of each word's values."""
    yield words.row, words.group << TAG_BITS | words.tag & _LOW
    yield words.row, words.rank & _LOW
    number = np.array([[amounts(role, state) for state in range(8)] for role in OperationRole])
    tells = number[words.role, words.state]
    only_in = words.role == OperationRole.RECEIVES
    is_valued, both = tells > 0, tells > 1
    yield words.row[is_valued], np.where(only_in, words.bytes_in, words.bytes_out)[is_valued]
    yield words.row[both], words.bytes_in[both]
    later = words.state != OperationState.WHOLE
    yield words.row[later], words.serial[later]
