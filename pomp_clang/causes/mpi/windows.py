"""Windows: calls that cannot go on before others have opened or left theirs."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pomp_clang.causes.distinct import distinct, firsts, numbered
from pomp_clang.causes.mpi.functions import EPOCH, Epoch
from pomp_clang.causes.mpi.locks import waits_for_locks
from pomp_clang.causes.mpi.waits import (
    NOBODY,
    State,
    Waits,
    found_in,
    joined,
    largest,
    last_of,
    ordinals,
    waits,
)
from pomp_clang.trace.model import Ints
from pomp_clang.trace.mpi.columns import Job


@dataclass(frozen=True, slots=True, eq=False)
class _Rows:
    """Calls on windows, of one process each: `window` and `rank` make one number, `at`."""

    call: Ints
    enter: Ints
    leave: Ints
    window: Ints
    rank: Ints
    target: Ints

    def pick(self, rows: Ints) -> _Rows:
        return _Rows(*(getattr(self, name)[rows] for name in _Rows.__slots__))


@dataclass(frozen=True, slots=True, eq=False)
class _Epochs:
    """Times in which a process used a window, from one call to another: rows of those.  What is
    used in the meantime has that for which the first has to wait."""

    opened: Ints
    closed: Ints
    cause: Ints
    since: Ints


def waits_on_windows(job: Job) -> Waits:
    """In ns of the job's clock: fences, posted windows, and locks of windows."""
    if not len(job.one_sided.call):
        return joined([])
    of = _by_epoch(job)
    return joined([_fences(of[Epoch.FENCE]), *_exposed(job, of), waits_for_locks(job)])


def fences_of(job: Job) -> tuple[Ints, Ints]:
    """Return the calls of fences, and for each the number of the fence that it is a part of."""
    rows = _by_epoch(job)[Epoch.FENCE]
    return rows.call, _fence_numbers(rows)


def _by_epoch(job: Job) -> dict[Epoch, _Rows]:
    own, calls = job.one_sided, job.calls
    rows = _Rows(
        own.call, calls.enter[own.call], calls.leave[own.call], own.window,
        job.rank_of(own.call), own.target,
    )  # fmt: skip
    kinds = EPOCH[calls.function[own.call]]
    return {kind: rows.pick(np.flatnonzero(kinds == kind)) for kind in Epoch}


def _pair(*columns: Ints) -> Ints:
    """One number for what several columns are together."""
    number = np.zeros(len(columns[0]), np.int64)
    for each in columns:
        _, code = numbered(each)
        number = number * (int(code.max(initial=0)) + 1) + code
    return number


def _both(one: tuple[Ints, ...], other: tuple[Ints, ...]) -> tuple[Ints, Ints]:
    """The same number for what is the same in both."""
    joint = _pair(*(np.concatenate(each) for each in zip(one, other, strict=True)))
    return joint[: len(one[0])], joint[len(one[0]) :]


def _matched(one: Ints, other: Ints) -> Ints:
    """The row of each in the other, by a number that is there once."""
    order = np.argsort(other, kind="stable")
    at = found_in(other[order], one)
    return np.where(at != NOBODY, order[at], NOBODY) if len(order) else at


def _fences(rows: _Rows) -> Waits:
    instance = _fence_numbers(rows)
    instances, latest = last_of(instance, rows.enter)
    cause = latest[np.searchsorted(instances, instance)]
    since = rows.enter[cause]
    ns = np.minimum(since, rows.leave) - rows.enter
    return waits(State.FENCE, rows.call, ns, rows.call[cause], since)


def _fence_numbers(rows: _Rows) -> Ints:
    """Of a window each is for all, in one order."""
    return _pair(rows.window, ordinals(_pair(rows.window, rows.rank), rows.enter))


