"""The work of each process before an operation or a message exchange, and its even share of the
work of all."""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np

from pomp_clang.causes.job.peers import JobPeers
from pomp_clang.causes.mpi_waits.call_waits import Waits, WaitState, ordinals
from pomp_clang.causes.mpi_waits.operations import JobOperations
from pomp_clang.causes.timeline.columns import distinct, firsts
from pomp_clang.causes.timeline.location_timeline import Flags, Ticks, sums
from pomp_clang.trace.model import Ints
from pomp_clang.trace.mpi.columns import CallColumns, Job

_TOGETHER = (WaitState.NXN, WaitState.BARRIER, WaitState.FENCE)
"""States of operations in which all processes wait for all others."""

_BY_MESSAGES = (WaitState.LATE_SENDER, WaitState.LATE_RECEIVER)


@dataclass(frozen=True, slots=True, eq=False)
class WorkShares:
    """A row is a process's part in an operation: it did `work` ns of work between `since` and
    `until` on the job's clock. `mean` is the mean of all processes in the operation."""

    process: Ints
    since: Ints
    until: Ints
    work: Ticks
    mean: Ticks

    def of(self, process: int) -> WorkShares:
        """Return the rows of one process."""
        rows = np.flatnonzero(self.process == process)
        return WorkShares(*(getattr(self, column.name)[rows] for column in fields(self)))


def shares_of(peers: JobPeers, state: WaitState, path: int) -> WorkShares:
    """Return the shares before the operations in which calls at a call path of the job waited."""
    key = "shares", state, path
    if key not in peers.memo:
        peers.memo[key] = _computed(peers, state, path)
    shares: WorkShares = peers.memo[key]
    return shares


def _computed(peers: JobPeers, state: WaitState, path: int) -> WorkShares:
    job, location = peers.job, peers.locations_of_calls()
    if state in _BY_MESSAGES:
        call, number = _steps(peers, state, path)
        since = _needed_before(peers, call)
    else:
        call, number = _parts(peers, state, path)
        since = _previous_end(peers.operations(), job, location, state, call)
    until = job.calls.enter[call]
    process = _process_of(job, call)
    since = np.maximum(since, np.array([process.start for process in peers.about])[process])
    wait_time = _wait_time_between(peers, location, location[call], since, until)
    work = np.maximum(0.0, until - since - wait_time)
    count = int(number.max(initial=-1)) + 1
    mean = sums(number, work, count) / np.maximum(1, np.bincount(number, minlength=count))
    return WorkShares(process, since, until, work, mean[number])


def _parts(peers: JobPeers, state: WaitState, path: int) -> tuple[Ints, Ints]:
    """Return the calls that begin the operations in which calls at the call path wait, and the
    operation of each."""
    operations = peers.operations()
    waits = _waits_at(peers, state, path)
    is_wanted = np.zeros(operations.count, np.bool_)
    is_wanted[
        operations.instance[(operations.state == state) & np.isin(operations.completed, waits.call)]
    ] = True
    parts = np.flatnonzero(is_wanted[operations.instance] & (operations.completed >= 0))
    return operations.call[parts], operations.instance[parts]


def _steps(peers: JobPeers, state: WaitState, path: int) -> tuple[Ints, Ints]:
    """Return the calls of each step of a message exchange, and the number of the step. The n-th
    calls of all processes at the call path form a step. Processes that have no call there take part
    with the calls which are waited for."""
    dependencies, job = peers.dependencies(), peers.job
    is_at_path = (dependencies.state[dependencies.needed.object] == state) & (
        peers.paths_of_calls()[dependencies.needed.call] == path
    )
    call = distinct(dependencies.needed.call[is_at_path])
    number = ordinals(_process_of(job, call), job.calls.enter[call])
    waits = _waits_at(peers, state, path)
    step = number[np.searchsorted(call, waits.call)]
    processes = len(job.processes)
    visitors = number * processes + _process_of(job, call)
    cause = step * processes + _process_of(job, waits.cause)
    others = np.flatnonzero(~np.isin(cause, visitors))
    others = others[firsts(cause[others])]
    call = np.concatenate([call, waits.cause[others]])
    number = np.concatenate([number, step[others]])
    is_step = np.isin(number, step)
    return call[is_step], number[is_step]


def _waits_at(peers: JobPeers, state: WaitState, path: int) -> Waits:
    waits = peers.waits.of(state)
    return waits.where(peers.paths_of_calls()[waits.call] == path)


def _process_of(job: Job, call: Ints) -> Ints:
    processes = np.array([location.process for location in job.locations], np.int64)
    return processes[job.calls.location[call]]


def _needed_before(peers: JobPeers, call: Ints) -> Ints:
    """Return the end of the previous call on the same location that needed something of another
    process."""
    calls, location = peers.job.calls, peers.locations_of_calls()
    return _ended_before(calls, location, distinct(peers.dependencies().needed.call), call)


def _previous_end(
    operations: JobOperations, job: Job, location: Ints, state: WaitState, call: Ints
) -> Ints:
    """Return the end of the previous operation on the same location. If the state is of operations
    in which not all wait for all, every operation counts."""
    ends = np.flatnonzero(operations.synchronizes & (operations.completed >= 0))
    ended = operations.completed[ends]
    if state not in _TOGETHER:
        ended = np.concatenate([ended, operations.call])
    return _ended_before(job.calls, location, ended, call)


def _ended_before(calls: CallColumns, location: Ints, ended: Ints, call: Ints) -> Ints:
    """Return the end of the newest of the `ended` calls that began before each call on the same
    location."""
    begin, at_location = calls.enter[ended], location[ended]
    order = np.lexsort((begin, at_location))
    at = _newest(at_location[order], begin[order], location[call], calls.enter[call] - 1)
    left = np.append(calls.leave[ended][order], np.iinfo(np.int64).min)
    return left[at]


def _newest(locations: Ints, time: Ints, location: Ints, moment: Ints) -> Ints:
    """Return the row of the newest moment on each location up to `moment`; -1 if there is none."""
    first = min(int(time.min(initial=0)), int(moment.min(initial=0)))
    span = max(int(time.max(initial=0)), int(moment.max(initial=0))) - first + 2
    at = (
        np.searchsorted(locations * span + time - first, location * span + moment - first, "right")
        - 1
    )
    known: Flags = at >= 0
    known[known] = locations[at[known]] == location[known]
    return np.where(known, at, -1)


def _wait_time_between(
    peers: JobPeers, location: Ints, at_location: Ints, since: Ints, until: Ints
) -> Ticks:
    """Return the ns that each location waited for other processes between `since` and `until`."""
    needed, calls = peers.dependencies().needed, peers.job.calls
    ns = np.zeros(len(calls.enter), np.int64)
    arrival = np.minimum(needed.since, calls.leave[needed.call]) - calls.enter[needed.call]
    np.maximum.at(ns, needed.call, arrival)
    rows = np.flatnonzero(ns)
    rows = rows[np.lexsort((calls.leave[rows], location[rows]))]
    moment, on_location = calls.leave[rows], location[rows]
    total = np.append(0, np.cumsum(ns[rows]))
    first = np.searchsorted(on_location, at_location)
    before, after = (
        np.maximum(_newest(on_location, moment, at_location, moments) + 1, first)
        for moments in (since, until)
    )
    wait_time: Ticks = (total[np.maximum(after, before)] - total[before]).astype(np.float64)
    return wait_time
