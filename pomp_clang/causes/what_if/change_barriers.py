"""What-if changes of barriers: shared work, divided tasks, early ends."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from pomp_clang.causes.properties.completion import ExplicitCompletion, net_parts
from pomp_clang.causes.run.points import Point
from pomp_clang.causes.run.run import Run, once
from pomp_clang.causes.timeline.location_timeline import Flags, Ticks, sums
from pomp_clang.causes.waits.thread_waits import (
    is_met_by_all,
    waited_for_last,
    waited_for_tasks,
)
from pomp_clang.causes.waits.wait_graph import WaitGraph, syncs_before
from pomp_clang.causes.what_if.remove_work import Spared, without_work
from pomp_clang.causes.what_if.share_work import shared
from pomp_clang.causes.what_if.simulate import Case, ChangedTrace
from pomp_clang.trace.model import Ints


def balanced(case: Case, same: ChangedTrace) -> ChangedTrace:
    """Return the trace in which the members of a team share their work since their last barrier
    evenly. Tasks that they ran in this barrier until all had come are part of this work. A member
    with too little work gets the rest where it comes to the barrier, outside of preceding critical
    sections and locks."""
    run, graph = case.run, case.graph
    arrivals = np.flatnonzero(case.at(Point.ARRIVE)).astype(np.int32)
    early = list(_run_early(case))
    changed = without_work(case, same, early)
    since = syncs_before(run, graph, arrivals)
    work = shared(graph, changed.work, arrivals, since, _of_tasks(case))
    is_free = changed.is_free | _for_tasks(graph, early)
    return ChangedTrace(work, changed.lag, is_free, changed.tail)


def _for_tasks(graph: WaitGraph, pieces: list[Spared]) -> Flags:
    """Return a mask of the points that end waits for tasks which ran in these pieces of time. A
    thread with its even share of these tasks does not wait for them."""
    ends_wait = np.zeros(len(graph.kind), np.bool_)
    if not pieces:
        return ends_wait
    is_shared = np.zeros(graph.objects + 1, np.bool_)
    for location, since, until, _ in pieces:
        rows = slice(graph.first[location], graph.first[location + 1])
        done = np.flatnonzero(graph.kind[rows] == int(Point.DONE))
        moment, number = graph.after[rows][done], graph.object[rows][done]
        piece = np.searchsorted(since, moment) - 1
        ran = (piece >= 0) & (moment <= until[piece])
        is_shared[number[ran & (number >= graph.waits_from)]] = True
    waited = np.flatnonzero(graph.kind == int(Point.WAITED))
    ends_wait[waited] = is_shared[graph.object[waited]]
    return ends_wait


@once
def _rows_with_tasks(run: Run) -> list[Ints]:
    """Return, for each location, its arrivals after which it ran tasks in the barrier."""
    arrivals = (timeline.arrivals for timeline in run.timelines)
    return [np.flatnonzero(arrival.final > arrival.enter) for arrival in arrivals]


def _run_early(case: Case) -> Iterator[Spared]:
    """Yield, by location, the times from a member's arrival at the barrier until all had come."""
    run, last = case.run, case.run.instances.last
    for number, rows in enumerate(_rows_with_tasks(run)):
        arrivals = run.timelines[number].arrivals
        rows = rows[case.is_here[arrivals.path[rows]]]
        if len(rows):
            until = np.minimum(last[run.instances.of[number][rows]], arrivals.final[rows])
            yield Spared(number, arrivals.enter[rows], until)


class _TaskTicks(NamedTuple):
    """The arrivals of a location in which it ran tasks until all had come, and for how long."""

    rows: Ints
    ticks: Ints


@once
def _task_ticks(run: Run) -> list[_TaskTicks]:
    by_location = []
    for number, (timeline, of) in enumerate(zip(run.timelines, run.instances.of, strict=True)):
        ticks = run.instances.last[of] - timeline.arrivals.enter
        ticks -= waited_for_last(run, number)
        rows = np.flatnonzero(ticks > 0)
        by_location.append(_TaskTicks(rows, ticks[rows]))
    return by_location


def _of_tasks(case: Case) -> Ticks:
    """Return, by barrier instance, the ticks that members ran tasks in it until all had come."""
    run, total = case.run, np.zeros(len(case.run.instances.last))
    for number, (rows, ticks) in enumerate(_task_ticks(run)):
        is_here = case.is_here[run.timelines[number].arrivals.path[rows]]
        if is_here.any():
            total += sums(run.instances.of[number][rows[is_here]], ticks[is_here], len(total))
    return total


def divided(case: Case, same: ChangedTrace) -> ChangedTrace:
    """Return the trace in which the tasks that remain when all have come to a barrier keep its
    members equally busy."""
    run, graph = case.run, case.graph
    last = run.instances.last
    idle, members = np.zeros(len(last)), np.zeros(len(last))
    for number, of in enumerate(run.instances.of):
        idle += sums(of, waited_for_tasks(run, number), len(last))
        members += np.bincount(of, minlength=len(last))
    is_divided = np.zeros(graph.objects + 1, np.bool_)
    is_divided[graph.object[case.at(Point.PASS)]] = True
    is_free = is_divided[graph.object]
    is_free &= (graph.kind == Point.PASS) | (graph.kind == Point.DONE)
    passes = np.flatnonzero(is_free & (graph.kind == Point.PASS))
    instance = graph.object[passes] - graph.instances_from
    lag = same.lag.astype(np.float64)
    left = graph.after[passes] - last[instance] - (idle / np.maximum(1, members))[instance]
    lag[passes] = np.maximum(0, left)
    return ChangedTrace(same.work, lag, is_free, same.tail)


def completed(case: Case, same: ChangedTrace) -> ChangedTrace:
    """Return the trace in which members leave the barrier when the last one has come and its tasks
    are done."""
    run, graph = case.run, case.graph
    is_pass, is_whole = case.at(Point.PASS), is_met_by_all(run)
    lag = same.lag.astype(np.float64)
    parts = net_parts(run)[int(case.kind is ExplicitCompletion)][case.path]
    for number, thread in enumerate(run.thread):
        rows = slice(graph.first[number], graph.first[number + 1])
        passes = np.flatnonzero(is_pass[rows])
        passes = passes[is_whole[graph.object[rows][passes] - graph.instances_from]]
        lag[rows][passes] *= 1 - parts[thread]
    return ChangedTrace(same.work, lag, same.is_free, same.tail)


def stopped(case: Case, same: ChangedTrace) -> ChangedTrace:
    """Return the trace in which members stop a construct's work when it is canceled."""
    run = case.run
    cancelled = np.full(len(run.instances.last), np.iinfo(np.int64).max)
    for timeline, of in zip(run.timelines, run.instances.of, strict=True):
        arrivals = timeline.arrivals
        rows = np.flatnonzero(arrivals.is_cancelled & case.is_here[arrivals.path])
        np.minimum.at(cancelled, of[rows], arrivals.enter[rows])
    spared = []
    for number, (timeline, of) in enumerate(zip(run.timelines, run.instances.of, strict=True)):
        arrivals = timeline.arrivals
        late = np.flatnonzero(arrivals.enter > cancelled[of])
        if len(late):
            spared.append(Spared(number, cancelled[of[late]], arrivals.enter[late]))
    return without_work(case, same, spared)
