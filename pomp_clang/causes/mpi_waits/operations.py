"""Operations of several processes: collective operations, fences, and agreements such as
MPI_Finalize."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pomp_clang.causes.mpi_waits.call_waits import WaitState, ordinals
from pomp_clang.causes.mpi_waits.functions import AGREES, NEEDS, Needs
from pomp_clang.causes.mpi_waits.windows import fences_of
from pomp_clang.causes.timeline.location_timeline import Flags
from pomp_clang.causes.timeline.unique import numbered
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
