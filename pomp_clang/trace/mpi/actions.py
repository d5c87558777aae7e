"""Operations of a process's threads, each from its beginning to its completion."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pomp_clang.trace.model import Ints
from pomp_clang.trace.mpi.columns import NONE
from pomp_clang.trace.mpi.layout import COUNTED, OperationRole, OperationState
from pomp_clang.trace.mpi.operations import MpiOperations

OPEN = -1
"""The state of an operation whose completion was not recorded."""


@dataclass(frozen=True, slots=True, eq=False)
class ProcessActions:
    """A process's operations, in the order of their beginnings.

    `begin_call` and `completed` are calls, the latter `NONE` if no call completed it; `time` is when
    the operation began. `prepared` is the number (from 1) of the preparation of a persistent request, 0
    for others.

    `naming` is the call that names the operation, which for a prepared one is the preparation.
    `group`, `tag` and `rank` are the process's own; `thread` is the location of the call.
    """

    role: Ints
    state: Ints
    begin_call: Ints
    completed: Ints
    group: Ints
    tag: Ints
    rank: Ints
    in_parts: Ints
    bytes_out: Ints
    bytes_in: Ints
    prepared: Ints
    naming: Ints
    thread: Ints
    time: Ints


def actions_of(events: MpiOperations, thread: Ints) -> ProcessActions:
    """Join beginnings and completions; `thread` is the location of each call."""
    begins = np.flatnonzero(
        (events.state == OperationState.WHOLE) | (events.state == OperationState.BEGUN)
    )
    begins = begins[np.lexsort((events.row[begins], events.time[begins]))]
    ends = _ends_of(events, begins)
    has_end = ends >= 0
    naming = np.where(has_end, ends, begins)
    state = np.where(has_end, events.state[naming], OPEN)
    # A receive is of whom it names at its end; the others, and what it never said, at its begin.
    about = np.where(
        (state == OperationState.COMPLETE) & (events.role[begins] == OperationRole.RECEIVES),
        naming,
        begins,
    )
    counted = np.isin(state, COUNTED)
    prepared, preparing = _preparations(events)
    return ProcessActions(
        events.role[begins],
        state,
        events.call[begins],
        np.where(
            has_end & (state != OperationState.FREED) & (state != OperationState.LOST),
            events.call[naming],
            NONE,
        ),
        events.group[begins],
        events.tag[about],
        events.rank[about],
        events.in_parts[naming],
        np.where(counted, events.bytes_out[naming], 0),
        np.where(counted, events.bytes_in[naming], 0),
        prepared[begins],
        preparing[begins],
        thread[events.call[begins]],
        events.time[begins],
    )


def _ends_of(events: MpiOperations, begins: Ints) -> Ints:
    """Return the row of the event that ends each beginning: a request's n-th end ends its n-th
    beginning."""
    ending = np.where(events.state[begins] == OperationState.WHOLE, begins, NONE)
    is_end = (events.state >= OperationState.COMPLETE) & (events.state <= OperationState.LOST)
    ends = np.flatnonzero(is_end)
    ends = ends[np.lexsort((events.row[ends], events.time[ends]))]
    waiting = np.flatnonzero(ending == NONE)
    keys, key = np.unique(
        np.concatenate([_request(events, begins[waiting]), _request(events, ends)], axis=1),
        axis=1, return_inverse=True,
    )  # fmt: skip
    del keys
    key = key.reshape(-1)
    ending[waiting] = paired(key[: len(waiting)], key[len(waiting) :], ends)
    return ending


def _request(events: MpiOperations, rows: Ints) -> Ints:
    """Return the key of each event's request; a request that both sends and receives has two keys."""
    return np.stack([events.serial[rows], events.role[rows]])


def ordinals(key: Ints) -> Ints:
    """Count for each row the rows before it with the same key."""
    order = np.argsort(key, kind="stable")
    ordered = key[order]
    starts = np.flatnonzero(np.append(True, ordered[1:] != ordered[:-1])[: len(key)])
    lengths = np.diff(np.append(starts, len(key)))
    ordinal = np.empty(len(key), np.int64)
    ordinal[order] = np.arange(len(key)) - np.repeat(starts, lengths)
    return ordinal


def paired(left: Ints, right: Ints, values: Ints) -> Ints:
    """Return for each of `left` the value of the row of `right` with its key and its ordinal among
    that key, or `NONE`."""
    width = int(max(left.max(initial=0), right.max(initial=0))) + 1
    n_left, n_right = ordinals(left), ordinals(right)
    order = np.lexsort((right, n_right))
    keys = (n_right * width + right)[order]
    key = n_left * width + left
    at = np.minimum(np.searchsorted(keys, key), max(0, len(keys) - 1))
    if not len(keys):
        return np.full(len(left), NONE)
    return np.where(keys[at] == key, values[order[at]], NONE)


def _preparations(events: MpiOperations) -> tuple[Ints, Ints]:
    """Return for each event the number of its request's preparation within its group, and the call
    that prepared it.

    An event without preparation has 0 and its own call.
    """
    prepares = np.flatnonzero(events.state == OperationState.PREPARED)
    preparation, calls = np.zeros(len(events.serial), np.int64), events.call.copy()
    if not len(prepares):
        return preparation, calls
    prepares = prepares[np.lexsort((events.row[prepares], events.time[prepares]))]
    number = 1 + ordinals(events.group[prepares] * len(OperationRole) + events.role[prepares])
    order = np.argsort(events.serial[prepares], kind="stable")
    serials = events.serial[prepares][order]
    at = np.minimum(np.searchsorted(serials, events.serial), len(serials) - 1)
    known = (serials[at] == events.serial) & (events.serial > 0)
    preparation[known] = number[order[at]][known]
    calls[known] = events.call[prepares[order[at]]][known]
    return preparation, calls
