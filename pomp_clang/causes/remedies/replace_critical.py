"""A critical section becomes a reduction or an atomic.

With a reduction no thread waits, and entering and leaving take no time; the block's work stays,
unless
it is a single update. An atomic takes the price of an update as measured on this machine, in place
of the block.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from pomp_clang.analysis.measured_cost import AtomicCost, measure_atomic_cost
from pomp_clang.causes.properties.measurement_cost import own_cost
from pomp_clang.causes.properties.openmp import CriticalContention
from pomp_clang.causes.remedies import RemedyPrediction
from pomp_clang.causes.run.idle import threads_at_once
from pomp_clang.causes.run.points import Point
from pomp_clang.causes.run.run import Run, once
from pomp_clang.causes.timeline.activity import Activity
from pomp_clang.causes.timeline.columns import median
from pomp_clang.causes.timeline.location_timeline import Flags
from pomp_clang.causes.waits.wait_graph import graph_of
from pomp_clang.causes.what_if.predict_gain import together
from pomp_clang.causes.what_if.remove_work import less_of, less_of_each, without_doing
from pomp_clang.causes.what_if.simulate import Case, ChangedTrace, as_it_is, end_of, recorded_end
from pomp_clang.driver.compiler.cache import lookup

_STEP = 2
"""The place of `EventCosts.step` among the recorded costs."""

_TICK = 1e-9

_ONE_UPDATE = 200e-9
"""Median seconds of a block, without events, up to which it may be a single update."""


def without_critical(run: Run, paths: Sequence[int]) -> Iterator[RemedyPrediction]:
    """Yield the predictions for a critical section at the call paths. The events in it cost nothing
    in any case: the program without the measurement gains nothing by their end."""
    known = _predictions(run)
    if (key := tuple(paths)) not in known:
        known[key] = tuple(_predicted(run, paths))
    yield from known[key]


@once
def _predictions(run: Run) -> dict[tuple[int, ...], tuple[RemedyPrediction, ...]]:
    """Return the predictions so far by call paths, as several properties of a critical section ask
    for them."""
    return {}


def _predicted(run: Run, paths: Sequence[int]) -> Iterator[RemedyPrediction]:
    graph = graph_of(run)
    before = recorded_end(run)
    unmeasured = end_of(run, graph, _without_events(run, paths))

    def prediction(change: str, end: float) -> RemedyPrediction:
        gain = max(0.0, unmeasured - end)
        return RemedyPrediction(change, (before - gain) / run.second, before / run.second)

    is_path = np.zeros(len(run.paths), np.bool_)
    is_path[list(paths)] = True
    is_here = is_path[run.places.rows]
    is_update = _block(run, is_here) <= _ONE_UPDATE
    reduced = _reduced(run, paths, *[Activity.COMPUTE] if is_update else [])
    free = end_of(run, graph, reduced)
    yield prediction("a reduction in its place", free)
    if is_update:
        atomic = _atomic(run, reduced, free, is_here)
        yield prediction("an atomic in its place", end_of(run, graph, atomic))


def _without_events(run: Run, paths: Sequence[int]) -> ChangedTrace:
    """Return the trace without the cost of the sections' events."""
    graph, same, cost = graph_of(run), as_it_is(run), own_cost(run)
    changes: list[ChangedTrace | None] = []
    for path in paths:
        case = Case(run, graph, CriticalContention, path, run.places.rows == path)
        changes += less_of_each(case, same, {activity: cost[activity][path] for activity in cost})
    changed = together(changes or [same], same)
    assert changed is not None
    return changed


def _reduced(run: Run, paths: Sequence[int], *removed: Activity) -> ChangedTrace:
    """Return the trace in which the sections are entered and left at once, without their events, and
    without the activities `removed` in the block."""
    graph, same = graph_of(run), as_it_is(run)
    events = own_cost(run).get(Activity.COMPUTE, run.cells())
    is_removed = np.zeros(256, np.bool_)
    is_removed[[Activity.CRITICAL, *removed]] = True
    changes: list[ChangedTrace | None] = []
    for path in paths:
        case = Case(run, graph, CriticalContention, path, run.places.rows == path)
        changes.append(without_doing(case, same, is_removed, np.ones(len(run.threads))))
        if Activity.COMPUTE not in removed:
            changes.append(less_of(case, same, Activity.COMPUTE, events[path]))
        is_acquired = case.at(Point.ACQUIRED)
        lag = same.lag.copy()
        np.copyto(lag, 0, where=is_acquired)
        changes.append(ChangedTrace(same.work, lag, is_acquired, same.tail))
    changed = together(changes, same)
    assert changed is not None
    return changed


def _atomic(run: Run, changed: ChangedTrace, free: float, is_here: Flags) -> ChangedTrace:
    """Return the trace in which each block takes the price of an atomic, where it took no time in
    the `changed` one, which ended at `free`. The more of the run the updates take, the more of them
    wait for the variable."""
    graph = graph_of(run)
    is_acquired = (graph.kind == Point.ACQUIRED) & is_here.take(graph.path)
    cost = _atomic_cost(run)
    busy = min(1.0, float(is_acquired.sum()) * cost.serial / max(free / run.second, _TICK))
    contended = max(cost.own, cost.serial * threads_at_once(run))
    lag = changed.lag.astype(np.float64)
    price = (cost.own + busy * (contended - cost.own)) * run.second
    np.add(lag, price, out=lag, where=is_acquired)
    return ChangedTrace(changed.work, lag, changed.is_free, changed.tail)


def _block(run: Run, is_here: Flags) -> float:
    """Return the median seconds of the block, without the events in it."""
    blocks = [
        (locks.released - locks.acquired)[is_here[locks.path]]
        for locks in run.contention.of
        if len(locks.path)
    ]
    ticks = np.concatenate([np.zeros(0), *blocks])
    ticks = ticks[ticks >= 0]
    step = run.records.costs[_STEP] if run.records.costs else 0.0
    return max(0.0, median(ticks) - step) / run.second if len(ticks) else np.inf


@once
def _atomic_cost(run: Run) -> AtomicCost:
    return known_cost(run.records.texts.get("openmp_runtime", ""))


def known_cost(runtime: str) -> AtomicCost:
    """Return the price as it was measured on this machine, at the first time or before."""
    if not runtime:
        return measure_atomic_cost(runtime)
    key = {"atomic": runtime, "machine": os.uname().nodename, "processors": os.cpu_count()}
    measured: list[AtomicCost] = []

    def measure() -> dict[str, Any]:
        measured.append(measure_atomic_cost(runtime))
        cost = measured[0]
        stamps = [] if cost.measured else [None]
        return {"own": cost.own, "serial": cost.serial, "stamps": stamps}

    record = lookup(key, measure)
    return measured[0] if measured else AtomicCost(record["own"], record["serial"])
