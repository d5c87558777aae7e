"""Waits in collective operations, for processes that come later than the waiting one."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pomp_clang.causes.mpi_waits.call_waits import (
    NOBODY,
    Waits,
    WaitState,
    found_in,
    joined,
    last_of,
    waits,
)
from pomp_clang.causes.mpi_waits.functions import NEEDS, Needs
from pomp_clang.causes.timeline.columns import distinct, numbered
from pomp_clang.causes.timeline.location_timeline import Flags
from pomp_clang.trace.model import Ints
from pomp_clang.trace.mpi.columns import Job


@dataclass(frozen=True, slots=True, eq=False)
class _CollectiveParts:
    """A row is a process's part in an operation. The part begins at `begin`, and the process waits
    for it from `enter` to `leave`.

    `side` numbers the groups of processes in an instance, and `needed` is the group that this one
    needs: the other group if there are two. `place` is the process's rank in the communicator.
    """

    call: Ints
    completed: Ints
    begin: Ints
    enter: Ints
    leave: Ints
    instance: Ints
    side: Ints
    needed: Ints
    root: Ints
    rank: Ints
    place: Ints
    needs: Ints


def waits_in_collectives(job: Job) -> Waits:
    """Return the waits in ns of the job's clock. In an operation between two groups, processes wait
    for the other group."""
    parts = _parts(job)
    return joined(
        [
            *_all(parts, Needs.ALL, WaitState.NXN, WaitState.NXN_COMPLETION),
            *_all(parts, Needs.MEETING, WaitState.BARRIER, WaitState.BARRIER_COMPLETION),
            _root(parts),
            _at_root(parts),
            _lower(parts),
        ]
    )


def _parts(job: Job) -> _CollectiveParts:
    calls, parts = job.calls, job.collectives
    is_remote, has_two, place = _groups(job)
    return _CollectiveParts(
        call=parts.call,
        completed=parts.completed,
        begin=calls.enter[parts.call],
        enter=calls.enter[parts.completed],
        leave=calls.leave[parts.completed],
        instance=parts.instance,
        side=2 * parts.instance + is_remote,
        needed=2 * parts.instance + (is_remote ^ has_two),
        root=parts.root,
        rank=parts.rank,
        place=place,
        needs=NEEDS[parts.function].astype(np.int64),
    )


def _groups(job: Job) -> tuple[Ints, Ints, Ints]:
    """Return three columns over all parts: 1 if it belongs to the second group, 1 if there is a
    second group, and the rank in its group."""
    parts = job.collectives
    remote, two, place = (np.zeros(len(parts.call), np.int64) for _ in range(3))
    known = {
        communicator.number: communicator
        for communicator in job.communicators
        if not communicator.is_window
    }
    for number in distinct(parts.communicator):
        communicator = known.get(int(number))
        if communicator is None:
            continue
        rows = np.flatnonzero(parts.communicator == number)
        for group, members in enumerate((communicator.members, communicator.remote)):
            at = np.full(max(int(parts.rank[rows].max()), *members, 0) + 1, NOBODY)
            at[list(members)] = np.arange(len(members))
            own_rows = rows[at[parts.rank[rows]] != NOBODY]
            remote[own_rows], place[own_rows] = group, at[parts.rank[own_rows]]
        two[rows] = bool(communicator.remote)
    return remote, two, place


def _selected_parts(parts: _CollectiveParts, rows: Flags) -> _CollectiveParts:
    return _CollectiveParts(*(getattr(parts, name)[rows] for name in _CollectiveParts.__slots__))


def _waits(state: WaitState, parts: _CollectiveParts, rows: Ints, causes: Ints) -> Waits:
    """Return the waits of the parts `rows` for the begin of the parts `causes`."""
    since = parts.begin[causes]
    ns = np.minimum(since, parts.leave[rows]) - parts.enter[rows]
    return waits(state, parts.completed[rows], ns, parts.call[causes], since)


def _all(
    parts: _CollectiveParts, needs: Needs, waiting: WaitState, completing: WaitState
) -> list[Waits]:
    """Return the waits of parts that need all others, and their completion: the time from the first
    process's leave on."""
    parts = _selected_parts(parts, parts.needs == needs)
    sides, latest = last_of(parts.side, parts.begin)
    at = found_in(sides, parts.needed)
    rows = np.flatnonzero(at != NOBODY)
    causes = latest[at[rows]]
    instances, first = last_of(parts.instance, -parts.leave)
    left = parts.leave[first[np.searchsorted(instances, parts.instance[rows])]]
    come = np.maximum(parts.begin[causes], parts.enter[rows])
    excess = parts.leave[rows] - np.maximum(left, come)
    no_rank = np.full(len(rows), NOBODY)
    return [
        _waits(waiting, parts, rows, causes),
        waits(completing, parts.completed[rows], excess, no_rank, left),
    ]


def _root(parts: _CollectiveParts) -> Waits:
    """Return the waits of parts that need the root."""
    parts = _selected_parts(parts, parts.needs == Needs.ROOT)
    roots = np.flatnonzero(parts.rank == parts.root)
    roots = roots[np.argsort(parts.instance[roots], kind="stable")]
    at = found_in(parts.instance[roots], parts.instance)
    rows = np.flatnonzero((at != NOBODY) & (parts.root != NOBODY) & (parts.rank != parts.root))
    return _waits(WaitState.LATE_BROADCAST, parts, rows, roots[at[rows]])


def _at_root(parts: _CollectiveParts) -> Waits:
    """Return the waits of roots for the last of the others."""
    parts = _selected_parts(parts, (parts.needs == Needs.ROOT_NEEDS_ALL) & (parts.root != NOBODY))
    senders = np.flatnonzero(parts.rank != parts.root)
    instances, latest = last_of(parts.instance[senders], parts.begin[senders])
    roots = np.flatnonzero(parts.rank == parts.root)
    at = found_in(instances, parts.instance[roots])
    return _waits(
        WaitState.EARLY_REDUCE, parts, roots[at != NOBODY], senders[latest[at[at != NOBODY]]]
    )


def _lower(parts: _CollectiveParts) -> Waits:
    """Return the waits for the latest of those with a lower rank in the communicator."""
    parts = _selected_parts(parts, parts.needs == Needs.LOWER)
    if not len(parts.call):
        return joined([])
    order = np.lexsort((parts.place, parts.instance))
    span = int(parts.begin.max() - parts.begin.min()) + 1
    _, group = numbered(parts.instance[order])
    begin = parts.begin[order] - parts.begin.min() + group * span
    latest = np.maximum.accumulate(begin)
    newest = np.maximum.accumulate(np.where(begin == latest, np.arange(len(begin)), 0))
    has_lower = np.flatnonzero(group[1:] == group[:-1]) + 1
    return _waits(WaitState.EARLY_SCAN, parts, order[has_lower], order[newest[has_lower - 1]])
