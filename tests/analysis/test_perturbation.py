"""The cost of measurement, from the cost of an event and the number of events."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from pomp_clang.analysis.overheads import analyze_overheads
from pomp_clang.analysis.perturbation import costs_by_place, perturbation, without
from pomp_clang.analysis.profile import flat_profile
from pomp_clang.analysis.properties import find_properties
from pomp_clang.experiment.model import CallPath, EventCosts, Experiment, Measured
from tests.handmade import call_paths, experiment, region, with_snapshots

COSTS = EventCosts(pair=20e-6, pair_within=9e-6, step=10e-6, parallel=70e-6, parallel_within=50e-6)


def approx(seconds: float) -> Any:
    """Return what equals nearly these seconds, typed as a field's value."""
    return pytest.approx(seconds)


def perturbed() -> Experiment:
    """Return a function around a parallel region with a critical section and a task."""
    regions = (
        region("R00001", "function", 1, 50),
        region("R00002", "parallel", 10, 40),
        region("R00003", "critical", 20, 22),
        region("R00004", "task", 30, 32),
    )
    paths = call_paths("""
R00001
  R00002
    R00003
    R00004
      R00004!
""")
    critical = Measured(execC=100, execT=0.3, bodyT=0.1, enterT=0.1, exitT=0.1)
    profile = {
        ("C00001", 0): Measured(execC=1, execT=2.0),
        **{("C00002", tid): Measured(execC=1, execT=1.0, bodyT=1.0) for tid in (0, 1)},
        **{("C00003", tid): critical for tid in (0, 1)},
        ("C00004", 0): Measured(createC=10, createT=0.1),
        ("C00005", 1): Measured(execC=10, execT=0.2),
    }
    flat: dict[tuple[str, int], Measured] = {
        (path.region, tid): profile[path.id, tid]
        for path in paths[:4]
        for tid in (0, 1)
        if (path.id, tid) in profile
    }
    flat["R00004", 1] = profile["C00005", 1]
    more: dict[str, Any] = {"callpaths": paths, "callpath_profile": profile, "costs": COSTS}
    return experiment(regions, flat, threads=2, duration=2.5, **more)


CRITICALS = 100 * (20e-6 + 2 * 10e-6)
"""Enter and exit, begin and end."""


def test_nothing_is_said_where_the_costs_are_not_known() -> None:
    unknown = replace(perturbed(), costs=None)
    assert perturbation(unknown) is None
    assert without(unknown) == unknown


def test_a_visit_costs_its_events() -> None:
    actual = perturbation(perturbed())
    assert actual is not None
    exclusive = {region.region.id: region.exclusive for region in actual.regions}
    assert exclusive == pytest.approx(
        {"R00001": 20e-6, "R00002": 140e-6, "R00003": 2 * CRITICALS, "R00004": 400e-6}
    )
    assert actual.total == pytest.approx(sum(exclusive.values()))
    assert actual.initial == pytest.approx(20e-6 + 70e-6 + CRITICALS + 200e-6)
    assert actual.share == pytest.approx(actual.total / 5.0)
    assert actual.regions[0].region.id == "R00003"


def test_what_is_inside_a_region_is_in_its_time() -> None:
    actual = perturbation(perturbed())
    assert actual is not None
    within = {region.region.id: region.within for region in actual.regions}
    assert within["R00003"] == pytest.approx(2 * 100 * (9e-6 + 2 * 10e-6))
    assert within["R00002"] == pytest.approx(2 * 50e-6 + 2 * CRITICALS + 400e-6)
    assert within["R00001"] == pytest.approx(9e-6 + 70e-6 + CRITICALS + 200e-6)


def test_it_is_taken_out() -> None:
    experiment = perturbed()
    less = without(experiment)
    actual = perturbation(experiment)
    assert actual is not None
    assert less.duration == pytest.approx(2.5 - actual.initial)
    critical = less.profile["R00003", 0]
    cost = 100 * (9e-6 + 2 * 10e-6) / 3
    assert critical == Measured(
        execC=100,
        execT=approx(0.3 - 3 * cost),
        bodyT=approx(0.1 - cost),
        enterT=approx(0.1 - cost),
        exitT=approx(0.1 - cost),
    )
    function = less.profile["R00001", 0]
    assert function.execT == pytest.approx(2.0 - (9e-6 + 70e-6 + CRITICALS + 200e-6))
    assert less.profile["R00004", 0].createT == 0.1


def test_no_time_falls_below_zero() -> None:
    experiment = replace(perturbed(), costs=EventCosts(1.0, 1.0, 1.0, 1.0, 1.0))
    less = without(with_snapshots(experiment, 0.5))
    rows = [*less.profile.values(), *less.callpath_profile.values()]
    rows += less.snapshots[0].profile.values()
    for row in rows:
        assert min(row.execT, row.bodyT, row.enterT, row.exitT) >= 0
    assert less.duration == 0