def _exposed(job: Job, of: dict[Epoch, _Rows]) -> list[Waits]:
    """Who starts to use windows waits until they are posted, who posted one for all that use it
    to complete."""
    start, post = of[Epoch.START], of[Epoch.POST]
    mine, theirs = _both(
        (start.window, start.rank, start.target), (post.window, post.target, post.rank)
    )
    a, b = _both((mine, ordinals(mine, start.enter)), (theirs, ordinals(theirs, post.enter)))
    posted = _matched(a, b)
    known = np.flatnonzero(posted != NOBODY)
    start, post = start.pick(known), post.pick(posted[known])
    completed = _closing(start, of[Epoch.COMPLETE])
    waited = _closing(post, of[Epoch.WAIT], last=True)
    epochs = np.flatnonzero(completed != NOBODY)
    found = _Epochs(start.call[epochs], completed[epochs], post.call[epochs], post.enter[epochs])
    both = np.flatnonzero((completed != NOBODY) & (waited != NOBODY))
    call, cause = waited[both], completed[both]
    since = job.calls.enter[cause]
    ns = np.minimum(since, job.calls.leave[call]) - job.calls.enter[call]
    chosen = largest(call, ns)
    return [
        _in_epochs(job, State.LATE_POST, found, of[Epoch.ACCESS]),
        waits(State.EARLY_WAIT, call[chosen], ns[chosen], cause[chosen], since[chosen]),
    ]


def _closing(opened: _Rows, closing: _Rows, last: bool = False) -> Ints:
    """The call that ends what each has opened: the next, or the last one before the process opens
    the window anew; `NOBODY` where there is none."""
    mine, theirs = _both((opened.window, opened.rank), (closing.window, closing.rank))
    if not len(mine) or not len(theirs):
        return np.full(len(mine), NOBODY)
    first = min(int(opened.enter.min()), int(closing.enter.min()))
    span = max(int(opened.leave.max()), int(closing.leave.max())) - first + 1
    own, ends = mine * span + opened.enter - first, theirs * span + closing.enter - first
    order = np.argsort(ends, kind="stable")
    at = np.searchsorted(ends[order], own)
    if last:
        again = distinct(own)
        following = np.append(again[1:], np.iinfo(np.int64).max)
        until = np.minimum(following[np.searchsorted(again, own)], (mine + 1) * span)
        at = np.maximum(at, np.searchsorted(ends[order], until) - 1)
    known = at < len(order)
    known[known] = theirs[order[at[known]]] == mine[known]
    found = np.full(len(mine), NOBODY)
    found[known] = closing.call[order[at[known]]]
    return found


def _in_epochs(job: Job, state: State, epochs: _Epochs, access: _Rows) -> Waits:
    """In the calls that begin and end them, and in those between."""
    calls = job.calls
    window = np.zeros(len(calls.enter), np.int64)
    window[job.one_sided.call] = job.one_sided.window
    rank = np.zeros(len(calls.enter), np.int64)
    rank[job.one_sided.call] = job.rank_of(job.one_sided.call)
    heads = distinct(epochs.opened)
    access = access.pick(firsts(access.call))
    opening = _Rows(
        heads, calls.enter[heads], calls.leave[heads], window[heads], rank[heads], heads
    )
    within = _newest(opening, access)
    at = np.flatnonzero(within != NOBODY)
    # Each row is a call and the epoch that it is in.
    order = np.argsort(epochs.opened, kind="stable")
    first, last = (
        np.searchsorted(epochs.opened[order], within[at], side) for side in ("left", "right")
    )
    count = last - first
    rows = np.repeat(first - (np.cumsum(count) - count), count) + np.arange(int(count.sum()))
    rows = order[rows]
    used = np.repeat(access.call[at], count)
    inside = calls.enter[used] <= calls.leave[epochs.closed[rows]]
    every = np.arange(len(epochs.opened))
    call = np.concatenate([epochs.opened, epochs.closed, used[inside]])
    epoch = np.concatenate([every, every, rows[inside]])
    since = epochs.since[epoch]
    ns = np.minimum(since, calls.leave[call]) - calls.enter[call]
    chosen = largest(call, ns)
    return waits(state, call[chosen], ns[chosen], epochs.cause[epoch][chosen], since[chosen])


def _newest(opening: _Rows, access: _Rows) -> Ints:
    """The call that opened the window last before each; `NOBODY` where there is none."""
    mine, theirs = _both((access.window, access.rank), (opening.window, opening.rank))
    if not len(mine) or not len(theirs):
        return np.full(len(mine), NOBODY)
    first = min(int(opening.enter.min()), int(access.enter.min()))
    span = max(int(opening.enter.max()), int(access.enter.max())) - first + 1
    own, heads = mine * span + access.enter - first, theirs * span + opening.enter - first
    order = np.argsort(heads, kind="stable")
    at = np.searchsorted(heads[order], own, "right") - 1
    known = at >= 0
    known[known] = theirs[order[at[known]]] == mine[known]
    return np.where(known, opening.call[order[np.maximum(at, 0)]], NOBODY)
