"""Waits in MPI calls: the call, the length, the wait state, and the call that was waited for."""

from __future__ import annotations

from dataclasses import fields
from enum import IntEnum

import numpy as np
import numpy.typing as npt

from pomp_clang.shared_dataclass import dataclass
from pomp_clang.trace.model import Ints


class WaitState(IntEnum):
    """The reason why a call waits."""

    LATE_SENDER = 0
    LATE_SENDER_ORDER = 1
    """the part of `LATE_SENDER` during which an older message was waiting to be received"""
    LATE_RECEIVER = 2
    LATE_RECEIVER_ORDER = 3
    NXN = 4
    NXN_COMPLETION = 5
    LATE_BROADCAST = 6
    EARLY_REDUCE = 7
    EARLY_SCAN = 8
    BARRIER = 9
    BARRIER_COMPLETION = 10
    FENCE = 11
    LATE_POST = 12
    EARLY_WAIT = 13
    LOCK = 14


_PARTS = (WaitState.LATE_SENDER_ORDER, WaitState.LATE_RECEIVER_ORDER)
"""States that are part of another state."""

NOBODY = -1


@dataclass(frozen=True, slots=True, eq=False)
class Waits:
    """A row per wait, in no order: `call` waits for `ns` until the call `cause` has come to some
    point, at `since`. The cause is `NOBODY` if no other process is to be waited for."""

    state: npt.NDArray[np.uint8]
    call: Ints
    ns: Ints
    cause: Ints
    since: Ints

    def where(self, rows: npt.NDArray[np.bool_]) -> Waits:
        return Waits(*(getattr(self, column.name)[rows] for column in fields(self)))

    def for_others(self) -> Waits:
        """Return the waits that have a cause, without those that are part of others."""
        return self.where(~np.isin(self.state, _PARTS) & (self.cause != NOBODY))

    def of(self, state: WaitState) -> Waits:
        return self.where(self.state == state)


def waits(state: WaitState, call: Ints, ns: Ints, cause: Ints, since: Ints) -> Waits:
    """Return a table of the waits that are longer than 0."""
    positive = ns > 0
    count = int(positive.sum())
    codes = np.full(count, state, np.uint8)
    return Waits(codes, call[positive], ns[positive], cause[positive], since[positive])


def joined(parts: list[Waits]) -> Waits:
    """Return one table with the rows of several, in the order given; an empty table if there are
    none."""
    none = np.zeros(0, np.int64)
    empty = Waits(none.astype(np.uint8), none, none, none, none)
    return Waits(
        *(
            np.concatenate([getattr(table, column.name) for table in (empty, *parts)])
            for column in fields(Waits)
        )
    )


def largest(call: Ints, ns: Ints) -> Ints:
    """Return, for each call that waits, the row with the longest wait: a call ends when the last
    object that it needs is there."""
    positive = np.flatnonzero(ns > 0)
    order = positive[np.lexsort((ns[positive], call[positive]))]
    ordered = call[order]
    rows: Ints = order[np.append(ordered[1:] != ordered[:-1], True)[: len(ordered)]]
    return rows


def last_of(group: Ints, time: Ints) -> tuple[Ints, Ints]:
    """Return the groups in order, and the latest row of each."""
    order = np.lexsort((time, group))
    ordered = group[order]
    end = np.append(ordered[1:] != ordered[:-1], True)[: len(ordered)]
    return ordered[end], order[end]


def found_in(keys: Ints, queries: Ints) -> Ints:
    """Return the places of `queries` among sorted keys; `NOBODY` if a key is missing."""
    if not len(keys):
        return np.full(len(queries), NOBODY)
    at = np.minimum(np.searchsorted(keys, queries), len(keys) - 1)
    return np.where(keys[at] == queries, at, NOBODY)


def ordinals(group: Ints, time: Ints) -> Ints:
    """Return the number of rows of the same group that come before each row."""
    order = np.lexsort((time, group))
    ordered = group[order]
    starts = np.flatnonzero(np.append(True, ordered[1:] != ordered[:-1])[: len(ordered)])
    count = np.arange(len(ordered)) - np.repeat(starts, np.diff(np.append(starts, len(ordered))))
    numbers = np.empty(len(ordered), np.int64)
    numbers[order] = count
    return numbers
