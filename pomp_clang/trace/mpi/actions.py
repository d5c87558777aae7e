"""What a process's threads began and completed -> operations, from one end to the other."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pomp_clang.trace.model import Ints
from pomp_clang.trace.mpi.columns import NONE
from pomp_clang.trace.mpi.layout import COUNTED, Role, State
from pomp_clang.trace.mpi.operations import Operations

OPEN = -1
"""The state of what nothing was heard of any more."""


@dataclass(frozen=True, slots=True, eq=False)
class Actions:
    """`begun` and `completed` are calls, the latter `NONE` where none did; `time` is that of the
    beginning, by which they are in order.  What a request was prepared for that is begun again
    and again has the number of that preparation (from 1) as `prepared`; others have 0.

    `told` is the call that said what it is: of what was prepared the one that did so.  `group`,
    `tag` and `rank` are the process's; `thread` is the location of the call.
    """

    role: Ints
    state: Ints
    begun: Ints
    completed: Ints
    group: Ints
    tag: Ints
    rank: Ints
    in_parts: Ints
    bytes_out: Ints
    bytes_in: Ints
    prepared: Ints
    told: Ints
    thread: Ints
    time: Ints


def actions_of(events: Operations, thread: Ints) -> Actions:
    """`thread` is that of each call."""
    begins = np.flatnonzero((events.state == State.WHOLE) | (events.state == State.BEGUN))
    begins = begins[np.lexsort((events.row[begins], events.time[begins]))]
    ends = _ends_of(events, begins)
    has_end = ends >= 0
    told = np.where(has_end, ends, begins)
    state = np.where(has_end, events.state[told], OPEN)
    # A receive is of whom it names at its end; the others, and what it never said, at its begin.
    about = np.where(
        (state == State.COMPLETE) & (events.role[begins] == Role.RECEIVES), told, begins
    )
    counted = np.isin(state, COUNTED)
    prepared, preparing = _preparations(events)
    return Actions(
        events.role[begins],
        state,
        events.call[begins],
        np.where(has_end & (state != State.FREED) & (state != State.LOST), events.call[told], NONE),
        events.group[begins],
        events.tag[about],
        events.rank[about],
        events.in_parts[told],
        np.where(counted, events.bytes_out[told], 0),
        np.where(counted, events.bytes_in[told], 0),
        prepared[begins],
        preparing[begins],
        thread[events.call[begins]],
        events.time[begins],
    )


def _ends_of(events: Operations, begins: Ints) -> Ints:
    """The event that ends what each began: the n-th of a request's ends its n-th beginning."""
    found = np.where(events.state[begins] == State.WHOLE, begins, NONE)
    is_end = (events.state >= State.COMPLETE) & (events.state <= State.LOST)
    ends = np.flatnonzero(is_end)
    ends = ends[np.lexsort((events.row[ends], events.time[ends]))]
    waiting = np.flatnonzero(found == NONE)
    keys, key = np.unique(
        np.concatenate([_request(events, begins[waiting]), _request(events, ends)], axis=1),
        axis=1, return_inverse=True,
    )  # fmt: skip
    del keys
    key = key.reshape(-1)
    found[waiting] = paired(key[: len(waiting)], key[len(waiting) :], ends)
    return found


def _request(events: Operations, rows: Ints) -> Ints:
    """A request of a message that is sent and received is two operations."""
    return np.stack([events.serial[rows], events.role[rows]])


def ordinals(key: Ints) -> Ints:
    """Of each row, how many with the same key came before."""
    order = np.argsort(key, kind="stable")
    ordered = key[order]
    starts = np.flatnonzero(np.append(True, ordered[1:] != ordered[:-1])[: len(key)])
    lengths = np.diff(np.append(starts, len(key)))
    found = np.empty(len(key), np.int64)
    found[order] = np.arange(len(key)) - np.repeat(starts, lengths)
    return found


def paired(left: Ints, right: Ints, values: Ints) -> Ints:
    """For each of `left` the value of the row of `right` with the same key that is the same-th of
    it, or `NONE`."""
    width = int(max(left.max(initial=0), right.max(initial=0))) + 1
    n_left, n_right = ordinals(left), ordinals(right)
    order = np.lexsort((right, n_right))
    keys = (n_right * width + right)[order]
    wanted = n_left * width + left
    at = np.minimum(np.searchsorted(keys, wanted), max(0, len(keys) - 1))
    if not len(keys):
        return np.full(len(left), NONE)
    return np.where(keys[at] == wanted, values[order[at]], NONE)


def _preparations(events: Operations) -> tuple[Ints, Ints]:
    """Of each event the number of the preparation of its request, among those of its group, and
    the call that it was; 0 and its own call where there was none."""
    prepares = np.flatnonzero(events.state == State.PREPARED)
    found, calls = np.zeros(len(events.serial), np.int64), events.call.copy()
    if not len(prepares):
        return found, calls
    prepares = prepares[np.lexsort((events.row[prepares], events.time[prepares]))]
    number = 1 + ordinals(events.group[prepares] * len(Role) + events.role[prepares])
    order = np.argsort(events.serial[prepares], kind="stable")
    serials = events.serial[prepares][order]
    at = np.minimum(np.searchsorted(serials, events.serial), len(serials) - 1)
    known = (serials[at] == events.serial) & (events.serial > 0)
    found[known] = number[order[at]][known]
    calls[known] = events.call[prepares[order[at]]][known]
    return found, calls
