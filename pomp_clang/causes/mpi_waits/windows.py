"""Waits on windows: calls that cannot proceed before other processes open or close their epochs."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pomp_clang.causes.mpi_waits.call_waits import (
    NOBODY,
    Waits,
    WaitState,
    found_in,
    joined,
    largest,
    last_of,
    ordinals,
    waits,
)
from pomp_clang.causes.mpi_waits.functions import EPOCH, Epoch
from pomp_clang.causes.mpi_waits.window_locks import waits_for_locks
from pomp_clang.causes.timeline.columns import distinct, firsts, numbered
from pomp_clang.trace.model import Ints
from pomp_clang.trace.mpi.columns import Job


@dataclass(frozen=True, slots=True, eq=False)
class _WindowCalls:
    """A row is a call on a window (`window`) by a process (`rank`) that concerns another one
    (`target`)."""

    call: Ints
    enter: Ints
    leave: Ints
    window: Ints
    rank: Ints
    target: Ints

    def pick(self, rows: Ints) -> _WindowCalls:
        return _WindowCalls(*(getattr(self, name)[rows] for name in _WindowCalls.__slots__))


@dataclass(frozen=True, slots=True, eq=False)
class _Epochs:
    """A row per access epoch: the calls that open and close it. Calls of the epoch wait for the
    call `cause` until `since`."""

    opened: Ints
    closed: Ints
    cause: Ints
    since: Ints


def waits_on_windows(job: Job) -> Waits:
    """Return the waits in ns of the job's clock: at fences, for posts and completions, and for
    locks."""
    if not len(job.one_sided.call):
        return joined([])
    calls = _by_epoch(job)
    return joined([_fences(calls[Epoch.FENCE]), *_exposed(job, calls), waits_for_locks(job)])


def fences_of(job: Job) -> tuple[Ints, Ints]:
    """Return the calls of fences, and for each the number of the fence that it is a part of."""
    rows = _by_epoch(job)[Epoch.FENCE]
    return rows.call, _fence_numbers(rows)


def _by_epoch(job: Job) -> dict[Epoch, _WindowCalls]:
    uses, calls = job.one_sided, job.calls
    rows = _WindowCalls(
        uses.call, calls.enter[uses.call], calls.leave[uses.call], uses.window,
        job.rank_of(uses.call), uses.target,
    )  # fmt: skip
    kinds = EPOCH[calls.function[uses.call]]
    return {kind: rows.pick(np.flatnonzero(kinds == kind)) for kind in Epoch}


def _pair(*columns: Ints) -> Ints:
    """Return one number for each combination of values in several columns."""
    number = np.zeros(len(columns[0]), np.int64)
    for column in columns:
        _, code = numbered(column)
        number = number * (int(code.max(initial=0)) + 1) + code
    return number


def _both(first: tuple[Ints, ...], other: tuple[Ints, ...]) -> tuple[Ints, Ints]:
    """Return such numbers for the rows of two tables, equal for equal rows."""
    joint = _pair(*(np.concatenate(pair) for pair in zip(first, other, strict=True)))
    return joint[: len(first[0])], joint[len(first[0]) :]


def _matched(first: Ints, other: Ints) -> Ints:
    """Return the row in `other` of each number of `first`; `NOBODY` if it is missing there."""
    order = np.argsort(other, kind="stable")
    at = found_in(other[order], first)
    return np.where(at != NOBODY, order[at], NOBODY) if len(order) else at


def _fences(rows: _WindowCalls) -> Waits:
    instance = _fence_numbers(rows)
    instances, latest = last_of(instance, rows.enter)
    cause = latest[np.searchsorted(instances, instance)]
    since = rows.enter[cause]
    ns = np.minimum(since, rows.leave) - rows.enter
    return waits(WaitState.FENCE, rows.call, ns, rows.call[cause], since)


def _fence_numbers(rows: _WindowCalls) -> Ints:
    """Return the number of each call's fence: the n-th calls of all processes on a window are
    one."""
    return _pair(rows.window, ordinals(_pair(rows.window, rows.rank), rows.enter))


def _exposed(job: Job, calls: dict[Epoch, _WindowCalls]) -> list[Waits]:
    """Return two kinds of waits: at the start of an access epoch until the window is posted, and
    after a post until the last access epoch is completed."""
    start, post = calls[Epoch.START], calls[Epoch.POST]
    rows, other_rows = _both(
        (start.window, start.rank, start.target), (post.window, post.target, post.rank)
    )
    starts, posts = _both(
        (rows, ordinals(rows, start.enter)), (other_rows, ordinals(other_rows, post.enter))
    )
    posted = _matched(starts, posts)
    known = np.flatnonzero(posted != NOBODY)
    start, post = start.pick(known), post.pick(posted[known])
    completed = _closing(start, calls[Epoch.COMPLETE])
    closing = _closing(post, calls[Epoch.WAIT], last=True)
    epochs = np.flatnonzero(completed != NOBODY)
    accesses = _Epochs(start.call[epochs], completed[epochs], post.call[epochs], post.enter[epochs])
    both = np.flatnonzero((completed != NOBODY) & (closing != NOBODY))
    call, cause = closing[both], completed[both]
    since = job.calls.enter[cause]
    ns = np.minimum(since, job.calls.leave[call]) - job.calls.enter[call]
    chosen = largest(call, ns)
    return [
        _in_epochs(job, WaitState.LATE_POST, accesses, calls[Epoch.ACCESS]),
        waits(WaitState.EARLY_WAIT, call[chosen], ns[chosen], cause[chosen], since[chosen]),
    ]


def _closing(opened: _WindowCalls, closing: _WindowCalls, last: bool = False) -> Ints:
    """Return the call that closes what each row opened: the next one, or the `last` before the
    process opens the window again; `NOBODY` if there is none."""
    opened_rows, closing_rows = _both((opened.window, opened.rank), (closing.window, closing.rank))
    if not len(opened_rows) or not len(closing_rows):
        return np.full(len(opened_rows), NOBODY)
    first = min(int(opened.enter.min()), int(closing.enter.min()))
    span = max(int(opened.leave.max()), int(closing.leave.max())) - first + 1
    begins, ends = (
        opened_rows * span + opened.enter - first,
        closing_rows * span + closing.enter - first,
    )
    order = np.argsort(ends, kind="stable")
    at = np.searchsorted(ends[order], begins)
    if last:
        again = distinct(begins)
        following = np.append(again[1:], np.iinfo(np.int64).max)
        until = np.minimum(following[np.searchsorted(again, begins)], (opened_rows + 1) * span)
        at = np.maximum(at, np.searchsorted(ends[order], until) - 1)
    known = at < len(order)
    known[known] = closing_rows[order[at[known]]] == opened_rows[known]
    closed = np.full(len(opened_rows), NOBODY)
    closed[known] = closing.call[order[at[known]]]
    return closed


def _in_epochs(job: Job, state: WaitState, epochs: _Epochs, access: _WindowCalls) -> Waits:
    """Return the waits of calls that open and close the epochs, and of the calls between."""
    calls = job.calls
    window = np.zeros(len(calls.enter), np.int64)
    window[job.one_sided.call] = job.one_sided.window
    rank = np.zeros(len(calls.enter), np.int64)
    rank[job.one_sided.call] = job.rank_of(job.one_sided.call)
    heads = distinct(epochs.opened)
    access = access.pick(firsts(access.call))
    opening = _WindowCalls(
        heads, calls.enter[heads], calls.leave[heads], window[heads], rank[heads], heads
    )
    within = _newest(opening, access)
    at = np.flatnonzero(within != NOBODY)
    # From here on a row is a pair of a call and its epoch.
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


def _newest(opening: _WindowCalls, access: _WindowCalls) -> Ints:
    """Return the call that opened the window last before each access; `NOBODY` if there is none."""
    access_rows, opening_rows = _both((access.window, access.rank), (opening.window, opening.rank))
    if not len(access_rows) or not len(opening_rows):
        return np.full(len(access_rows), NOBODY)
    first = min(int(opening.enter.min()), int(access.enter.min()))
    span = max(int(opening.enter.max()), int(access.enter.max())) - first + 1
    uses, heads = (
        access_rows * span + access.enter - first,
        opening_rows * span + opening.enter - first,
    )
    order = np.argsort(heads, kind="stable")
    at = np.searchsorted(heads[order], uses, "right") - 1
    known = at >= 0
    known[known] = opening_rows[order[at[known]]] == access_rows[known]
    return np.where(known, opening.call[order[np.maximum(at, 0)]], NOBODY)
