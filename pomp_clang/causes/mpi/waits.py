"""Waits in MPI's calls: which call, for how long, and for what of whom."""

from __future__ import annotations

from dataclasses import dataclass, fields
from enum import IntEnum

import numpy as np
import numpy.typing as npt

from pomp_clang.trace.model import Ints


class State(IntEnum):
    """What a call waits for, or for what else it takes its time."""

    LATE_SENDER = 0
    LATE_SENDER_ORDER = 1
    """the part of the one before in which an older message lay waiting"""
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


_PARTS = (State.LATE_SENDER_ORDER, State.LATE_RECEIVER_ORDER)
"""Of other states."""

NOBODY = -1


@dataclass(frozen=True, slots=True, eq=False)
class Waits:
    """A row each wait, in no order: in a `call`, for `ns`, for what the call `cause` had come to by
    `since`; `NOBODY` where no other is to be waited for."""

    state: npt.NDArray[np.uint8]
    call: Ints
    ns: Ints
    cause: Ints
    since: Ints

    def where(self, rows: npt.NDArray[np.bool_]) -> Waits:
        return Waits(*(getattr(self, each.name)[rows] for each in fields(self)))

    def for_others(self) -> Waits:
        """Those that have a cause, each once."""
        return self.where(~np.isin(self.state, _PARTS) & (self.cause != NOBODY))

    def of(self, state: State) -> Waits:
        return self.where(self.state == state)


def waits(state: State, call: Ints, ns: Ints, cause: Ints, since: Ints) -> Waits:
    """Those that are any."""
    some = ns > 0
    count = int(some.sum())
    codes = np.full(count, state, np.uint8)
    return Waits(codes, call[some], ns[some], cause[some], since[some])


def joined(several: list[Waits]) -> Waits:
    """All rows, in the order given; of none an empty table."""
    none = np.zeros(0, np.int64)
    empty = Waits(none.astype(np.uint8), none, none, none, none)
    return Waits(
        *(
            np.concatenate([getattr(each, column.name) for each in (empty, *several)])
            for column in fields(Waits)
        )
    )


def largest(call: Ints, ns: Ints) -> Ints:
    """Of each call the row with the most, among those with any: a call waits for the last of all
    that it waits for."""
    some = np.flatnonzero(ns > 0)
    order = some[np.lexsort((ns[some], call[some]))]
    own = call[order]
    found: Ints = order[np.append(own[1:] != own[:-1], True)[: len(own)]]
    return found


def last_of(group: Ints, time: Ints) -> tuple[Ints, Ints]:
    """The groups in their order, and the row of each that is the latest."""
    order = np.lexsort((time, group))
    own = group[order]
    end = np.append(own[1:] != own[:-1], True)[: len(own)]
    return own[end], order[end]


def found_in(keys: Ints, wanted: Ints) -> Ints:
    """The places of some among keys that are in order; `NOBODY` where they are not there."""
    if not len(keys):
        return np.full(len(wanted), NOBODY)
    at = np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)
    return np.where(keys[at] == wanted, at, NOBODY)


def ordinals(group: Ints, time: Ints) -> Ints:
    """How many of its group come before each."""
    order = np.lexsort((time, group))
    own = group[order]
    starts = np.flatnonzero(np.append(True, own[1:] != own[:-1])[: len(own)])
    count = np.arange(len(own)) - np.repeat(starts, np.diff(np.append(starts, len(own))))
    found = np.empty(len(own), np.int64)
    found[order] = count
    return found
