"""The last synchronization of two locations of a job: a message between them, or an operation in
which all wait for all."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pomp_clang.causes.mpi_waits.call_waits import NOBODY, Waits, WaitState
from pomp_clang.causes.mpi_waits.operations import JobOperations
from pomp_clang.causes.timeline.unique import numbered
from pomp_clang.trace.model import Ints
from pomp_clang.trace.mpi.columns import Job

_NEVER = np.iinfo(np.int64).min
_ON_WINDOWS = (WaitState.LATE_POST, WaitState.EARLY_WAIT, WaitState.LOCK)
_STEPS = 64
"""The most steps back in search of a common operation."""


@dataclass(frozen=True, slots=True, eq=False)
class Meetings:
    """The synchronizations of a job. Messages and waits for windows have `pair`, `time` and
    `there`, from either side. Parts in operations have `part`, `instance` and `left`. `location` has
    the location of each call; `first` and `span` are of the job's time."""

    location: Ints
    first: int
    span: int
    pair: Ints
    time: Ints
    there: Ints
    part: Ints
    instance: Ints
    left: Ints


def meetings(job: Job, location: Ints, operations: JobOperations, waits: Waits) -> Meetings:
    """Return the synchronizations of a job; `location` has the location of each of its calls."""
    calls = job.calls
    first = int(calls.enter.min(initial=0))
    span = int(calls.leave.max(initial=0)) - first + 2
    ends = _ends(job, waits)
    one, other = np.concatenate(ends), np.concatenate(ends[::-1])
    time, there = calls.leave[one], calls.leave[other]
    pair = location[one] * (int(location.max(initial=0)) + 1) + location[other]
    order = np.lexsort((time, pair))
    rows = np.flatnonzero(operations.synchronizes & (operations.completed >= 0))
    on = location[operations.completed[rows]]
    left = calls.leave[operations.completed[rows]]
    by_location = np.lexsort((left, on))
    rows, on, left = rows[by_location], on[by_location], left[by_location]
    return Meetings(
        location, first, span, pair[order], time[order], there[order],
        on * span + left - first, operations.instance[rows], left,
    )  # fmt: skip


def _ends(job: Job, waits: Waits) -> tuple[Ints, Ints]:
    """Return the calls which ended a message, or a wait for another process's window, on both
    sides."""
    messages = job.messages
    known = messages.received >= 0
    windows = waits.where(np.isin(waits.state, _ON_WINDOWS) & (waits.cause != NOBODY))
    return (
        np.concatenate([messages.sent[known], windows.cause]),
        np.concatenate([messages.received[known], windows.call]),
    )


def met_before(of: Meetings, one: Ints, other: Ints, when: Ints, there: Ints) -> tuple[Ints, Ints]:
    """Return the times of the last synchronization of two locations: on `one` before `when`, and on
    `other` before `there`. `_NEVER` if there was none."""
    since, since_there = _message(of, one, other, when)
    met, met_there = _operation(of, one, other, when, there)
    later = met > since
    return np.where(later, met, since), np.where(later, met_there, since_there)


def _message(of: Meetings, one: Ints, other: Ints, when: Ints) -> tuple[Ints, Ints]:
    if not len(of.pair):
        return np.full(len(one), _NEVER), np.full(len(one), _NEVER)
    pair = one * (int(of.location.max(initial=0)) + 1) + other
    number = np.searchsorted(of.pair, pair)
    _, dense = numbered(of.pair)
    known = of.pair[np.minimum(number, len(of.pair) - 1)] == pair
    mine = dense[np.minimum(number, len(of.pair) - 1)]
    key = dense * of.span + of.time - of.first
    at = np.searchsorted(key, mine * of.span + when - of.first, "right") - 1
    known &= (at >= 0) & (of.pair[np.maximum(at, 0)] == pair)
    return np.where(known, of.time[at], _NEVER), np.where(known, of.there[at], _NEVER)


def _operation(of: Meetings, one: Ints, other: Ints, when: Ints, there: Ints) -> tuple[Ints, Ints]:
    """Return the times at which each pair left its last common operation. From the newest operation
    of each location, the later one steps back until both are in the same."""
    never = np.full(len(one), _NEVER)
    if not len(of.part):
        return never, never
    a, b = _newest(of, one, when), _newest(of, other, there)
    for _ in range(_STEPS):
        both = (a != NOBODY) & (b != NOBODY)
        apart = both & (of.instance[a] != of.instance[b])
        if not apart.any():
            break
        is_later = of.left[a] >= of.left[b]
        a = np.where(apart & is_later, _before(of, a, one), a)
        b = np.where(apart & ~is_later, _before(of, b, other), b)
    same = (a != NOBODY) & (b != NOBODY) & (of.instance[a] == of.instance[b])
    return np.where(same, of.left[a], never), np.where(same, of.left[b], never)


def _newest(of: Meetings, location: Ints, when: Ints) -> Ints:
    at = np.searchsorted(of.part, location * of.span + when - of.first, "right") - 1
    return _of(of, at, location)


def _before(of: Meetings, at: Ints, location: Ints) -> Ints:
    return _of(of, at - 1, location)


def _of(of: Meetings, at: Ints, location: Ints) -> Ints:
    is_on_location = (at >= 0) & (of.part[np.maximum(at, 0)] // of.span == location)
    return np.where(is_on_location, at, NOBODY)
