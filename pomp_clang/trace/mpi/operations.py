"""The MPI calls in a location's stream, and the operations in these calls, a row each."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TypeVar

import numpy as np

from pomp_clang.trace.model import Ints, Ops, Stream
from pomp_clang.trace.mpi.columns import NONE
from pomp_clang.trace.mpi.layout import (
    IN_PARTS,
    MPI,
    SITE_SHIFT,
    STATES,
    TAG_BITS,
    CallEvent,
    OperationRole,
    OperationState,
    amounts,
    operation,
)

_FIRST = operation(0, 0)
_BEHIND = operation(len(OperationRole), 0)
_TAG = (1 << TAG_BITS) - 1
_AMOUNTS = np.array([[amounts(role, state) for state in range(STATES)] for role in OperationRole])


@dataclass(frozen=True, slots=True, eq=False)
class CallVisits:
    """Calls of MPI functions. Times are ticks, `path` is the call path at the end, `function` and
    `site` are the trace's numbers; a call without a site has 0.

    `outer` is the enclosing call, and `ended` is 1 for calls that have an end. `began` and `over`
    are the events where a call begins and is over; `over` is the stream's length if it never is.
    """

    enter: Ints
    leave: Ints
    function: Ints
    site: Ints
    path: Ints
    outer: Ints
    ended: Ints
    began: Ints
    over: Ints


@dataclass(frozen=True, slots=True, eq=False)
class MpiOperations:
    """Operations in calls. `call` is a row of `CallVisits`; `group`, `rank` and `tag` are the
    process's numbers; `time` and `row` are the event's."""

    role: Ints
    state: Ints
    call: Ints
    group: Ints
    tag: Ints
    rank: Ints
    counts: Ints
    in_parts: Ints
    bytes_out: Ints
    bytes_in: Ints
    serial: Ints
    path: Ints
    time: Ints
    row: Ints


Rows = TypeVar("Rows", CallVisits, MpiOperations)


def joined(parts: list[Rows], kind: type[Rows]) -> Rows:
    """Join the rows of several locations."""
    none = np.zeros(0, np.int64)

    def column(name: str) -> Ints:
        return np.concatenate([none, *(getattr(part, name) for part in parts)])

    return kind(*(column(field.name) for field in fields(kind)))


def calls_of(stream: Stream, end: int) -> tuple[CallVisits, MpiOperations]:
    """Return a stream's calls and operations; calls without an end last until `end` (ticks)."""
    rows = np.flatnonzero((stream.op >= MPI) & (stream.op < _BEHIND))
    op = stream.op[rows]
    visits, entered, left = _visits(stream, rows, op, end)
    operation_rows = np.flatnonzero(op >= _FIRST)
    call = _calls_at(rows[operation_rows], entered, left, visits.outer)
    known = call >= 0
    return visits, _operations(
        stream, rows[operation_rows[known]], op[operation_rows[known]], call[known]
    )


def _visits(stream: Stream, rows: Ints, op: Ops, end: int) -> tuple[CallVisits, Ints, Ints]:
    """Return the calls, and the rows where they begin and end."""
    enters = (op == MPI + CallEvent.ENTERS) | (op == MPI + CallEvent.ENTERS_WITHIN)
    entered = rows[enters]
    outermost = op[enters] == MPI + CallEvent.ENTERS
    leaves = rows[op == MPI + CallEvent.LEAVES]
    next_leave = np.append(leaves, len(stream.op))
    left = next_leave[np.searchsorted(leaves, entered)]
    outer = np.full(len(entered), NONE)
    if not outermost.all():
        outer, left = _nested(rows, op, entered, outermost, left, len(stream.op))
    top = np.flatnonzero(outermost)
    following = np.append(entered[top[1:]], len(stream.op))[: len(top)]
    ended = left < len(stream.op)
    ended[top] &= left[top] < following
    left = np.where(ended, left, len(stream.op))
    closed = left.copy()
    closed[top] = np.minimum(left[top], following)
    moments = np.append(stream.time, end)
    value, _ = stream.values_of(entered)
    site, function = value >> SITE_SHIFT, value & ((1 << SITE_SHIFT) - 1)
    paths = np.append(stream.path, np.uint16(0)).astype(np.int64)
    path = np.where(ended, paths[left], paths[entered])
    visits = CallVisits(
        stream.time[entered], moments[closed], function, site, path, outer, ended.astype(np.int64),
        entered, closed,
    )  # fmt: skip
    return visits, entered, closed


def _nested(
    rows: Ints, op: Ops, entered: Ints, outermost: Ops, left: Ints, end: int
) -> tuple[Ints, Ints]:
    """Return outer call and end of each call where callbacks call MPI within calls; events are
    followed one by one."""
    outer = np.full(len(entered), NONE)
    left = left.copy()
    open_: list[int] = []
    number = -1
    for row, event in zip(rows.tolist(), (op - MPI).tolist(), strict=True):
        if event == CallEvent.ENTERS:
            number += 1
            open_ = [number]
        elif event == CallEvent.ENTERS_WITHIN:
            number += 1
            outer[number] = open_[-1] if open_ else NONE
            left[number] = left[open_[0]] if open_ else end
            open_.append(number)
        elif event == CallEvent.LEAVES_WITHIN and len(open_) > 1:
            left[open_.pop()] = row
    return outer, left


def _calls_at(rows: Ints, entered: Ints, left: Ints, outer: Ints) -> Ints:
    """Return the innermost call around each row."""
    call = np.searchsorted(entered, rows, "right") - 1
    ends, outside = np.append(left, len(left)), np.append(outer, NONE)
    while (over := (call >= 0) & (ends[call] < rows)).any():
        call = np.where(over, outside[call], call)
    return call


def _signed(values: Ints) -> Ints:
    return (values & _TAG).astype(np.uint32).astype(np.int32).astype(np.int64)


def _operations(stream: Stream, rows: Ints, op: Ops, call: Ints) -> MpiOperations:
    role, state = np.divmod(op.astype(np.int64) - _FIRST, STATES)
    about, _ = stream.values_of(rows, 0)
    ranks, _ = stream.values_of(rows, 1)
    amounts_ = _AMOUNTS[role, state]
    first, _ = stream.values_of(rows, 2)
    second, _ = stream.values_of(rows, 3)
    serial, _ = stream.values_of(rows, 2 + amounts_)
    counts = ranks >> TAG_BITS
    return MpiOperations(
        role,
        state,
        call,
        about >> TAG_BITS,
        _signed(about),
        _signed(ranks),
        counts & ~IN_PARTS,
        (counts & IN_PARTS > 0).astype(np.int64),
        np.where((amounts_ == 0) | (role == OperationRole.RECEIVES), 0, first),
        np.where(
            role == OperationRole.RECEIVES,
            np.where(amounts_, first, 0),
            np.where(amounts_ > 1, second, 0),
        ),
        np.where(state == OperationState.WHOLE, 0, serial),
        stream.path[rows].astype(np.int64),
        stream.time[rows],
        rows,
    )
