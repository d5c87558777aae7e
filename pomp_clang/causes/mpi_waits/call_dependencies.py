"""Dependencies between MPI calls: objects that a call gives to other processes, and objects that it
needs before it can end."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pomp_clang.causes.mpi_waits.call_waits import NOBODY, Waits, WaitState
from pomp_clang.causes.mpi_waits.functions import WAITS_FOR_RECEIVER, Needs
from pomp_clang.causes.mpi_waits.operations import NO_STATE, JobOperations
from pomp_clang.causes.timeline.location_timeline import Flags
from pomp_clang.causes.timeline.unique import numbered
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

    given: Given
    needed: Needed
    state: Ints


def dependencies_of(job: Job, waits: Waits, operations: JobOperations) -> Dependencies:
    """Return the dependencies between the calls of all processes."""
    parts = [_messages(job)]
    parts.append(_receipts(job, _objects(parts)))
    parts.append(_of_operations(job, operations, _objects(parts)))
    parts.append(_in_trees(job, operations, _objects(parts)))
    parts.append(_waited(waits, operations, _objects(parts)))
    given, needed = [part.given for part in parts], [part.needed for part in parts]
    return Dependencies(
        Given(
            np.concatenate([part.call for part in given]),
            np.concatenate([part.object for part in given]),
            np.concatenate([part.at_end for part in given]),
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
        Given(messages.send, rows, _no(rows)),
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
        Given(messages.receive[rows], objects, _no(rows)),
        Needed(messages.sent[rows], objects, calls.enter[messages.receive[rows]]),
        np.full(len(rows), int(WaitState.LATE_RECEIVER)),
    )


def _of_operations(job: Job, of: JobOperations, first: int) -> Dependencies:
    """Return the dependencies in operations of several processes. Processes that need all others
    wait for the last one, those that need the root wait for the root."""
    by_all = np.isin(of.needs, _GIVEN_BY_ALL)
    gives = by_all | ((of.needs == Needs.ROOT) & of.is_root)
    wants = by_all & ((of.needs != Needs.ROOT_NEEDS_ALL) | of.is_root)
    wants |= (of.needs == Needs.ROOT) & ~of.is_root
    never = np.iinfo(np.int64).min
    last = np.full(of.count, never)
    np.maximum.at(last, of.instance[gives], job.calls.enter[of.call[gives]])
    giving = np.flatnonzero(gives)
    wanting = np.flatnonzero(wants & (last[of.instance] > never) & (of.completed >= 0))
    state = np.full(of.count, NO_STATE)
    state[of.instance] = of.state
    return Dependencies(
        Given(of.call[giving], first + of.instance[giving], _no(giving)),
        Needed(of.completed[wanting], first + of.instance[wanting], last[of.instance[wanting]]),
        state,
    )


def _in_trees(job: Job, of: JobOperations, first: int) -> Dependencies:
    """Return the dependencies in operations whose data the MPI library passes on from process to
    process. There, a process may wait for any other process: for the last one that came during its
    call, if that was most of the call."""
    parts = np.flatnonzero(~of.synchronizes & (of.completed >= 0))
    begun = job.calls.enter[of.call[parts]]
    enter = job.calls.enter[of.completed[parts]]
    leave = job.calls.leave[of.completed[parts]]
    base, span = int(enter.min(initial=0)), int(leave.max(initial=0)) + 1
    key = of.instance[parts] * (span - base) - base
    order = np.argsort(key + begun, kind="stable")
    last = order[np.searchsorted((key + begun)[order], key + leave) - 1]
    since = begun[last]
    waits = (2 * (since - enter) > leave - enter) & (of.instance[parts[last]] == of.instance[parts])
    rows = np.flatnonzero(waits)
    givers, objects = numbered(last[rows])
    return Dependencies(
        Given(of.call[parts[givers]], first + np.arange(len(givers)), _no(givers)),
        Needed(of.completed[parts[rows]], first + objects, since[rows]),
        of.state[parts[givers]],
    )


def _waited(waits: Waits, operations: JobOperations, first: int) -> Dependencies:
    """Return the dependencies that only waits show. A lock is given when the unlock ends."""
    known = operations.completed[operations.state == WaitState.FENCE]
    rows = np.flatnonzero(
        np.isin(waits.state, _AS_WAITED)
        & (waits.cause != NOBODY)
        & ~((waits.state == WaitState.FENCE) & np.isin(waits.call, known))
    )
    state = waits.state[rows].astype(np.int64)
    cause, objects = numbered(waits.cause[rows] * len(WaitState) + state)
    given = cause // len(WaitState)
    return Dependencies(
        Given(given, first + np.arange(len(cause)), cause % len(WaitState) == WaitState.LOCK),
        Needed(waits.call[rows], first + objects, waits.since[rows]),
        cause % len(WaitState),
    )


def _no(rows: Ints) -> Flags:
    return np.zeros(len(rows), np.bool_)
