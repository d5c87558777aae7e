"""Dependencies between MPI calls: objects that a call gives to other processes, and objects that it
needs before it can end."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pomp_clang.causes.mpi_waits.call_waits import NOBODY, Waits, WaitState
from pomp_clang.causes.mpi_waits.functions import WAITS_FOR_RECEIVER, Needs
from pomp_clang.causes.mpi_waits.operations import NO_STATE, JobOperations
from pomp_clang.causes.timeline.columns import numbered
from pomp_clang.causes.timeline.location_timeline import Flags
from pomp_clang.trace.model import Ints
from pomp_clang.trace.mpi.columns import Job

_GIVEN_BY_ALL = (Needs.ALL, Needs.MEETING, Needs.ROOT_NEEDS_ALL)

_AS_WAITED = (
    WaitState.LATE_RECEIVER, WaitState.EARLY_SCAN, WaitState.FENCE, WaitState.LATE_POST, WaitState.EARLY_WAIT,
    WaitState.LOCK,
)  # fmt: skip
"""States in which a call depends only on what it waited for; without a wait it needs nothing."""


@dataclass(frozen=True, slots=True, eq=False)
class Given:
    """A row is an `object` that a `call` gives when it begins, or when it ends."""

    call: Ints
    object: Ints
    at_end: Flags


@dataclass(frozen=True, slots=True, eq=False)
class Needed:
    """A row is an `object` that a `call` needs to end, which was given at `since`."""

    call: Ints
    object: Ints
    since: Ints


@dataclass(frozen=True, slots=True, eq=False)
class Dependencies:
    """The dependencies of a whole job. Calls are rows of `Job.calls`, moments are on the job's
    clock. `state` has, by object, the `WaitState` of a call that waits for it."""

    releases: Given
    needed: Needed
    state: Ints


def dependencies_of(job: Job, waits: Waits, operations: JobOperations) -> Dependencies:
    """Return the dependencies between the calls of all processes."""
    parts = [_messages(job)]
    parts.append(_receipts(job, _objects(parts)))
    parts.append(_of_operations(job, operations, _objects(parts)))
    parts.append(_in_trees(job, operations, _objects(parts)))
    parts.append(_wait_dependencies(waits, operations, _objects(parts)))
    givers, needed = [part.releases for part in parts], [part.needed for part in parts]
    return Dependencies(
        Given(
            np.concatenate([part.call for part in givers]),
            np.concatenate([part.object for part in givers]),
            np.concatenate([part.at_end for part in givers]),
        ),
        Needed(
            np.concatenate([part.call for part in needed]),
            np.concatenate([part.object for part in needed]),
            np.concatenate([part.since for part in needed]),
        ),
        np.concatenate([part.state for part in parts]),
    )


def _objects(parts: list[Dependencies]) -> int:
    return sum(len(part.state) for part in parts)


def _messages(job: Job) -> Dependencies:
    """Return the dependencies of receives: the call that completes one needs the call that
    sends."""
    messages = job.messages
    rows = np.arange(len(messages.send))
    known = np.flatnonzero(messages.received >= 0)
    return Dependencies(
        Given(messages.send, rows, _all_false(rows)),
        Needed(messages.received[known], known, job.calls.enter[messages.send[known]]),
        np.full(len(rows), int(WaitState.LATE_SENDER)),
    )


def _receipts(job: Job, first: int) -> Dependencies:
    """Return the dependencies of synchronous sends: the call that completes one needs the call that
    begins the receive."""
    messages, calls = job.messages, job.calls
    rows = np.flatnonzero(
        WAITS_FOR_RECEIVER[calls.function[messages.send]]
        & (messages.sent >= 0)
        & (messages.received >= 0)
    )
    objects = first + np.arange(len(rows))
    return Dependencies(
        Given(messages.receive[rows], objects, _all_false(rows)),
        Needed(messages.sent[rows], objects, calls.enter[messages.receive[rows]]),
        np.full(len(rows), int(WaitState.LATE_RECEIVER)),
    )


def _of_operations(job: Job, operations: JobOperations, first: int) -> Dependencies:
    """Return the dependencies in operations of several processes. Processes that need all others
    wait for the last one, those that need the root wait for the root."""
    by_all = np.isin(operations.needs, _GIVEN_BY_ALL)
    gives = by_all | ((operations.needs == Needs.ROOT) & operations.is_root)
    wants = by_all & ((operations.needs != Needs.ROOT_NEEDS_ALL) | operations.is_root)
    wants |= (operations.needs == Needs.ROOT) & ~operations.is_root
    never = np.iinfo(np.int64).min
    last = np.full(operations.count, never)
    np.maximum.at(last, operations.instance[gives], job.calls.enter[operations.call[gives]])
    giving = np.flatnonzero(gives)
    wanting = np.flatnonzero(
        wants & (last[operations.instance] > never) & (operations.completed >= 0)
    )
    state = np.full(operations.count, NO_STATE)
    state[operations.instance] = operations.state
    return Dependencies(
        Given(operations.call[giving], first + operations.instance[giving], _all_false(giving)),
        Needed(
            operations.completed[wanting],
            first + operations.instance[wanting],
            last[operations.instance[wanting]],
        ),
        state,
    )


def _in_trees(job: Job, operations: JobOperations, first: int) -> Dependencies:
    """Return the dependencies in operations whose data the MPI library passes on from process to
    process. There, a process may wait for any other process: for the last one that came during its
    call, if that was most of the call."""
    parts = np.flatnonzero(~operations.synchronizes & (operations.completed >= 0))
    begin = job.calls.enter[operations.call[parts]]
    enter = job.calls.enter[operations.completed[parts]]
    leave = job.calls.leave[operations.completed[parts]]
    base, span = int(enter.min(initial=0)), int(leave.max(initial=0)) + 1
    key = operations.instance[parts] * (span - base) - base
    order = np.argsort(key + begin, kind="stable")
    last = order[np.searchsorted((key + begin)[order], key + leave) - 1]
    since = begin[last]
    waits = (2 * (since - enter) > leave - enter) & (
        operations.instance[parts[last]] == operations.instance[parts]
    )
    rows = np.flatnonzero(waits)
    givers, objects = numbered(last[rows])
    return Dependencies(
        Given(operations.call[parts[givers]], first + np.arange(len(givers)), _all_false(givers)),
        Needed(operations.completed[parts[rows]], first + objects, since[rows]),
        operations.state[parts[givers]],
    )


def _wait_dependencies(waits: Waits, operations: JobOperations, first: int) -> Dependencies:
    """Return the dependencies that only waits show. A lock is given when the unlock ends."""
    known = operations.completed[operations.state == WaitState.FENCE]
    rows = np.flatnonzero(
        np.isin(waits.state, _AS_WAITED)
        & (waits.cause != NOBODY)
        & ~((waits.state == WaitState.FENCE) & np.isin(waits.call, known))
    )
    state = waits.state[rows].astype(np.int64)
    cause, objects = numbered(waits.cause[rows] * len(WaitState) + state)
    giver = cause // len(WaitState)
    return Dependencies(
        Given(giver, first + np.arange(len(cause)), cause % len(WaitState) == WaitState.LOCK),
        Needed(waits.call[rows], first + objects, waits.since[rows]),
        cause % len(WaitState),
    )


def _all_false(rows: Ints) -> Flags:
    return np.zeros(len(rows), np.bool_)
