"""What each process did before an operation, or a step of exchanging messages, and what would be
its share of all of that."""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np

from pomp_clang.causes.course import Flags, Ticks, sums
from pomp_clang.causes.distinct import distinct, firsts
from pomp_clang.causes.mpi.operations import Operations
from pomp_clang.causes.mpi.peers import Together
from pomp_clang.causes.mpi.waits import State, Waits, ordinals
from pomp_clang.trace.model import Ints
from pomp_clang.trace.mpi.columns import Calls, Job

_TOGETHER = (State.NXN, State.BARRIER, State.FENCE)
"""States of operations in which all processes wait for all others."""

_BY_MESSAGES = (State.LATE_SENDER, State.LATE_RECEIVER)


@dataclass(frozen=True, slots=True, eq=False)
class Shares:
    """A row is a process's part in an operation: it did `own` ns of work between `since` and
    `until`, which are the job's, and `mean` is that of all processes in the operation."""

    process: Ints
    since: Ints
    until: Ints
    own: Ticks
    mean: Ticks

    def of(self, process: int) -> Shares:
        """Return those of one process."""
        rows = np.flatnonzero(self.process == process)
        return Shares(*(getattr(self, each.name)[rows] for each in fields(self)))


def shares_of(peers: Together, state: State, path: int) -> Shares:
    """Return the shares before the operations in which calls at a call path of the job waited."""
    key = "shares", state, path
    if key not in peers.memo:
        peers.memo[key] = _computed(peers, state, path)
    found: Shares = peers.memo[key]
    return found


def _computed(peers: Together, state: State, path: int) -> Shares:
    job, course = peers.job, peers.courses_of_calls()
    if state in _BY_MESSAGES:
        call, number = _steps(peers, state, path)
        since = _needed_before(peers, call)
    else:
        call, number = _parts(peers, state, path)
        since = _met(peers.operations(), job, course, state, call)
    until = job.calls.enter[call]
    process = _process_of(job, call)
    since = np.maximum(since, np.array([each.start for each in peers.about])[process])
    waited = _waited(peers, course, course[call], since, until)
    own = np.maximum(0.0, until - since - waited)
    count = int(number.max(initial=-1)) + 1
    mean = sums(number, own, count) / np.maximum(1, np.bincount(number, minlength=count))
    return Shares(process, since, until, own, mean[number])


def _parts(peers: Together, state: State, path: int) -> tuple[Ints, Ints]:
    """The calls that begin the operations in which calls at the call path wait, and the number of
    the operation of each."""
    of = peers.operations()
    waits = _waits_at(peers, state, path)
    is_wanted = np.zeros(of.count, np.bool_)
    is_wanted[of.instance[(of.state == state) & np.isin(of.completed, waits.call)]] = True
    parts = np.flatnonzero(is_wanted[of.instance] & (of.completed >= 0))
    return of.call[parts], of.instance[parts]


def _steps(peers: Together, state: State, path: int) -> tuple[Ints, Ints]:
    """The n-th calls of all processes at the call path are a step, as of an exchange with
    neighbours; so are the calls that these wait for, of processes that have none there."""
    of, job = peers.dependencies(), peers.job
    here = (of.state[of.needed.object] == state) & (peers.paths_of_calls()[of.needed.call] == path)
    call = distinct(of.needed.call[here])
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


def _waits_at(peers: Together, state: State, path: int) -> Waits:
    waits = peers.waits.of(state)
    return waits.where(peers.paths_of_calls()[waits.call] == path)


def _process_of(job: Job, call: Ints) -> Ints:
    processes = np.array([each.process for each in job.locations], np.int64)
    return processes[job.calls.location[call]]


def _needed_before(peers: Together, call: Ints) -> Ints:
    """The end of the call before on the same course that needed something of another process."""
    calls, course = peers.job.calls, peers.courses_of_calls()
    return _ended_before(calls, course, distinct(peers.dependencies().needed.call), call)


def _met(of: Operations, job: Job, course: Ints, state: State, call: Ints) -> Ints:
    """When the operation before ended on the same course.  Of operations in which not all wait for
    all others, any operation before counts."""
    ends = np.flatnonzero(of.synchronizes & (of.completed >= 0))
    ended = of.completed[ends]
    if state not in _TOGETHER:
        ended = np.concatenate([ended, of.call])
    return _ended_before(job.calls, course, ended, call)


def _ended_before(calls: Calls, course: Ints, ended: Ints, call: Ints) -> Ints:
    """When the newest of some calls ended that began before each call on its course."""
    begun, on = calls.enter[ended], course[ended]
    order = np.lexsort((begun, on))
    at = _newest(on[order], begun[order], course[call], calls.enter[call] - 1)
    left = np.append(calls.leave[ended][order], np.iinfo(np.int64).min)
    return left[at]


def _newest(on: Ints, time: Ints, course: Ints, when: Ints) -> Ints:
    """The row of the newest moment on each course, up to `when`; -1 where there is none."""
    first = min(int(time.min(initial=0)), int(when.min(initial=0)))
    span = max(int(time.max(initial=0)), int(when.max(initial=0))) - first + 2
    at = np.searchsorted(on * span + time - first, course * span + when - first, "right") - 1
    known: Flags = at >= 0
    known[known] = on[at[known]] == course[known]
    return np.where(known, at, -1)


def _waited(peers: Together, course: Ints, on: Ints, since: Ints, until: Ints) -> Ticks:
    """What a course waited for other processes in some time, in ns."""
    needed, calls = peers.dependencies().needed, peers.job.calls
    ns = np.zeros(len(calls.enter), np.int64)
    came = np.minimum(needed.since, calls.leave[needed.call]) - calls.enter[needed.call]
    np.maximum.at(ns, needed.call, came)
    rows = np.flatnonzero(ns)
    rows = rows[np.lexsort((calls.leave[rows], course[rows]))]
    when, own = calls.leave[rows], course[rows]
    total = np.append(0, np.cumsum(ns[rows]))
    first = np.searchsorted(own, on)
    before, after = (np.maximum(_newest(own, when, on, each) + 1, first) for each in (since, until))
    found: Ticks = (total[np.maximum(after, before)] - total[before]).astype(np.float64)
    return found
