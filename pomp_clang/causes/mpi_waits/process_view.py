"""One process's part in the communication of its job."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from pomp_clang.causes.mpi_waits.call_counts import CallCount
from pomp_clang.causes.mpi_waits.call_waits import NOBODY, Waits, WaitState, joined, largest, waits
from pomp_clang.causes.mpi_waits.collectives import waits_in_collectives
from pomp_clang.causes.mpi_waits.functions import EPOCH, NEEDS, Epoch, Needs
from pomp_clang.causes.mpi_waits.mpi_intervals import (
    ProcessCalls,
    activities,
    clock_of,
    own_calls,
    ticks_at,
)
from pomp_clang.causes.mpi_waits.windows import waits_on_windows
from pomp_clang.causes.timeline.activity import Activity
from pomp_clang.causes.timeline.columns import distinct
from pomp_clang.trace.model import Ints
from pomp_clang.trace.mpi.columns import Job

_STATES_OF = {
    Activity.POINT_TO_POINT: (
        WaitState.LATE_SENDER, WaitState.LATE_SENDER_ORDER, WaitState.LATE_RECEIVER, WaitState.LATE_RECEIVER_ORDER,
    ),
    Activity.COLLECTIVE: (
        WaitState.NXN, WaitState.NXN_COMPLETION, WaitState.LATE_BROADCAST, WaitState.EARLY_REDUCE,
        WaitState.EARLY_SCAN,
    ),
    Activity.MPI_BARRIER: (WaitState.BARRIER, WaitState.BARRIER_COMPLETION),
    Activity.ONE_SIDED: (WaitState.FENCE, WaitState.LATE_POST, WaitState.EARLY_WAIT, WaitState.LOCK),
}  # fmt: skip


@dataclass(frozen=True, slots=True, eq=False)
class WaitSpans:
    """The begin and end of each wait, in the process's ticks."""

    begin: Ints
    end: Ints


@dataclass(frozen=True, slots=True, eq=False)
class ProcessView:
    """The calls of a process, and its `waits` with their times in `spans`; their `call` is a row of
    the process's calls. `counts` has, by `CallCount`, a column over these calls."""

    calls: ProcessCalls
    waits: Waits
    spans: WaitSpans
    counts: tuple[Ints, ...]


def waits_of(job: Job) -> Waits:
    """Return the waits of all processes, in calls whose activity fits the wait state."""
    all_waits = joined([_waits_for_messages(job), waits_in_collectives(job), waits_on_windows(job)])
    activity_of = np.zeros(len(WaitState), np.int64)
    for activity, states in _STATES_OF.items():
        activity_of[list(states)] = activity
    return all_waits.where(activity_of[all_waits.state] == activities(job)[all_waits.call])


def share_of(job: Job, number: int, waits: Waits, counts: tuple[Ints, ...]) -> ProcessView:
    """Return the view of the process in row `number` of `Job.processes`; `waits` and `counts` are
    those of all processes."""
    calls = own_calls(job, number)
    own_waits = waits.where((waits.call >= calls.rows.start) & (waits.call < calls.rows.stop))
    local = replace(own_waits, call=own_waits.call - calls.rows.start)
    spans = spans_of(job, number, own_waits)
    return ProcessView(calls, local, spans, tuple(column[calls.rows] for column in counts))


def spans_of(job: Job, number: int, waits: Waits) -> WaitSpans:
    """Return the time of each wait by the clock of a process. A wait ends when the awaited call has
    come to the awaited point, or at the end of its own call."""
    leave = job.calls.leave[waits.call]
    end = np.where(waits.cause == NOBODY, leave, np.minimum(waits.since, leave))
    clock = clock_of(job, number)
    return WaitSpans(ticks_at(clock, end - waits.ns), ticks_at(clock, end))


