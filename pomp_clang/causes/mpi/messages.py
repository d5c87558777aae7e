"""Messages that one side came late for."""

from __future__ import annotations

import numpy as np

from pomp_clang.causes.mpi.waits import State, Waits, joined, largest, waits
from pomp_clang.trace.model import Ints
from pomp_clang.trace.mpi.columns import Job


def waits_for_messages(job: Job) -> Waits:
    """In ns of the job's clock: of each call for the message that it waited for longest."""
    messages = job.messages
    late, blocked = _late_sends(job), _late_receives(job)
    sender, receiver = largest(messages.received, late), largest(messages.sent, blocked)
    beyond = blocked.copy()
    waited = np.zeros(len(job.calls.enter), np.int64)
    waited[messages.received[sender]] = late[sender]
    # A call that sends and receives waits for both at once: what is for the one is not again for
    # the other.
    beyond -= waited[messages.sent]
    unordered = _out_of_order(job)
    return joined(
        [
            _sender(job, State.LATE_SENDER, sender, late),
            _sender(
                job,
                State.LATE_SENDER_ORDER,
                largest(messages.received, np.where(unordered, late, 0)),
                late,
            ),
            _receiver(job, State.LATE_RECEIVER, receiver, beyond),
            _receiver(
                job,
                State.LATE_RECEIVER_ORDER,
                largest(messages.sent, np.where(unordered, blocked, 0)),
                beyond,
            ),
        ]
    )


def _late_sends(job: Job) -> Ints:
    calls, messages = job.calls, job.messages
    begun = calls.enter[messages.send]
    until = np.minimum(begun, calls.leave[messages.received])
    late = until - calls.enter[messages.received]
    return np.where(messages.received >= 0, late, 0)


def _late_receives(job: Job) -> Ints:
    """What was sent before it was wanted has kept nobody."""
    calls, messages = job.calls, job.messages
    asked = calls.enter[messages.receive]
    kept = calls.leave[messages.sent] > asked
    return np.where(kept, asked - calls.enter[messages.sent], 0)


def _sender(job: Job, state: State, rows: Ints, ns: Ints) -> Waits:
    send = job.messages.send[rows]
    return waits(state, job.messages.received[rows], ns[rows], send, job.calls.enter[send])


def _receiver(job: Job, state: State, rows: Ints, ns: Ints) -> Waits:
    receive = job.messages.receive[rows]
    return waits(state, job.messages.sent[rows], ns[rows], receive, job.calls.enter[receive])


def _out_of_order(job: Job) -> np.ndarray[tuple[int, ...], np.dtype[np.bool_]]:
    """Whether an older message for the same process lay there that was asked for only later."""
    calls, messages = job.calls, job.messages
    if not len(messages.send):
        return np.zeros(0, np.bool_)
    process = np.array([each.process for each in job.locations], np.int64)
    first = int(calls.enter.min())
    span = int(calls.leave.max()) - first + 1
    base = process[calls.location[messages.received]] * span - first
    asked = base + calls.enter[messages.receive]
    begun = base + calls.enter[messages.send]
    order = np.argsort(asked, kind="stable")
    # Of another process, which comes behind, all is later than anything of this one.
    oldest = np.append(np.minimum.accumulate(begun[order][::-1])[::-1], np.iinfo(np.int64).max)
    later = np.searchsorted(asked[order], base + calls.leave[messages.received])
    unordered: np.ndarray[tuple[int, ...], np.dtype[np.bool_]] = oldest[later] < begun
    return unordered
