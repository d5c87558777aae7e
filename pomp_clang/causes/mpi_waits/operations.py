"""Operations of several processes: collective operations, fences, and agreements such as
MPI_Finalize. The last synchronization of two locations of a job is a message between them, or an
operation in which all wait for all.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pomp_clang.causes.mpi_waits.call_waits import NOBODY, Waits, WaitState, ordinals
from pomp_clang.causes.mpi_waits.functions import AGREES, NEEDS, Needs
from pomp_clang.causes.mpi_waits.windows import fences_of
from pomp_clang.causes.timeline.columns import numbered
from pomp_clang.causes.timeline.location_timeline import Flags
from pomp_clang.trace.model import Ints
from pomp_clang.trace.mpi.columns import Job

NO_STATE = -1
"""The state of waits that belong to no property."""

_STATES = np.full(len(Needs), NO_STATE)
for _needs, _state in (
    (Needs.ALL, WaitState.NXN),
    (Needs.MEETING, WaitState.BARRIER),
    (Needs.ROOT, WaitState.LATE_BROADCAST),
    (Needs.ROOT_NEEDS_ALL, WaitState.EARLY_REDUCE),
    (Needs.LOWER, WaitState.EARLY_SCAN),
):
    _STATES[_needs] = _state


@dataclass(frozen=True, slots=True, eq=False)
class JobOperations:
    """A row is a process's part in an operation: `call` begins the part and `completed` completes
    it, both rows of `Job.calls`. `needs` is a `Needs`, and `state` the `WaitState` of a call that
    waits for the others."""

    instance: Ints
    call: Ints
    completed: Ints
    needs: Ints
    is_root: Flags
    state: Ints

    @property
    def count(self) -> int:
        return int(self.instance.max(initial=-1)) + 1

    @property
    def synchronizes(self) -> Flags:
        """True of a part that is left only when all processes have come."""
        waits_for_all: Flags = (self.needs == Needs.ALL) | (self.needs == Needs.MEETING)
        return waits_for_all


def operations_of(job: Job) -> JobOperations:
    """Return the collective operations of a job, and the fences and agreements that synchronized
    its processes."""
    collectives = job.collectives
    needs = NEEDS[collectives.function].astype(np.int64)
    kinds = [
        JobOperations(
            collectives.instance,
            collectives.call,
            collectives.completed,
            needs,
            collectives.root == collectives.rank,
            _STATES[needs],
        ),
        _meetings(job, *fences_of(job), int(WaitState.FENCE)),
        _meetings(job, *_agreements(job), NO_STATE),
    ]
    first = np.cumsum([0, *(kind.count for kind in kinds)])
    instance = [kind.instance + begin for kind, begin in zip(kinds, first, strict=False)]
    return JobOperations(
        np.concatenate(instance),
        *(
            np.concatenate([getattr(kind, name) for kind in kinds])
            for name in JobOperations.__slots__[1:]
        ),
    )


def _meetings(job: Job, call: Ints, number: Ints, state: int) -> JobOperations:
    """Return the operations in which all processes waited for all. The MPI library decides if such
    a call synchronizes, so the trace is asked: no process left before the last one came."""
    number = numbered(number)[1]
    count = int(number.max(initial=-1)) + 1
    last, first = np.zeros(count, np.int64), np.full(count, np.iinfo(np.int64).max)
    np.maximum.at(last, number, job.calls.enter[call])
    np.minimum.at(first, number, job.calls.leave[call])
    rows = np.flatnonzero((first >= last)[number])
    call = call[rows]
    return JobOperations(
        numbered(number[rows])[1],
        call,
        call,
        np.full(len(rows), int(Needs.MEETING)),
        np.zeros(len(rows), np.bool_),
        np.full(len(rows), state),
    )


def _agreements(job: Job) -> tuple[Ints, Ints]:
    """Return the calls of agreements among all processes, and the operation of each. The trace does
    not record the group of an agreement. The n-th calls of a function form an operation if every
    process has one."""
    calls = job.calls
    call = np.flatnonzero(AGREES[calls.function])
    process = np.array([location.process for location in job.locations], np.int64)[
        calls.location[call]
    ]
    function = calls.function[call]
    key = process * len(AGREES) + function
    number = ordinals(key, calls.enter[call]) * len(AGREES) + function
    numbers, place = numbered(number)
    is_by_all = np.bincount(place, minlength=len(numbers))[place] == len(job.processes)
    is_by_all &= len(job.processes) > 1
    return call[is_by_all], number[is_by_all]


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
