"""Waits for window locks: calls that cannot proceed before another process releases a lock that
excludes theirs."""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np

from pomp_clang.causes.mpi_waits.call_waits import (
    NOBODY,
    Waits,
    WaitState,
    joined,
    largest,
    ordinals,
    waits,
)
from pomp_clang.causes.mpi_waits.functions import EPOCH, Epoch
from pomp_clang.causes.timeline.columns import firsts, numbered
from pomp_clang.causes.timeline.location_timeline import Flags
from pomp_clang.mpi.variants import NUMBERS
from pomp_clang.trace.model import Ints
from pomp_clang.trace.mpi.columns import Job

_AT_USE = tuple(
    NUMBERS[f"MPI_{name}"] for name in ("Win_unlock_all", "Win_flush_all", "Win_flush_local_all")
)
"""Functions that complete the use of a window at all targets, and wait only for the targets that were used."""

_FOR_ALL = (NUMBERS["MPI_Win_lock_all"], *_AT_USE)


@dataclass(frozen=True, slots=True, eq=False)
class _LockCalls:
    """A row is a call on the part of a window that a process (`target`) has. `number` identifies
    window, target and calling process (`rank`) together."""

    call: Ints
    number: Ints
    target: Ints
    rank: Ints
    exclusive: Flags

    def pick(self, rows: Ints | Flags) -> _LockCalls:
        return _LockCalls(*(getattr(self, column.name)[rows] for column in fields(self)))


def waits_for_locks(job: Job) -> Waits:
    """Return the waits for windows that others have locked. A shared lock waits for the last
    exclusive lock before it, an exclusive lock for the last lock of any kind."""
    rows = _of_targets(job)
    if not len(rows.call):
        return joined([])
    calls, kind = job.calls, EPOCH[job.calls.function[rows.call]]
    lock, unlock = rows.pick(kind == Epoch.LOCK), rows.pick(kind == Epoch.UNLOCK)
    before, after = (
        ordinals(rows_of_kind.number, calls.enter[rows_of_kind.call])
        for rows_of_kind in (lock, unlock)
    )
    lock_number, other = _numbered(lock.number, before, unlock.number, after)
    _, at, ended = np.intersect1d(lock_number, other, return_indices=True)
    lock, unlock = lock.pick(at), unlock.pick(ended)
    holder = _holders(lock, calls.leave[unlock.call])
    since = np.where(holder != NOBODY, calls.leave[unlock.call[holder]], 0)
    cause = np.where(holder != NOBODY, unlock.call[holder], NOBODY)
    call, epoch = _calls_within(job, lock, unlock, rows.pick(kind == Epoch.ACCESS))
    is_held = calls.enter[lock.call[holder[epoch]]] < calls.leave[call]
    ns = np.minimum(since[epoch], calls.leave[call]) - calls.enter[call]
    ns = np.where((cause[epoch] != NOBODY) & is_held, ns, 0)
    chosen = largest(call, ns)
    return waits(
        WaitState.LOCK, call[chosen], ns[chosen], cause[epoch][chosen], since[epoch][chosen]
    )


def _calls_within(
    job: Job, lock: _LockCalls, unlock: _LockCalls, used: _LockCalls
) -> tuple[Ints, Ints]:
    """Return the calls from each lock up to its unlock, and the row of the lock."""
    calls = job.calls
    epoch_of_use = _epoch_of(lock, used, calls.enter)
    inside = np.flatnonzero(epoch_of_use != NOBODY)
    inside = inside[
        calls.enter[used.call[inside]] <= calls.leave[unlock.call[epoch_of_use[inside]]]
    ]
    every = np.arange(len(lock.call))
    call = np.concatenate([lock.call, unlock.call, used.call[inside]])
    epoch = np.concatenate([every, every, epoch_of_use[inside]])
    touched = used.number[~np.isin(calls.function[used.call], _AT_USE)]
    is_used = np.isin(lock.number[epoch], touched) | ~np.isin(calls.function[call], _AT_USE)
    return call[is_used], epoch[is_used]


