"""What calls of MPI give to other processes, and what they need from them before they can end."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pomp_clang.causes.course import Flags
from pomp_clang.causes.distinct import numbered
from pomp_clang.causes.mpi.functions import WAITS_FOR_RECEIVER, Needs
from pomp_clang.causes.mpi.operations import NO_STATE, Operations
from pomp_clang.causes.mpi.waits import NOBODY, State, Waits
from pomp_clang.trace.model import Ints
from pomp_clang.trace.mpi.columns import Job

_GIVEN_BY_ALL = (Needs.ALL, Needs.MEETING, Needs.ROOT_NEEDS_ALL)

_AS_WAITED = (
    State.LATE_RECEIVER, State.EARLY_SCAN, State.FENCE, State.LATE_POST, State.EARLY_WAIT,
    State.LOCK,
)  # fmt: skip
"""States in which a call needs what it waited for; where it did not wait, it needs nothing."""


@dataclass(frozen=True, slots=True, eq=False)
class Given:
    """A row is an `object` that a `call` gives when it begins, or when it ends."""

    call: Ints
    object: Ints
    at_end: Flags


@dataclass(frozen=True, slots=True, eq=False)
class Needed:
    """A row is an `object` without which a `call` cannot end; it was given at `since`."""

    call: Ints
    object: Ints
    since: Ints


@dataclass(frozen=True, slots=True, eq=False)
class Dependencies:
    """Of a whole job: calls are rows of `Job.calls`, times the job's, and `state` is by object the
    `State` of a call that waits for it."""

    given: Given
    needed: Needed
    state: Ints


def dependencies_of(job: Job, waits: Waits, operations: Operations) -> Dependencies:
    """Return the dependencies between the calls of all processes."""
    parts = [_messages(job)]
    parts.append(_receipts(job, _objects(parts)))
    parts.append(_of_operations(job, operations, _objects(parts)))
    parts.append(_in_trees(job, operations, _objects(parts)))
    parts.append(_waited(waits, operations, _objects(parts)))
    given, needed = [each.given for each in parts], [each.needed for each in parts]
    return Dependencies(
        Given(
            np.concatenate([each.call for each in given]),
            np.concatenate([each.object for each in given]),
            np.concatenate([each.at_end for each in given]),
        ),
        Needed(
            np.concatenate([each.call for each in needed]),
            np.concatenate([each.object for each in needed]),
            np.concatenate([each.since for each in needed]),
        ),
        np.concatenate([each.state for each in parts]),
    )


def _objects(parts: list[Dependencies]) -> int:
    return sum(len(each.state) for each in parts)


def _messages(job: Job) -> Dependencies:
    """The call that completes a receive needs that the message was sent."""
    messages = job.messages
    rows = np.arange(len(messages.send))
    known = np.flatnonzero(messages.received >= 0)
    return Dependencies(
        Given(messages.send, rows, _no(rows)),
        Needed(messages.received[known], known, job.calls.enter[messages.send[known]]),
        np.full(len(rows), int(State.LATE_SENDER)),
    )


def _receipts(job: Job, first: int) -> Dependencies:
    """The call that completes a synchronous send needs that the receive was begun."""
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
        np.full(len(rows), int(State.LATE_RECEIVER)),
    )


def _of_operations(job: Job, of: Operations, first: int) -> Dependencies:
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


def _in_trees(job: Job, of: Operations, first: int) -> Dependencies:
    """A library passes data on from process to process, so also others than those that need it
    may wait: for the last that came while they were in the call, if that was most of its time."""
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


def _waited(waits: Waits, operations: Operations, first: int) -> Dependencies:
    """What only the waits tell; a lock is given when the unlock ends."""
    known = operations.completed[operations.state == State.FENCE]
    rows = np.flatnonzero(
        np.isin(waits.state, _AS_WAITED)
        & (waits.cause != NOBODY)
        & ~((waits.state == State.FENCE) & np.isin(waits.call, known))
    )
    state = waits.state[rows].astype(np.int64)
    cause, objects = numbered(waits.cause[rows] * len(State) + state)
    given = cause // len(State)
    return Dependencies(
        Given(given, first + np.arange(len(cause)), cause % len(State) == State.LOCK),
        Needed(waits.call[rows], first + objects, waits.since[rows]),
        cause % len(State),
    )


def _no(rows: Ints) -> Flags:
    return np.zeros(len(rows), np.bool_)
