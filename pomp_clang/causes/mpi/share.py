"""What one process had to do with the others of its job."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from pomp_clang.causes.activity import Activity
from pomp_clang.causes.distinct import distinct
from pomp_clang.causes.mpi.collectives import waits_in_collectives
from pomp_clang.causes.mpi.count import Count
from pomp_clang.causes.mpi.functions import EPOCH, NEEDS, Epoch, Needs
from pomp_clang.causes.mpi.inserted import Own, activities, clock_of, own_calls, ticks_at
from pomp_clang.causes.mpi.messages import waits_for_messages
from pomp_clang.causes.mpi.waits import NOBODY, State, Waits, joined
from pomp_clang.causes.mpi.windows import waits_on_windows
from pomp_clang.trace.model import Ints
from pomp_clang.trace.mpi.columns import Job

_STATES_OF = {
    Activity.POINT_TO_POINT: (
        State.LATE_SENDER, State.LATE_SENDER_ORDER, State.LATE_RECEIVER, State.LATE_RECEIVER_ORDER,
    ),
    Activity.COLLECTIVE: (
        State.NXN, State.NXN_COMPLETION, State.LATE_BROADCAST, State.EARLY_REDUCE,
        State.EARLY_SCAN,
    ),
    Activity.MPI_BARRIER: (State.BARRIER, State.BARRIER_COMPLETION),
    Activity.ONE_SIDED: (State.FENCE, State.LATE_POST, State.EARLY_WAIT, State.LOCK),
}  # fmt: skip


@dataclass(frozen=True, slots=True, eq=False)
class Spans:
    """When something was, in a process's ticks."""

    begin: Ints
    end: Ints


@dataclass(frozen=True, slots=True, eq=False)
class Share:
    """A process's calls, its `waits` in them (whose `call` are rows of these) with when these
    were, and by `Count` what each of the calls counts for."""

    own: Own
    waits: Waits
    spans: Spans
    counts: tuple[Ints, ...]


def waits_of(job: Job) -> Waits:
    """Those of all processes, in calls that are for what is waited for."""
    found = joined([waits_for_messages(job), waits_in_collectives(job), waits_on_windows(job)])
    of = np.zeros(len(State), np.int64)
    for activity, states in _STATES_OF.items():
        of[list(states)] = activity
    return found.where(of[found.state] == activities(job)[found.call])


def share_of(job: Job, number: int, waits: Waits, counts: tuple[Ints, ...]) -> Share:
    """Of the process in that row of `Job.processes`; `waits` and `counts` are those of all."""
    own = own_calls(job, number)
    mine = waits.where((waits.call >= own.rows.start) & (waits.call < own.rows.stop))
    local = replace(mine, call=mine.call - own.rows.start)
    spans = spans_of(job, number, mine)
    return Share(own, local, spans, tuple(each[own.rows] for each in counts))


def spans_of(job: Job, number: int, waits: Waits) -> Spans:
    """Up to when what is waited for had begun, or all was there; by a process's clock."""
    leave = job.calls.leave[waits.call]
    end = np.where(waits.cause == NOBODY, leave, np.minimum(waits.since, leave))
    clock = clock_of(job, number)
    return Spans(ticks_at(clock, end - waits.ns), ticks_at(clock, end))


def counts_of(job: Job) -> tuple[Ints, ...]:
    """By `Count`, of all calls."""
    calls, messages, together = job.calls, job.messages, job.collectives
    size = len(calls.enter)
    found = [np.zeros(size, np.int64) for _ in Count]
    function = calls.function[together.call]
    moving = NEEDS[function] != Needs.MEETING
    access = EPOCH[calls.function[job.one_sided.call]] == Epoch.ACCESS
    for count, rows, amount in (
        (Count.SENT, messages.sent, 1),
        (Count.RECEIVED, messages.received, 1),
        (Count.COLLECTIVES, together.completed[moving], 1),
        (Count.SYNCHRONIZATIONS, together.completed[~moving], 1),
        (Count.SYNCHRONIZATIONS, distinct(job.one_sided.call[~access]), 1),
        (Count.BYTES_SENT, messages.sent, messages.bytes),
        (Count.BYTES_RECEIVED, messages.received, messages.bytes),
        (Count.BYTES_OUT, together.completed, together.bytes_out),
        (Count.BYTES_IN, together.completed, together.bytes_in),
        (Count.BYTES_ACCESSED, job.one_sided.call[access], job.one_sided.bytes[access]),
    ):
        known = rows >= 0
        np.add.at(found[count], rows[known], amount if isinstance(amount, int) else amount[known])
    return tuple(found)
