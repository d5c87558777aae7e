"""Collective operations: who came before those whom they need."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pomp_clang.causes.course import Flags
from pomp_clang.causes.distinct import distinct, numbered
from pomp_clang.causes.mpi.functions import NEEDS, Needs
from pomp_clang.causes.mpi.waits import NOBODY, State, Waits, found_in, joined, last_of, waits
from pomp_clang.trace.model import Ints
from pomp_clang.trace.mpi.columns import Job


@dataclass(frozen=True, slots=True, eq=False)
class _Parts:
    """A row each part in an operation: begun at `begin`, and waited for from `enter` to `leave`.

    `side` numbers the groups of processes in an instance, `needed` is that which this one gets
    something from: with two groups the other one.  `place` is its rank in the communicator.
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
    """In ns of the job's clock; of operations between two groups for the other group."""
    parts = _parts(job)
    return joined(
        [
            *_all(parts, Needs.ALL, State.NXN, State.NXN_COMPLETION),
            *_all(parts, Needs.MEETING, State.BARRIER, State.BARRIER_COMPLETION),
            _root(parts),
            _at_root(parts),
            _lower(parts),
        ]
    )


def _parts(job: Job) -> _Parts:
    calls, own = job.calls, job.collectives
    is_remote, has_two, place = _groups(job)
    return _Parts(
        call=own.call,
        completed=own.completed,
        begin=calls.enter[own.call],
        enter=calls.enter[own.completed],
        leave=calls.leave[own.completed],
        instance=own.instance,
        side=2 * own.instance + is_remote,
        needed=2 * own.instance + (is_remote ^ has_two),
        root=own.root,
        rank=own.rank,
        place=place,
        needs=NEEDS[own.function].astype(np.int64),
    )


def _groups(job: Job) -> tuple[Ints, Ints, Ints]:
    """Of each part whether it is of the second group, whether there is one, and its place."""
    own = job.collectives
    remote, two, place = (np.zeros(len(own.call), np.int64) for _ in range(3))
    known = {each.number: each for each in job.communicators if not each.is_window}
    for number in distinct(own.communicator):
        communicator = known.get(int(number))
        if communicator is None:
            continue
        rows = np.flatnonzero(own.communicator == number)
        for group, members in enumerate((communicator.members, communicator.remote)):
            at = np.full(max(int(own.rank[rows].max()), *members, 0) + 1, NOBODY)
            at[list(members)] = np.arange(len(members))
            mine = rows[at[own.rank[rows]] != NOBODY]
            remote[mine], place[mine] = group, at[own.rank[mine]]
        two[rows] = bool(communicator.remote)
    return remote, two, place


def _chosen(parts: _Parts, rows: Flags) -> _Parts:
    return _Parts(*(getattr(parts, name)[rows] for name in _Parts.__slots__))


def _waits(state: State, parts: _Parts, rows: Ints, causes: Ints) -> Waits:
    """Of some parts that wait for the begin of others."""
    since = parts.begin[causes]
    ns = np.minimum(since, parts.leave[rows]) - parts.enter[rows]
    return waits(state, parts.completed[rows], ns, parts.call[causes], since)


def _all(parts: _Parts, needs: Needs, waiting: State, completing: State) -> list[Waits]:
    """From the first that leaves on nobody is waited for."""
    parts = _chosen(parts, parts.needs == needs)
    sides, latest = last_of(parts.side, parts.begin)
    at = found_in(sides, parts.needed)
    rows = np.flatnonzero(at != NOBODY)
    causes = latest[at[rows]]
    instances, first = last_of(parts.instance, -parts.leave)
    left = parts.leave[first[np.searchsorted(instances, parts.instance[rows])]]
    come = np.maximum(parts.begin[causes], parts.enter[rows])
    more = parts.leave[rows] - np.maximum(left, come)
    nobody = np.full(len(rows), NOBODY)
    return [
        _waits(waiting, parts, rows, causes),
        waits(completing, parts.completed[rows], more, nobody, left),
    ]


def _root(parts: _Parts) -> Waits:
    parts = _chosen(parts, parts.needs == Needs.ROOT)
    roots = np.flatnonzero(parts.rank == parts.root)
    roots = roots[np.argsort(parts.instance[roots], kind="stable")]
    at = found_in(parts.instance[roots], parts.instance)
    rows = np.flatnonzero((at != NOBODY) & (parts.root != NOBODY) & (parts.rank != parts.root))
    return _waits(State.LATE_BROADCAST, parts, rows, roots[at[rows]])


def _at_root(parts: _Parts) -> Waits:
    parts = _chosen(parts, (parts.needs == Needs.ROOT_NEEDS_ALL) & (parts.root != NOBODY))
    senders = np.flatnonzero(parts.rank != parts.root)
    instances, latest = last_of(parts.instance[senders], parts.begin[senders])
    roots = np.flatnonzero(parts.rank == parts.root)
    at = found_in(instances, parts.instance[roots])
    return _waits(State.EARLY_REDUCE, parts, roots[at != NOBODY], senders[latest[at[at != NOBODY]]])


def _lower(parts: _Parts) -> Waits:
    """For the latest of those before it in the communicator."""
    parts = _chosen(parts, parts.needs == Needs.LOWER)
    if not len(parts.call):
        return joined([])
    order = np.lexsort((parts.place, parts.instance))
    span = int(parts.begin.max() - parts.begin.min()) + 1
    _, group = numbered(parts.instance[order])
    begin = parts.begin[order] - parts.begin.min() + group * span
    latest = np.maximum.accumulate(begin)
    newest = np.maximum.accumulate(np.where(begin == latest, np.arange(len(begin)), 0))
    has_lower = np.flatnonzero(group[1:] == group[:-1]) + 1
    return _waits(State.EARLY_SCAN, parts, order[has_lower], order[newest[has_lower - 1]])
