"""What each process did before an operation since the processes last met, and what would be its
share of all of that."""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np

from pomp_clang.causes.course import Flags, Ticks, sums
from pomp_clang.causes.mpi.operations import Operations
from pomp_clang.causes.mpi.peers import Together
from pomp_clang.causes.mpi.waits import State
from pomp_clang.trace.model import Ints
from pomp_clang.trace.mpi.columns import Job

_TOGETHER = (State.NXN, State.BARRIER, State.FENCE)
"""States of operations in which all processes wait for all others."""


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
    of, job = peers.operations(), peers.job
    calls, course = job.calls, peers.courses_of_calls()
    waits = peers.waits.of(state)
    waits = waits.where(peers.paths_of_calls()[waits.call] == path)
    is_wanted = np.zeros(of.count, np.bool_)
    is_wanted[of.instance[(of.state == state) & np.isin(of.completed, waits.call)]] = True
    parts = np.flatnonzero(is_wanted[of.instance] & (of.completed >= 0))
    call = of.call[parts]
    until = calls.enter[call]
    since = _met(of, job, course, state, call)
    process = np.array([each.process for each in job.locations], np.int64)[calls.location[call]]
    since = np.maximum(since, np.array([each.start for each in peers.about])[process])
    waited = _waited(peers, course, course[call], since, until)
    own = np.maximum(0.0, until - since - waited)
    number = of.instance[parts]
    mean = sums(number, own, of.count) / np.maximum(1, np.bincount(number, minlength=of.count))
    return Shares(process, since, until, own, mean[number])


def _met(of: Operations, job: Job, course: Ints, state: State, call: Ints) -> Ints:
    """When the operation before ended on the same course.  Of operations in which not all wait for
    all others, any operation before counts."""
    ends = np.flatnonzero(of.synchronizes & (of.completed >= 0))
    ended = of.completed[ends]
    if state not in _TOGETHER:
        ended = np.concatenate([ended, of.call])
    begun, on = job.calls.enter[ended], course[ended]
    order = np.lexsort((begun, on))
    at = _newest(on[order], begun[order], course[call], job.calls.enter[call] - 1)
    left = np.append(job.calls.leave[ended][order], np.iinfo(np.int64).min)
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
