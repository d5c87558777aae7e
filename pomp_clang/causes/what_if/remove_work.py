"""What-if changes that remove work: activities that take no time, and work that others share."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from pomp_clang.causes.properties.measurement_cost import net_part, own_cost
from pomp_clang.causes.properties.time import MeasurementOverhead
from pomp_clang.causes.run.idle import idle_of, joins_of, threads_at_once, without
from pomp_clang.causes.run.points import Point
from pomp_clang.causes.run.thread_timeline import in_order
from pomp_clang.causes.timeline.activity import IN_MPI, Activity
from pomp_clang.causes.timeline.location_timeline import Flags, Ticks, over
from pomp_clang.causes.waits.wait_graph import WaitGraph
from pomp_clang.causes.what_if.scale_work import ActivityFilter, CoursePoints, spare, spare_doing
from pomp_clang.causes.what_if.simulate import Case, ChangedTrace
from pomp_clang.trace.model import Ints


class Spared(NamedTuple):
    """Pieces of time on a location, in order, and the part of its work in them that is removed."""

    location: int
    since: Ints
    until: Ints
    part: float = 1.0


def without_work(case: Case, same: ChangedTrace, spared: Iterable[Spared]) -> ChangedTrace:
    """Return the trace without the work in these pieces of time, and without waits that end in
    them."""
    run, graph = case.run, case.graph
    pieces = list(spared)
    if not pieces:
        return same
    work, tail, is_free = same.work.astype(np.float64), same.tail, same.is_free.copy()
    for location, since, until, part in pieces:
        rows = slice(graph.first[location], graph.first[location + 1])
        rest = spare(graph.after[rows], work[rows], run.start, (since, until), part)
        tail -= rest if location == run.main else 0
        is_free[rows] |= _waited(graph, rows, since, until)
    return ChangedTrace(work, same.lag, is_free, tail)


def _waited(graph: WaitGraph, rows: slice, since: Ints, until: Ints) -> Flags:
    """Return a mask of a location's points that end waits within pieces of its time."""
    ends_wait: Flags = graph.kind[rows] == Point.WAITED
    over = graph.after[rows][ends_wait]
    piece = np.searchsorted(since, over)
    ends_wait[ends_wait] = over <= np.append(np.int64(-1), until)[piece]
    return ends_wait


def _alone(case: Case) -> tuple[Ints, Ints]:
    """Return the begins and ends of the main thread's intervals at the call path outside teams."""
    run = case.run
    timeline = run.timelines[run.main]
    at = np.flatnonzero(case.is_here[timeline.path])
    since, until = timeline.begin[at], over(timeline.begin, at, timeline.end)
    if case.path == 0:
        first = timeline.begin[:1] if len(timeline.begin) else np.array([run.end])
        since, until = np.append(run.start, since), np.append(first, until)
    teams = run.membership.outermost_of(run.main)
    fork, join = run.membership.fork[teams], run.membership.join[teams]
    team = np.searchsorted(fork, since, "right") - 1
    alone = team < 0
    alone[~alone] = since[~alone] >= join[team[~alone]]
    at_all = np.zeros(int(alone.sum()), np.int64)
    joins = joins_of(run)
    since, until, _ = without(since[alone], until[alone], at_all, (joins.begin, joins.end))
    return since, until


def shared_out(case: Case, same: ChangedTrace) -> ChangedTrace:
    """Return the trace in which the main thread's work outside teams is shared with all threads
    that are idle meanwhile."""
    run = case.run
    since, until = _alone(case)
    idle = float(idle_of(run)[0][case.path].sum()) * run.second
    part = idle / max(1, threads_at_once(run) * int((until - since).sum()))
    return without_work(case, same, [Spared(run.main, since, until, min(1.0, part))])


def skipped(case: Case, same: ChangedTrace) -> ChangedTrace | None:
    """Return the trace in which the property's activities take no time."""
    run = case.run
    if not case.kind.activities:
        return _lightened(case, same)
    is_removed = np.zeros(256, np.bool_)
    is_removed[list(case.kind.activities)] = True
    part = net_part(run, *case.kind.activities)[case.path]
    changed = without_doing(case, same, is_removed, part)
    begins = case.at(Point.BEGIN)
    if is_removed[Activity.FORK] and begins.any():
        lag = changed.lag.copy()
        lag[begins] = 0
        changed = ChangedTrace(changed.work, lag, changed.is_free, changed.tail)
    if is_removed[list(IN_MPI)].any():
        changed = _without_calls(case, changed)
    return changed


