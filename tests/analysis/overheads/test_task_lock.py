"""The cost of task events where threads wait for the lock of libgomp's task queue."""

from __future__ import annotations

import heapq
import random
from dataclasses import replace
from typing import Any

import pytest

from pomp_clang.analysis.overheads.task_lock import _at_lock, costs_beside_lock
from pomp_clang.analysis.perturbation import perturbation
from pomp_clang.experiment.model import EventCosts, Experiment, Measured
from tests.handmade import call_paths, experiment, region

COSTS = EventCosts(
    pair=50e-9,
    pair_within=20e-9,
    step=30e-9,
    parallel=100e-9,
    parallel_within=80e-9,
    creation=100e-9,
    task=100e-9,
    task_within=50e-9,
    wait=100e-9,
)
TASKS = 1_000_000


def _run(creation: float, task: float, **changes: Any) -> Experiment:
    """Return a run of two threads that create a million tasks, with the seconds of each."""
    regions = (region("R00001", "parallel", 10, 40), region("R00002", "task", 20, 22))
    paths = call_paths("""
R00001
  R00002
    R00002!
""")
    half = TASKS // 2
    profile = {}
    for tid in (0, 1):
        region_time = half * (creation + task)
        profile["C00001", tid] = Measured(execC=1, execT=region_time, bodyT=region_time)
        profile["C00002", tid] = Measured(createC=half, createT=half * creation)
        profile["C00003", tid] = Measured(execC=half, execT=half * task)
    more: dict[str, Any] = {"callpaths": paths, "callpath_profile": profile, "costs": COSTS}
    run = experiment(regions, {}, threads=2, duration=half * (creation + task), **more)
    return replace(run, **{"openmp_runtime": "libgomp"} | changes)


def _price(run: Experiment) -> float:
    costs = costs_beside_lock(run)
    assert costs is not None
    return (costs.creation + costs.task) / (COSTS.creation + COSTS.task)


def test_events_shorten_the_waits_for_the_lock() -> None:
    """Threads that are almost always at the lock lose little time by events."""
    run = _run(creation=600e-9, task=700e-9)
    assert 0.2 < _price(run) < 0.5
    cost = perturbation(run)
    assert cost is not None
    events = TASKS * (COSTS.creation + COSTS.task)
    assert cost.total < 0.6 * events
    assert cost.most == pytest.approx(events + 2 * COSTS.parallel)


def test_events_of_large_tasks_cost_their_price() -> None:
    assert _price(_run(creation=300e-9, task=100e-6)) == pytest.approx(1, abs=0.01)


@pytest.mark.parametrize("changes", [{"openmp_runtime": "libomp"}, {"usable_processors": 1}])
def test_without_such_a_lock_the_costs_are_the_events(changes: dict[str, Any]) -> None:
    run = _run(creation=600e-9, task=700e-9, **changes)
    assert costs_beside_lock(run) is run.costs


def test_longer_waits_for_the_lock_make_events_cheaper() -> None:
    prices = [_price(_run(creation, task=2e-6)) for creation in (200e-9, 600e-9, 1e-6, 1.4e-6)]
    assert prices == sorted(prices, reverse=True) and len(set(prices)) == len(prices)


@pytest.mark.parametrize("threads", [2, 4, 8])
@pytest.mark.parametrize("away", [0.0, 1.0, 6.0])
def test_the_time_at_the_lock_is_that_of_a_simulation(threads: int, away: float) -> None:
    assert _at_lock(1.0, away, threads) == pytest.approx(_simulated(away, threads), rel=0.04)


def _simulated(away: float, threads: int) -> float:
    """Return the mean time at a lock that is held for 1 on average, with exponential times."""
    rng, visits = random.Random(f"{away} {threads}"), 60_000
    requests = [(rng.expovariate(1 / away) if away else 0.0, thread) for thread in range(threads)]
    heapq.heapify(requests)
    free = total = 0.0
    for _ in range(visits):
        requested, thread = heapq.heappop(requests)
        free = max(free, requested) + rng.expovariate(1)
        total += free - requested
        heapq.heappush(requests, (free + (rng.expovariate(1 / away) if away else 0.0), thread))
    return total / visits
