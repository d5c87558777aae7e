"""Operations that several processes take part in: collective operations, fences, and agreements
such as MPI_Finalize."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pomp_clang.causes.course import Flags
from pomp_clang.causes.distinct import numbered
from pomp_clang.causes.mpi.functions import AGREES, NEEDS, Needs
from pomp_clang.causes.mpi.waits import State, ordinals
from pomp_clang.causes.mpi.windows import fences_of
from pomp_clang.trace.model import Ints
from pomp_clang.trace.mpi.columns import Job

NO_STATE = -1
"""The state of waits that are no property."""

_STATES = np.full(len(Needs), NO_STATE)
for _needs, _state in (
    (Needs.ALL, State.NXN),
    (Needs.MEETING, State.BARRIER),
    (Needs.ROOT, State.LATE_BROADCAST),
    (Needs.ROOT_NEEDS_ALL, State.EARLY_REDUCE),
    (Needs.LOWER, State.EARLY_SCAN),
):
    _STATES[_needs] = _state


@dataclass(frozen=True, slots=True, eq=False)
class Operations:
    """A row is a process's part in an operation: `call` begins the part and `completed` completes
    it, both rows of `Job.calls`.  `needs` is a `Needs` and `state` the `State` of a call that waits
    for the others."""

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
        found: Flags = (self.needs == Needs.ALL) | (self.needs == Needs.MEETING)
        return found


def operations_of(job: Job) -> Operations:
    """Return the collective operations of a job, and the fences and agreements that synchronized
    its processes."""
    own = job.collectives
    needs = NEEDS[own.function].astype(np.int64)
    found = [
        Operations(
            own.instance, own.call, own.completed, needs, own.root == own.rank, _STATES[needs]
        ),
        _meetings(job, *fences_of(job), int(State.FENCE)),
        _meetings(job, *_agreements(job), NO_STATE),
    ]
    first = np.cumsum([0, *(each.count for each in found)])
    instance = [each.instance + begin for each, begin in zip(found, first, strict=False)]
    return Operations(
        np.concatenate(instance),
        *(
            np.concatenate([getattr(each, name) for each in found])
            for name in Operations.__slots__[1:]
        ),
    )


def _meetings(job: Job, call: Ints, number: Ints, state: int) -> Operations:
    """Whether such a call synchronizes is the MPI library's choice, so the trace decides: no
    process left before the last one came."""
    number = numbered(number)[1]
    count = int(number.max(initial=-1)) + 1
    last, first = np.zeros(count, np.int64), np.full(count, np.iinfo(np.int64).max)
    np.maximum.at(last, number, job.calls.enter[call])
    np.minimum.at(first, number, job.calls.leave[call])
    rows = np.flatnonzero((first >= last)[number])
    call = call[rows]
    return Operations(
        numbered(number[rows])[1],
        call,
        call,
        np.full(len(rows), int(Needs.MEETING)),
        np.zeros(len(rows), np.bool_),
        np.full(len(rows), state),
    )


def _agreements(job: Job) -> tuple[Ints, Ints]:
    """The trace does not record the group of these, so only those of all processes are known: the
    n-th call of a function in each."""
    calls = job.calls
    call = np.flatnonzero(AGREES[calls.function])
    process = np.array([each.process for each in job.locations], np.int64)[calls.location[call]]
    function = calls.function[call]
    key = process * len(AGREES) + function
    number = ordinals(key, calls.enter[call]) * len(AGREES) + function
    several, place = numbered(number)
    everyone = np.bincount(place, minlength=len(several))[place] == len(job.processes)
    everyone &= len(job.processes) > 1
    return call[everyone], number[everyone]