def _without_calls(case: Case, changed: ChangedTrace) -> ChangedTrace:
    """Return the trace in which MPI calls at the call path wait for nothing and end when they
    begin."""
    calls = case.at(Point.ACQUIRED) & (case.graph.object >= case.graph.calls_from)
    lag = changed.lag.copy()
    lag[calls] = 0
    return ChangedTrace(changed.work, lag, changed.is_free | calls, changed.tail)


def without_doing(case: Case, same: ChangedTrace, is_removed: Flags, part: Ticks) -> ChangedTrace:
    """Return the trace without a part of the wanted activities at the call path; `part` is by
    thread."""
    return without_each(case, same, [(is_removed, part)])


def without_each(
    case: Case, same: ChangedTrace, changes: Sequence[tuple[Flags, Ticks]]
) -> ChangedTrace:
    """Return the trace with several changes, each of which is without a part of its wanted activities
    at the call path; no activity is wanted twice."""
    run, graph = case.run, case.graph
    changes = [(is_removed, part) for is_removed, part in changes if part.any()]
    if not changes:
        return same
    work, tail, is_free = same.work.astype(np.float64), same.tail, same.is_free.copy()
    for number, timeline in enumerate(run.timelines):
        shares = [min(1.0, float(part[run.thread[number]])) for _, part in changes]
        if max(shares) <= 0:
            continue
        group = np.zeros(256, np.uint8)
        for place, ((is_removed, _), share) in enumerate(zip(changes, shares, strict=True)):
            if share > 0:
                group[is_removed] = place + 1
        rows = slice(graph.first[number], graph.first[number + 1])
        points = CoursePoints(graph.after[rows], graph.kind[rows], work[rows], is_free[rows])
        doing = ActivityFilter(group, case.is_here, in_order(run)[number])
        for rest in spare_doing(points, run.start, timeline.intervals, doing, shares):
            tail -= rest if number == run.main else 0
    return ChangedTrace(work, same.lag, is_free, tail)


def _lightened(case: Case, same: ChangedTrace) -> ChangedTrace | None:
    """Return the trace with a property's severity taken from its activities, mostly computing, in
    equal parts; waits stay waits."""
    run = case.run
    size = case.kind().severity(run)
    if size is None:
        return None
    removed = own_cost(run) if case.kind is MeasurementOverhead else {Activity.COMPUTE: size}
    work, tail = same.work.astype(np.float64), same.tail
    for activity, cells in removed.items():
        changed = less_of(case, same, activity, cells[case.path])
        work -= same.work - changed.work
        tail -= same.tail - changed.tail
    return ChangedTrace(np.maximum(0, work, out=work), same.lag, same.is_free, tail)


def less_of(case: Case, same: ChangedTrace, activity: Activity, seconds: Ticks) -> ChangedTrace:
    """Return the trace in which each thread spends that many seconds less on an activity."""
    part = _part_of(case, activity, seconds)
    if case.path == 0:
        share = min(1.0, float(part[case.run.thread[case.run.main]]))
        return without_work(case, same, [Spared(case.run.main, *_alone(case), share)])
    return without_doing(case, same, np.arange(256) == activity, part)


def _part_of(case: Case, activity: Activity, seconds: Ticks) -> Ticks:
    total = case.run.seconds(activity)[case.path]
    part: Ticks = np.divide(seconds, total, out=np.zeros(len(total)), where=total > 0)
    return part


def less_of_each(
    case: Case, same: ChangedTrace, seconds: Mapping[Activity, Ticks]
) -> list[ChangedTrace]:
    """Return traces which together have each thread spend so many seconds less on each activity."""
    if case.path == 0:
        return [less_of(case, same, activity, less) for activity, less in seconds.items()]
    changes = [
        (np.arange(256) == activity, _part_of(case, activity, less))
        for activity, less in seconds.items()
    ]
    return [without_each(case, same, changes)]