def test_recursion_is_paid_once() -> None:
    """The outermost visit's time holds all of them."""
    regions = (region("R00001", "function", 1, 9),)
    paths = (CallPath("C00001", None, "R00001"), CallPath("C00002", "C00001", "R00001"))
    profile = {
        ("C00001", 0): Measured(execC=10, execT=1.0),
        ("C00002", 0): Measured(execC=100, execT=0.9),
    }
    flat = {("R00001", 0): Measured(execC=110, execT=1.0)}
    more: dict[str, Any] = {"callpaths": paths, "callpath_profile": profile, "costs": COSTS}
    actual = perturbation(experiment(regions, flat, threads=1, **more))
    assert actual is not None
    (cost,) = actual.regions
    assert cost.exclusive == pytest.approx(110 * 20e-6)
    assert cost.within == pytest.approx(10 * 9e-6 + 100 * 20e-6)


def test_tasks_cost_what_was_tried_where_it_was() -> None:
    expensive = replace(COSTS, creation=30e-6, task=25e-6, task_within=12e-6)
    actual = perturbation(replace(perturbed(), costs=expensive))
    assert actual is not None
    (task,) = (region for region in actual.regions if region.region.kind == "task")
    assert task.exclusive == pytest.approx(10 * 30e-6 + 10 * 25e-6)
    assert task.within == pytest.approx(10 * 12e-6)


def ending() -> Experiment:
    """Return an experiment with ten visits of a team of two threads.

    At the end of each visit, the second thread waits 0.1 s; the first waits 1 ms and the time that
    its events take. The region ends 2 ms after that.
    """
    first = 10 * (1e-3 + 9e-6)
    profile = {
        ("C00001", 0): Measured(execC=10, execT=1.1, exitBarT=first, shutdwnT=0.02, againT=first),
        ("C00001", 1): Measured(execC=10, execT=1.1, exitBarT=1.0, shutdwnT=0.02, againT=0.02),
    }
    flat = {("R00001", tid): profile["C00001", tid] for tid in (0, 1)}
    paths = (CallPath("C00001", None, "R00001"),)
    more: dict[str, Any] = {"callpaths": paths, "callpath_profile": profile, "costs": COSTS}
    parallel = (region("R00001", "parallel", 1, 9),)
    return experiment(parallel, flat, threads=2, duration=2.0, **more)


def test_a_second_barrier_takes_what_the_first_took_or_what_there_was_left() -> None:
    actual = perturbation(ending())
    assert actual is not None
    second = 10 * (2e-3 - 9e-6)
    assert actual.barriers == pytest.approx(10 * 1e-3 + second)
    assert actual.total == pytest.approx(10 * 1e-3 + second + 2 * 10 * 70e-6)
    assert actual.initial == pytest.approx(10 * (1e-3 + 70e-6))
    less = without(ending()).profile["R00001", 0]
    assert less.shutdwnT == pytest.approx(0.02 - 10 * 1e-3 - 10 * 50e-6 / 2)


ATOMIC = replace(COSTS, atomic=20e-6, atomic_within=8e-6, atomic_bare=2e-6)


def updates(seconds: float, costs: EventCosts = ATOMIC) -> Experiment:
    """Return an experiment with 100 atomic updates that take so many seconds each, events included,
    in a region of two threads."""
    regions = (region("R00001", "parallel", 1, 9), region("R00002", "atomic", 5, 6))
    paths = call_paths("""
R00001
  R00002
""")
    profile = {
        **{("C00001", tid): Measured(execC=1, execT=1.0, bodyT=1.0) for tid in (0, 1)},
        ("C00002", 0): Measured(execC=100, execT=100 * seconds),
    }
    flat = {(f"R{path[1:]}", tid): measured for (path, tid), measured in profile.items()}
    more: dict[str, Any] = {"callpaths": paths, "callpath_profile": profile, "costs": costs}
    return experiment(regions, flat, threads=2, duration=2.5, **more)


@pytest.mark.parametrize(
    ("seconds", "waited"),
    [(9e-6, 0.0), (10e-6, 0.0), (15e-6, 5e-6), (300e-6, 290e-6)],
)
def test_the_estimate_at_most_has_what_updates_take_beyond_the_cache(
    seconds: float, waited: float
) -> None:
    """Events explain 8 us of an update's time, and the update in the cache 2."""
    estimate = perturbation(updates(seconds))
    assert estimate is not None
    assert estimate.total == pytest.approx(100 * 20e-6 + 140e-6)
    assert estimate.most == pytest.approx(estimate.total + 100 * waited)
    unknown = perturbation(updates(seconds, replace(ATOMIC, atomic_bare=0.0)))
    assert unknown is not None
    assert unknown.most == unknown.total


@pytest.mark.parametrize(
    ("seconds", "left"),
    [(9e-6, 1e-6), (12e-6, 4e-6), (87e-6, 4e-6), (89e-6, 81e-6), (300e-6, 292e-6)],
)
def test_updates_that_events_dominate_have_their_own_price(seconds: float, left: float) -> None:
    """Below four times the price of its events, an update has at most 2 us for each thread; what is
    longer stays as measured. The trace and the profile agree."""
    experiment = updates(seconds)
    atomic_costs = costs_by_place(experiment)["C00002", 0]
    assert 100 * seconds - atomic_costs.within == pytest.approx(100 * left)
    profiles = flat_profile(experiment)
    (finding_,) = (
        finding
        for finding in find_properties(
            profiles, replace(analyze_overheads(experiment, profiles), duration=0.01)
        )
        if finding.name == "FrequentAtomic"
    )
    assert finding_.severity == pytest.approx(100 * left)
    assert costs_by_place(experiment)["C00001", 0].around == pytest.approx(100 * 12e-6)
