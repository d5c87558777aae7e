"""Two runs compared."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given

from pomp_clang.analysis.comparison import RegionGrowth, change, compare, ordered
from pomp_clang.analysis.run import analyze_run
from pomp_clang.experiment.model import Experiment, Measured
from tests.handmade import experiment, experiments, region


def before() -> Experiment:
    """Return a run with a loop, a critical section, a barrier that disappears, and a region never
    run."""
    regions = [
        region("R1", "for", 10, 20),
        region("R2", "critical", 14, 15),
        region("R3", "barrier", 30),
        region("R4", "atomic", 40),
    ]
    profile = {("R1", t): Measured(10, 1.0, 10, 0.75, exitBarT=0.25) for t in range(4)}
    profile |= {("R2", t): Measured(100, 0.5, 100, 0.25, 0.25) for t in range(4)}
    profile |= {("R3", t): Measured(10, 0.125) for t in range(4)}
    return experiment(regions, profile, duration=2.0)


def after() -> Experiment:
    """Return a run moved by five lines, in which the critical section became an atomic."""
    regions = [
        region("R1", "for", 15, 25),
        region("R2", "atomic", 19),
    ]
    profile = {("R1", t): Measured(10, 0.75, 10, 0.5, exitBarT=0.25) for t in range(4)}
    profile |= {("R2", t): Measured(1000, 0.0625) for t in range(4)}
    return experiment(regions, profile, duration=1.5, directory="pomp-app-2")


def test_regions_of_both_new_and_gone() -> None:
    actual = compare(analyze_run(before()), analyze_run(after()))
    states = [(c.state, c.latest.region.kind, c.delta) for c in actual]
    assert states == [
        ("gone", "critical", RegionGrowth(-400, -2.0, -1.0)),
        ("both", "for", RegionGrowth(0, -1.0, 0.0)),
        ("gone", "barrier", RegionGrowth(-40, -0.5, -0.5)),
        ("both", "atomic", RegionGrowth(4000, 0.25, 0.25)),
    ]
    assert [c.moved for c in actual] == [False, True, False, True]


def test_what_ran_in_neither_is_not_there() -> None:
    never = experiment([region("R1", "for", 3)], {})
    assert compare(analyze_run(never), analyze_run(never)) == ()


@pytest.mark.parametrize(
    ("sort", "kinds"),
    [
        ("execT", ["critical", "for", "barrier", "atomic"]),
        ("overhead", ["critical", "barrier", "atomic", "for"]),
        ("count", ["atomic", "critical", "barrier", "for"]),
        ("place", ["critical", "for", "atomic", "barrier"]),
    ],
)
def test_orders(sort: str, kinds: list[str]) -> None:
    actual = ordered(compare(analyze_run(before()), analyze_run(after())), sort)
    assert [c.latest.region.kind for c in actual] == kinds


def test_change_is_a_share_of_what_was() -> None:
    assert change(2.0, 3.0) == 0.5
    assert change(0.0, 3.0) is None


@given(experiments())
def test_a_run_does_not_differ_from_itself(any_run: Experiment) -> None:
    actual = compare(analyze_run(any_run), analyze_run(replace(any_run, directory="again")))
    assert all(c.state == "both" and not c.moved for c in actual)
    assert all(c.delta == RegionGrowth(0, 0.0, 0.0) for c in actual)
    ran = {region for region, _ in any_run.profile if any_run.profile[region, _] != Measured()}
    assert {c.latest.region.id for c in actual} == ran
