"""Locks of windows: calls that cannot go on before another process has given up a lock that
excludes theirs."""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np

from pomp_clang.causes.course import Flags
from pomp_clang.causes.distinct import firsts, numbered
from pomp_clang.causes.mpi.functions import EPOCH, Epoch
from pomp_clang.causes.mpi.waits import NOBODY, State, Waits, joined, largest, ordinals, waits
from pomp_clang.mpi.names import NUMBERS
from pomp_clang.trace.model import Ints
from pomp_clang.trace.mpi.columns import Job

_AT_USE = tuple(
    NUMBERS[f"MPI_{name}"] for name in ("Win_unlock_all", "Win_flush_all", "Win_flush_local_all")
)
"""Are for all processes of a window, and wait for those whose part has been used."""

_FOR_ALL = (NUMBERS["MPI_Win_lock_all"], *_AT_USE)


@dataclass(frozen=True, slots=True, eq=False)
class _Rows:
    """Calls, by whom and on whose part of a window; `number` is one for these three."""

    call: Ints
    number: Ints
    target: Ints
    rank: Ints
    exclusive: Flags

    def pick(self, rows: Ints | Flags) -> _Rows:
        return _Rows(*(getattr(self, each.name)[rows] for each in fields(self)))


def waits_for_locks(job: Job) -> Waits:
    """Who uses another's window waits until those who had it locked before have given it up: who
    shares it for who had it alone, and who wants it alone for the last of all."""
    rows = _of_targets(job)
    if not len(rows.call):
        return joined([])
    calls, kind = job.calls, EPOCH[job.calls.function[rows.call]]
    lock, unlock = rows.pick(kind == Epoch.LOCK), rows.pick(kind == Epoch.UNLOCK)
    before, after = (ordinals(each.number, calls.enter[each.call]) for each in (lock, unlock))
    one, other = _numbered(lock.number, before, unlock.number, after)
    _, at, ended = np.intersect1d(one, other, return_indices=True)
    lock, unlock = lock.pick(at), unlock.pick(ended)
    holder = _holders(lock, calls.leave[unlock.call])
    since = np.where(holder != NOBODY, calls.leave[unlock.call[holder]], 0)
    cause = np.where(holder != NOBODY, unlock.call[holder], NOBODY)
    call, epoch = _within(job, lock, unlock, rows.pick(kind == Epoch.ACCESS))
    begun = calls.enter[lock.call[holder[epoch]]] < calls.leave[call]
    ns = np.minimum(since[epoch], calls.leave[call]) - calls.enter[call]
    ns = np.where((cause[epoch] != NOBODY) & begun, ns, 0)
    chosen = largest(call, ns)
    return waits(State.LOCK, call[chosen], ns[chosen], cause[epoch][chosen], since[epoch][chosen])


def _within(job: Job, lock: _Rows, unlock: _Rows, used: _Rows) -> tuple[Ints, Ints]:
    """Calls from a lock up to its unlock, and which of the locks that is."""
    calls = job.calls
    of = _epoch_of(lock, used, calls.enter)
    inside = np.flatnonzero(of != NOBODY)
    inside = inside[calls.enter[used.call[inside]] <= calls.leave[unlock.call[of[inside]]]]
    every = np.arange(len(lock.call))
    call = np.concatenate([lock.call, unlock.call, used.call[inside]])
    epoch = np.concatenate([every, every, of[inside]])
    touched = used.number[~np.isin(calls.function[used.call], _AT_USE)]
    is_used = np.isin(lock.number[epoch], touched) | ~np.isin(calls.function[call], _AT_USE)
    return call[is_used], epoch[is_used]


def _of_targets(job: Job) -> _Rows:
    """Those that are about locks.  What is for all processes of a window is for each that somebody
    wants alone: others keep nobody waiting."""
    own, function = job.one_sided, job.calls.function[job.one_sided.call]
    kind = EPOCH[function]
    about = np.isin(kind, (Epoch.LOCK, Epoch.UNLOCK, Epoch.ACCESS))
    alone = np.flatnonzero((kind == Epoch.LOCK) & own.exclusive & (own.target != NOBODY))
    alone = alone[firsts(_code(own.window[alone], own.target[alone]))]
    wanted = own.window[alone], own.target[alone]
    if not len(alone):
        none = np.zeros(0, np.int64)
        return _Rows(none, none, none, none, np.zeros(0, np.bool_))
    all_ = np.flatnonzero(about & np.isin(function, _FOR_ALL))
    one = np.flatnonzero(about & (own.target != NOBODY) & ~np.isin(function, _FOR_ALL))
    first, last = (np.searchsorted(wanted[0], own.window[all_], side) for side in ("left", "right"))
    count = last - first
    each = np.repeat(first - (np.cumsum(count) - count), count) + np.arange(int(count.sum()))
    at = np.concatenate([one, np.repeat(all_, count)])
    window = own.window[at]
    target = np.concatenate([own.target[one], wanted[1][each]])
    kept = np.isin(*_numbered(window, target, *wanted))
    at, window, target = at[kept], window[kept], target[kept]
    rank = job.rank_of(own.call[at])
    place = _code(window, target)
    return _Rows(own.call[at], _code(place, rank), place, rank, own.exclusive[at])


def _code(one: Ints, other: Ints) -> Ints:
    """A number for what both are together."""
    first, second = numbered(one)[1], numbered(other)[1]
    code: Ints = first * (int(second.max(initial=0)) + 1) + second
    return code


def _numbered(one: Ints, other: Ints, one_there: Ints, other_there: Ints) -> tuple[Ints, Ints]:
    """The same number for what is the same in both tables of two columns."""
    code = _code(np.concatenate([one, one_there]), np.concatenate([other, other_there]))
    return code[: len(one)], code[len(one) :]


def _holders(lock: _Rows, freed: Ints) -> Ints:
    """The row of who kept each waiting, as what was freed before: the last that excludes it."""
    found = np.full(len(lock.call), NOBODY)
    order = np.lexsort((freed, lock.target))
    rows = np.arange(len(order))
    first = np.searchsorted(lock.target[order], lock.target[order])
    alone = np.maximum.accumulate(np.where(lock.exclusive[order], rows, -1))
    newest = np.where(lock.exclusive[order], rows - 1, np.append(-1, alone[:-1])[: len(rows)])
    known = newest >= first
    before, after = order[newest[known]], order[known]
    other = lock.rank[before] != lock.rank[after]
    found[after[other]] = before[other]
    return found


def _epoch_of(lock: _Rows, used: _Rows, enter: Ints) -> Ints:
    """The newest lock of the same by the same before each; `NOBODY` where there is none."""
    if not len(lock.call) or not len(used.call):
        return np.full(len(used.call), NOBODY)
    base = int(enter.min())
    span = int(enter.max()) - base + 1
    heads, own = (each.number * span + enter[each.call] - base for each in (lock, used))
    order = np.argsort(heads, kind="stable")
    at = np.searchsorted(heads[order], own, "right") - 1
    rows = order[np.maximum(at, 0)]
    return np.where((at >= 0) & (lock.number[rows] == used.number), rows, NOBODY)
