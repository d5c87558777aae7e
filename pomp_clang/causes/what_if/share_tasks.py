"""What-if change of a wait for tasks: meanwhile, the team has evenly to do.

The thread creates its tasks outside of any other task. With more and smaller tasks, it would run as
many of them as the other threads.
"""

from __future__ import annotations

import numpy as np

from pomp_clang.causes.run.run import Run
from pomp_clang.causes.run.thread_timeline import in_order
from pomp_clang.causes.timeline.activity import Activity, are
from pomp_clang.causes.timeline.interval_kernel import overlap
from pomp_clang.causes.timeline.location_timeline import over
from pomp_clang.causes.what_if.remove_work import Spared, without_work
from pomp_clang.causes.what_if.simulate import Case, ChangedTrace
from pomp_clang.openmp.kinds import TASKLOOPS, is_parallel
from pomp_clang.shared_dataclass import dataclass
from pomp_clang.trace.model import Ints

_NOT_BUSY = (
    Activity.OUTSIDE,
    Activity.FORK,
    Activity.JOIN,
    Activity.EXPLICIT,
    Activity.IMPLICIT,
    Activity.TASKWAIT,
)


@dataclass(frozen=True, slots=True)
class _CreatorWaits:
    """Waits of a location, in order, from `begin` to `end`; `team` is the row of its outermost team."""

    location: int
    begin: Ints
    end: Ints
    team: Ints


def tasks_shared(case: Case, same: ChangedTrace) -> ChangedTrace | None:
    """Return the trace in which, while a thread waits at the call path, the members of its team do
    evenly what there is to do. Return None if that is within a task, or within two regions."""
    run = case.run
    if not _is_of_outermost_team(run, case.path) or not all(in_order(run)):
        return None
    waits = [_waits_of(case, location) for location in range(len(run.timelines))]
    known = [of_location for of_location in waits if of_location is not None]
    if len(known) < len(waits):
        return None
    pieces = _pieces_by_location(run, known)
    total = sum(int((end - begin).sum()) for begin, end in pieces.values())
    if not total:
        return None
    busy = (
        overlap(run.timelines[location].intervals, len(case.is_here), *piece, *_NOT_BUSY).sum()
        for location, piece in pieces.items()
    )
    part = int(sum(busy)) / total
    spared = [Spared(location, *piece, 1 - part) for location, piece in pieces.items()]
    changed = without_work(case, same, spared)
    return _with_work(case, changed, known, part)


def _is_of_outermost_team(run: Run, path: int) -> bool:
    regions, is_wait = 0, run.paths[path].kind in ("taskwait", "taskgroup", *TASKLOOPS)
    while path > 0:
        place = run.paths[path]
        if place.task:
            return False
        regions += is_parallel(place.kind)
        path = place.above
    return is_wait and regions == 1


def _waits_of(case: Case, location: int) -> _CreatorWaits | None:
    """Return a location's waits at the call path; None if one of them is in no outermost team."""
    run, timeline = case.run, case.run.timelines[location]
    at = np.flatnonzero(are(timeline.activity, Activity.TASKWAIT) & case.is_here[timeline.path])
    begin, end = timeline.begin[at], over(timeline.begin, at, timeline.end)
    own = run.membership.outermost_of(location)
    row = np.searchsorted(run.membership.fork[own], begin, "right") - 1
    if (row < 0).any() or (run.membership.join[own][row] < end).any():
        return None
    return _CreatorWaits(location, begin, end, run.membership.team[own][row])


def _pieces_by_location(run: Run, waits: list[_CreatorWaits]) -> dict[int, tuple[Ints, Ints]]:
    """Return, for each location, begins and ends of the times in which a member of its team waits, in
    order and apart from each other."""
    team, begin, end = (
        np.concatenate([getattr(of_location, name) for of_location in waits])
        for name in ("team", "begin", "end")
    )
    pieces = {}
    for location in range(len(run.timelines)):
        own = run.membership.team[run.membership.outermost_of(location)]
        here = np.isin(team, own)
        if here.any():
            pieces[location] = _united(begin[here], end[here])
    return pieces


def _united(begin: Ints, end: Ints) -> tuple[Ints, Ints]:
    order = np.argsort(begin, kind="stable")
    begin, end = begin[order], np.maximum.accumulate(end[order])
    is_first = np.append(True, begin[1:] > end[:-1])
    is_last = np.append(is_first[1:], True)
    return begin[is_first], end[is_last]


def _with_work(
    case: Case, changed: ChangedTrace, waits: list[_CreatorWaits], part: float
) -> ChangedTrace:
    """Return the trace in which each wait is work of that part of its time."""
    run, graph = case.run, case.graph
    work, tail = changed.work.astype(np.float64), changed.tail
    for wait in waits:
        first, following = graph.first[wait.location], graph.first[wait.location + 1]
        row = first + np.searchsorted(graph.after[first:following], wait.end)
        ticks = part * (wait.end - wait.begin)
        is_known = row < following
        np.add.at(work, row[is_known], ticks[is_known])
        tail += float(ticks[~is_known].sum()) if wait.location == run.main else 0.0
    return ChangedTrace(work, changed.lag, changed.is_free, tail)
