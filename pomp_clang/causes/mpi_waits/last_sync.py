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
    `other_time`, from either side. Parts in operations have `part`, `instance` and `left`.
    `location` has the location of each call; `first` and `span` are of the job's time."""

    location: Ints
    first: int
    span: int
    pair: Ints
    time: Ints
    other_time: Ints
    part: Ints
    instance: Ints
    left: Ints


def meetings(job: Job, location: Ints, operations: JobOperations, waits: Waits) -> Meetings:
    """Return the synchronizations of a job; `location` has the location of each of its calls."""
    calls = job.calls
    first = int(calls.enter.min(initial=0))
    span = int(calls.leave.max(initial=0)) - first + 2
    ends = _ends(job, waits)
    first_call, other = np.concatenate(ends), np.concatenate(ends[::-1])
    time, other_time = calls.leave[first_call], calls.leave[other]
    pair = location[first_call] * (int(location.max(initial=0)) + 1) + location[other]
    order = np.lexsort((time, pair))
    rows = np.flatnonzero(operations.synchronizes & (operations.completed >= 0))
    at_location = location[operations.completed[rows]]
    left = calls.leave[operations.completed[rows]]
    by_location = np.lexsort((left, at_location))
    rows, at_location, left = rows[by_location], at_location[by_location], left[by_location]
    return Meetings(
        location, first, span, pair[order], time[order], other_time[order],
        at_location * span + left - first, operations.instance[rows], left,
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


def met_before(
    sync_points: Meetings, location: Ints, other: Ints, moment: Ints, other_moment: Ints
) -> tuple[Ints, Ints]:
    """Return the times of the last synchronization of two locations: on `location` before `moment`,
    and on `other` before `other_moment`. `_NEVER` if there was none."""
    since, since_there = _message(sync_points, location, other, moment)
    instance, met_there = _operation(sync_points, location, other, moment, other_moment)
    later = instance > since
    return np.where(later, instance, since), np.where(later, met_there, since_there)


def _message(sync_points: Meetings, location: Ints, other: Ints, moment: Ints) -> tuple[Ints, Ints]:
    if not len(sync_points.pair):
        return np.full(len(location), _NEVER), np.full(len(location), _NEVER)
    pair = location * (int(sync_points.location.max(initial=0)) + 1) + other
    number = np.searchsorted(sync_points.pair, pair)
    _, dense = numbered(sync_points.pair)
    known = sync_points.pair[np.minimum(number, len(sync_points.pair) - 1)] == pair
    pair_number = dense[np.minimum(number, len(sync_points.pair) - 1)]
    key = dense * sync_points.span + sync_points.time - sync_points.first
    at = (
        np.searchsorted(key, pair_number * sync_points.span + moment - sync_points.first, "right")
        - 1
    )
    known &= (at >= 0) & (sync_points.pair[np.maximum(at, 0)] == pair)
    return np.where(known, sync_points.time[at], _NEVER), np.where(
        known, sync_points.other_time[at], _NEVER
    )


def _operation(
    sync_points: Meetings, location: Ints, other: Ints, moment: Ints, other_moment: Ints
) -> tuple[Ints, Ints]:
    """Return the times at which each pair left its last common operation. From the newest operation
    of each location, the later one steps back until both are in the same."""
    never = np.full(len(location), _NEVER)
    if not len(sync_points.part):
        return never, never
    newest, newest_other = (
        _newest(sync_points, location, moment),
        _newest(sync_points, other, other_moment),
    )
    for _ in range(_STEPS):
        both = (newest != NOBODY) & (newest_other != NOBODY)
        differ = both & (sync_points.instance[newest] != sync_points.instance[newest_other])
        if not differ.any():
            break
        is_later = sync_points.left[newest] >= sync_points.left[newest_other]
        newest = np.where(differ & is_later, _before(sync_points, newest, location), newest)
        newest_other = np.where(
            differ & ~is_later, _before(sync_points, newest_other, other), newest_other
        )
    same = (
        (newest != NOBODY)
        & (newest_other != NOBODY)
        & (sync_points.instance[newest] == sync_points.instance[newest_other])
    )
    return np.where(same, sync_points.left[newest], never), np.where(
        same, sync_points.left[newest_other], never
    )


def _newest(sync_points: Meetings, location: Ints, moment: Ints) -> Ints:
    at = (
        np.searchsorted(
            sync_points.part, location * sync_points.span + moment - sync_points.first, "right"
        )
        - 1
    )
    return _at_location(sync_points, at, location)


def _before(sync_points: Meetings, at: Ints, location: Ints) -> Ints:
    return _at_location(sync_points, at - 1, location)


def _at_location(sync_points: Meetings, at: Ints, location: Ints) -> Ints:
    is_on_location = (at >= 0) & (
        sync_points.part[np.maximum(at, 0)] // sync_points.span == location
    )
    return np.where(is_on_location, at, NOBODY)