def _of_targets(job: Job) -> _LockCalls:
    """Return the calls that lock, unlock or use windows. A call for all processes of a window
    counts once for each target that some process locks exclusively: no other target makes processes
    wait."""
    uses, function = job.one_sided, job.calls.function[job.one_sided.call]
    kind = EPOCH[function]
    about = np.isin(kind, (Epoch.LOCK, Epoch.UNLOCK, Epoch.ACCESS))
    alone = np.flatnonzero((kind == Epoch.LOCK) & uses.exclusive & (uses.target != NOBODY))
    alone = alone[firsts(_code(uses.window[alone], uses.target[alone]))]
    keys = uses.window[alone], uses.target[alone]
    if not len(alone):
        none = np.zeros(0, np.int64)
        return _LockCalls(none, none, none, none, np.zeros(0, np.bool_))
    all_ = np.flatnonzero(about & np.isin(function, _FOR_ALL))
    of_one = np.flatnonzero(about & (uses.target != NOBODY) & ~np.isin(function, _FOR_ALL))
    first, last = (np.searchsorted(keys[0], uses.window[all_], side) for side in ("left", "right"))
    count = last - first
    place = np.repeat(first - (np.cumsum(count) - count), count) + np.arange(int(count.sum()))
    at = np.concatenate([of_one, np.repeat(all_, count)])
    window = uses.window[at]
    target = np.concatenate([uses.target[of_one], keys[1][place]])
    is_used = np.isin(*_numbered(window, target, *keys))
    at, window, target = at[is_used], window[is_used], target[is_used]
    rank = job.rank_of(uses.call[at])
    place = _code(window, target)
    return _LockCalls(uses.call[at], _code(place, rank), place, rank, uses.exclusive[at])


def _code(one_value: Ints, other_value: Ints) -> Ints:
    """Return one number for each pair of values."""
    first, second = numbered(one_value)[1], numbered(other_value)[1]
    code: Ints = first * (int(second.max(initial=0)) + 1) + second
    return code


def _numbered(first: Ints, other: Ints, one_there: Ints, other_there: Ints) -> tuple[Ints, Ints]:
    """Return numbers for the pairs of two tables, equal for equal pairs."""
    code = _code(np.concatenate([first, one_there]), np.concatenate([other, other_there]))
    return code[: len(first)], code[len(first) :]


def _holders(lock: _LockCalls, freed: Ints) -> Ints:
    """Return the row of the lock which made each lock wait: the last one released before that
    excludes it; `NOBODY` if there is none, or if it is the process's own."""
    holder = np.full(len(lock.call), NOBODY)
    order = np.lexsort((freed, lock.target))
    rows = np.arange(len(order))
    first = np.searchsorted(lock.target[order], lock.target[order])
    alone = np.maximum.accumulate(np.where(lock.exclusive[order], rows, -1))
    newest = np.where(lock.exclusive[order], rows - 1, np.append(-1, alone[:-1])[: len(rows)])
    known = newest >= first
    before, after = order[newest[known]], order[known]
    other = lock.rank[before] != lock.rank[after]
    holder[after[other]] = before[other]
    return holder


def _epoch_of(lock: _LockCalls, used: _LockCalls, enter: Ints) -> Ints:
    """Return the newest lock with the same number before each call; `NOBODY` if there is none."""
    if not len(lock.call) or not len(used.call):
        return np.full(len(used.call), NOBODY)
    base = int(enter.min())
    span = int(enter.max()) - base + 1
    heads, keys = (rows.number * span + enter[rows.call] - base for rows in (lock, used))
    order = np.argsort(heads, kind="stable")
    at = np.searchsorted(heads[order], keys, "right") - 1
    rows = order[np.maximum(at, 0)]
    return np.where((at >= 0) & (lock.number[rows] == used.number), rows, NOBODY)
