"""A location's stream -> its calls of MPI and what these did, a row each."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TypeVar

import numpy as np

from pomp_clang.trace.model import Ints, Ops, Stream
from pomp_clang.trace.mpi.columns import NONE
from pomp_clang.trace.mpi.layout import (
    IN_PARTS,
    MPI,
    STATES,
    TAG_BITS,
    Event,
    Role,
    State,
    amounts,
    operation,
)

_FIRST = operation(0, 0)
_BEHIND = operation(len(Role), 0)
_TAG = (1 << TAG_BITS) - 1
_AMOUNTS = np.array([[amounts(role, state) for state in range(STATES)] for role in Role])


@dataclass(frozen=True, slots=True, eq=False)
class Visits:
    """Times are ticks, `path` is where it ended; `function` is as the trace numbers it.  `outer`
    is the call that it is within, and `ended` tells those that have.  `began` and `over` are the
    events where it begins and where it is over, behind the last one if never."""

    enter: Ints
    leave: Ints
    function: Ints
    path: Ints
    outer: Ints
    ended: Ints
    began: Ints
    over: Ints


@dataclass(frozen=True, slots=True, eq=False)
class Operations:
    """`call` is a row of `Visits`; `group`, `rank` and `tag` are as the process numbers them.
    `time` and `row` are of the event."""

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


Rows = TypeVar("Rows", Visits, Operations)


def joined(parts: list[Rows], of: type[Rows]) -> Rows:
    """Those of several locations, one behind the other."""
    none = np.zeros(0, np.int64)

    def column(name: str) -> Ints:
        return np.concatenate([none, *(getattr(part, name) for part in parts)])

    return of(*(column(each.name) for each in fields(of)))


def calls_of(stream: Stream, end: int) -> tuple[Visits, Operations]:
    """`end` is ticks: of what has not ended."""
    rows = np.flatnonzero((stream.op >= MPI) & (stream.op < _BEHIND))
    op = stream.op[rows]
    visits, entered, left = _visits(stream, rows, op, end)
    done = np.flatnonzero(op >= _FIRST)
    call = _calls_at(rows[done], entered, left, visits.outer)
    known = call >= 0
    return visits, _operations(stream, rows[done[known]], op[done[known]], call[known])


def _visits(stream: Stream, rows: Ints, op: Ops, end: int) -> tuple[Visits, Ints, Ints]:
    """The visits, and the rows where they begin and end."""
    enters = (op == MPI + Event.ENTERS) | (op == MPI + Event.ENTERS_WITHIN)
    entered = rows[enters]
    outermost = op[enters] == MPI + Event.ENTERS
    leaves = rows[op == MPI + Event.LEAVES]
    behind = np.append(leaves, len(stream.op))
    left = behind[np.searchsorted(leaves, entered)]
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
    function, _ = stream.values_of(entered)
    paths = np.append(stream.path, np.uint16(0)).astype(np.int64)
    path = np.where(ended, paths[left], paths[entered])
    visits = Visits(
        stream.time[entered], moments[closed], function, path, outer, ended.astype(np.int64),
        entered, closed,
    )  # fmt: skip
    return visits, entered, closed


def _nested(
    rows: Ints, op: Ops, entered: Ints, outermost: Ops, left: Ints, behind: int
) -> tuple[Ints, Ints]:
    """Calls within calls, which callbacks make: one at a time."""
    outer = np.full(len(entered), NONE)
    left = left.copy()
    open_: list[int] = []
    number = -1
    for row, event in zip(rows.tolist(), (op - MPI).tolist(), strict=True):
        if event == Event.ENTERS:
            number += 1
            open_ = [number]
        elif event == Event.ENTERS_WITHIN:
            number += 1
            outer[number] = open_[-1] if open_ else NONE
            left[number] = left[open_[0]] if open_ else behind
            open_.append(number)
        elif event == Event.LEAVES_WITHIN and len(open_) > 1:
            left[open_.pop()] = row
    return outer, left


def _calls_at(rows: Ints, entered: Ints, left: Ints, outer: Ints) -> Ints:
    """The innermost call that each row is in."""
    call = np.searchsorted(entered, rows, "right") - 1
    ends, outside = np.append(left, len(left)), np.append(outer, NONE)
    while (over := (call >= 0) & (ends[call] < rows)).any():
        call = np.where(over, outside[call], call)
    return call


def _signed(values: Ints) -> Ints:
    return (values & _TAG).astype(np.uint32).astype(np.int32).astype(np.int64)


def _operations(stream: Stream, rows: Ints, op: Ops, call: Ints) -> Operations:
    role, state = np.divmod(op.astype(np.int64) - _FIRST, STATES)
    about, _ = stream.values_of(rows, 0)
    who, _ = stream.values_of(rows, 1)
    told = _AMOUNTS[role, state]
    first, _ = stream.values_of(rows, 2)
    second, _ = stream.values_of(rows, 3)
    serial, _ = stream.values_of(rows, 2 + told)
    counts = who >> TAG_BITS
    return Operations(
        role,
        state,
        call,
        about >> TAG_BITS,
        _signed(about),
        _signed(who),
        counts & ~IN_PARTS,
        (counts & IN_PARTS > 0).astype(np.int64),
        np.where((told == 0) | (role == Role.RECEIVES), 0, first),
        np.where(role == Role.RECEIVES, np.where(told, first, 0), np.where(told > 1, second, 0)),
        np.where(state == State.WHOLE, 0, serial),
        stream.path[rows].astype(np.int64),
        stream.time[rows],
        rows,
    )
