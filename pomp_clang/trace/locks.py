"""Locks that threads held, and what releasing them took."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pomp_clang.experiment.layout import Column
from pomp_clang.trace.layout import Op
from pomp_clang.trace.model import Ints, Stream
from pomp_clang.trace.table import Table


def book_locks(table: Table, stream: Stream, end: int) -> None:
    _book_releases(table, stream)
    rows, ends = held(stream, end)
    took = np.maximum(0, ends - stream.time[rows])
    for column in (Column.BODY_T, Column.EXEC_T):
        table.add(column, stream.path[rows], took)


def _book_releases(table: Table, stream: Stream) -> None:
    """A call that releases is back before the thread makes another."""
    back = np.flatnonzero(stream.op == Op.RELEASED)
    calls = np.flatnonzero((stream.op == Op.RELEASES) | (stream.op == Op.HANDS_OVER))
    at = np.searchsorted(calls, back) - 1
    back, at = back[at >= 0], at[at >= 0]
    took = np.maximum(0, stream.time[back] - stream.time[calls[at]])
    for column in (Column.EXIT_T, Column.EXEC_T):
        table.add(column, stream.path[back], took)


def held(stream: Stream, end: int) -> tuple[Ints, Ints]:
    """The events by which the thread got locks, and when it gave each up.

    A release is of the newest.  One that may be got only once and is got again has been
    released by another thread meanwhile: nothing is known of that time.
    """
    is_got = np.isin(stream.op, (Op.HOLDS, Op.HOLDS_MORE))
    rows = np.flatnonzero(is_got | (stream.op == Op.RELEASES) | (stream.op == Op.ENDS))
    if not is_got.any():
        return rows[:0], rows[:0]
    event = _sorted(stream, rows[stream.op[rows] != Op.ENDS])
    gets = np.isin(stream.op[event.row], (Op.HOLDS, Op.HOLDS_MORE))
    goes_on = np.append(event.group[1:] == event.group[:-1], False)
    given_up = goes_on & np.append(~gets[1:], False)
    following = np.append(event.row[1:], 0)
    endings = np.append(stream.time[stream.op == Op.ENDS], end)
    ends = np.where(given_up, stream.time[following], endings[event.life])
    known = gets & (given_up | ~goes_on)
    return event.row[known], ends[known]


@dataclass(frozen=True, slots=True)
class _Events:
    """Of locks, sorted so that a release stands behind what it releases: in the same group.
    `life` counts the threads that had the location before."""

    row: Ints
    life: Ints
    group: Ints


def _sorted(stream: Stream, rows: Ints) -> _Events:
    lock, _ = stream.values_of(rows)
    life = np.searchsorted(np.flatnonzero(stream.op == Op.ENDS), rows)
    order = np.lexsort((rows, lock, life))
    rows, lock, life = rows[order], lock[order], life[order]
    key = np.cumsum(np.append(True, (lock[1:] != lock[:-1]) | (life[1:] != life[:-1])))
    op = stream.op[rows]
    nests = np.isin(lock, lock[op == Op.HOLDS_MORE])
    depth = np.cumsum(np.where(op == Op.RELEASES, -1, 1)) + (op == Op.RELEASES)
    depth = np.where(nests, depth, 0)
    order = np.lexsort((rows, depth, key))
    key, depth = key[order], depth[order]
    group = np.cumsum(np.append(True, (key[1:] != key[:-1]) | (depth[1:] != depth[:-1])))
    return _Events(rows[order], life[order], group)