def counts_of(job: Job) -> tuple[Ints, ...]:
    """Return a column over all calls for each `CallCount`."""
    calls, messages, collectives = job.calls, job.messages, job.collectives
    size = len(calls.enter)
    columns = [np.zeros(size, np.int64) for _ in CallCount]
    function = calls.function[collectives.call]
    moving = NEEDS[function] != Needs.MEETING
    access = EPOCH[calls.function[job.one_sided.call]] == Epoch.ACCESS
    for count, rows, amount in (
        (CallCount.SENT, messages.sent, 1),
        (CallCount.RECEIVED, messages.received, 1),
        (CallCount.COLLECTIVES, collectives.completed[moving], 1),
        (CallCount.SYNCHRONIZATIONS, collectives.completed[~moving], 1),
        (CallCount.SYNCHRONIZATIONS, distinct(job.one_sided.call[~access]), 1),
        (CallCount.BYTES_SENT, messages.sent, messages.bytes),
        (CallCount.BYTES_RECEIVED, messages.received, messages.bytes),
        (CallCount.BYTES_OUT, collectives.completed, collectives.bytes_out),
        (CallCount.BYTES_IN, collectives.completed, collectives.bytes_in),
        (CallCount.BYTES_ACCESSED, job.one_sided.call[access], job.one_sided.bytes[access]),
    ):
        known = rows >= 0
        np.add.at(columns[count], rows[known], amount if isinstance(amount, int) else amount[known])
    return tuple(columns)


def _waits_for_messages(job: Job) -> Waits:
    """Return the waits in ns of the job's clock: of each call only the longest, for one message."""
    messages = job.messages
    late, blocked = _late_sends(job), _late_receives(job)
    sender, receiver = largest(messages.received, late), largest(messages.sent, blocked)
    beyond = blocked.copy()
    wait_time = np.zeros(len(job.calls.enter), np.int64)
    wait_time[messages.received[sender]] = late[sender]
    # A call that sends and receives waits for both at once: this time is not counted twice.
    beyond -= wait_time[messages.sent]
    unordered = _out_of_order(job)
    return joined(
        [
            _sender(job, WaitState.LATE_SENDER, sender, late),
            _sender(
                job,
                WaitState.LATE_SENDER_ORDER,
                largest(messages.received, np.where(unordered, late, 0)),
                late,
            ),
            _receiver(job, WaitState.LATE_RECEIVER, receiver, beyond),
            _receiver(
                job,
                WaitState.LATE_RECEIVER_ORDER,
                largest(messages.sent, np.where(unordered, blocked, 0)),
                beyond,
            ),
        ]
    )


def _late_sends(job: Job) -> Ints:
    calls, messages = job.calls, job.messages
    begin = calls.enter[messages.send]
    until = np.minimum(begin, calls.leave[messages.received])
    late = until - calls.enter[messages.received]
    return np.where(messages.received >= 0, late, 0)


def _late_receives(job: Job) -> Ints:
    """Return the ns that each send waited for its receiver; 0 if the send was over before the
    receive began."""
    calls, messages = job.calls, job.messages
    begin = calls.enter[messages.receive]
    is_late = calls.leave[messages.sent] > begin
    return np.where(is_late, begin - calls.enter[messages.sent], 0)


def _sender(job: Job, state: WaitState, rows: Ints, ns: Ints) -> Waits:
    send = job.messages.send[rows]
    return waits(state, job.messages.received[rows], ns[rows], send, job.calls.enter[send])


def _receiver(job: Job, state: WaitState, rows: Ints, ns: Ints) -> Waits:
    receive = job.messages.receive[rows]
    return waits(state, job.messages.sent[rows], ns[rows], receive, job.calls.enter[receive])


def _out_of_order(job: Job) -> np.ndarray[tuple[int, ...], np.dtype[np.bool_]]:
    """Return a mask of messages during whose wait an older message for the same process was there
    which was received later."""
    calls, messages = job.calls, job.messages
    if not len(messages.send):
        return np.zeros(0, np.bool_)
    process = np.array([location.process for location in job.locations], np.int64)
    first = int(calls.enter.min())
    span = int(calls.leave.max()) - first + 1
    base = process[calls.location[messages.received]] * span - first
    receive_begin = base + calls.enter[messages.receive]
    send_begin = base + calls.enter[messages.send]
    order = np.argsort(receive_begin, kind="stable")
    # Keys of the next process are all larger than those of this one.
    oldest = np.append(np.minimum.accumulate(send_begin[order][::-1])[::-1], np.iinfo(np.int64).max)
    later = np.searchsorted(receive_begin[order], base + calls.leave[messages.received])
    unordered: np.ndarray[tuple[int, ...], np.dtype[np.bool_]] = oldest[later] < send_begin
    return unordered
