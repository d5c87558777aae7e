"""Barriers that cost more than the work before them, and those in which threads wait for work."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pomp_clang.analysis.columns import Overhead
from pomp_clang.analysis.overheads import OverheadAnalysis, analyze_overheads
from pomp_clang.analysis.profile import flat_profile
from pomp_clang.analysis.properties import PropertyFinding, find_properties
from pomp_clang.experiment.model import EventCosts, Measured
from tests.handmade import experiment, region

OFTEN = 10_000


def analysed(kind: str, *measured: Measured) -> tuple[OverheadAnalysis, PropertyFinding]:
    """Return the analysis of a program with one region, and what costs most there."""
    run = experiment(
        [region("R1", kind, 3)],
        {("R1", tid): values for tid, values in enumerate(measured)},
        threads=len(measured),
    )
    profiles = flat_profile(run)
    analysis = analyze_overheads(run, profiles)
    return analysis, next(prop for prop in find_properties(profiles, analysis) if prop.profile)


def implied(wait: float, work: float, bodies: int = OFTEN) -> Measured:
    return Measured(OFTEN, wait + work, bodies, work, exitBarT=wait)


IMPLYING = ("for", "parallel for", "parallel", "scope", "sections", "single")


@pytest.mark.parametrize("kind", IMPLYING)
def test_a_short_barrier_after_even_work_is_called_its_own_price(kind: str) -> None:
    analysis, actual = analysed(kind, implied(0.2, 0.02), implied(0.2, 0.02))
    assert (actual.name, actual.severity) == ("BarrierOverhead", pytest.approx(0.4))
    assert actual.text == (
        "The barrier at the end takes 20.0 µs of each thread on average, 10,000 times, each after 2.00 µs of even work."
    )
    assert analysis.exclusive["R1"].of(Overhead.SYNC) == pytest.approx(0.4)
    assert (
        analysis.exclusive["R1"].of(Overhead.IMBAL)
        == analysis.exclusive["R1"].of(Overhead.LIMPAR)
        == 0
    )


@pytest.mark.parametrize("kind", IMPLYING)
def test_a_wait_for_unequal_work_stays_that_however_short(kind: str) -> None:
    analysis, actual = analysed(kind, implied(0.02, 0.2, 2 * OFTEN), implied(0.2, 0.02, 0))
    assert actual.name != "BarrierOverhead"
    assert analysis.exclusive["R1"].of(Overhead.SYNC) == 0


@pytest.mark.parametrize("kind", IMPLYING)
def test_a_long_wait_is_no_price_of_the_barrier(kind: str) -> None:
    _, actual = analysed(kind, implied(2.0, 0.02), implied(2.0, 0.02))
    assert actual.name != "BarrierOverhead"


def test_an_explicit_barrier_in_which_all_threads_are_alike() -> None:
    _, actual = analysed("barrier", Measured(OFTEN, 0.2), Measured(OFTEN, 0.19))
    assert actual.name == "BarrierOverhead"
    assert (
        actual.text
        == "This barrier takes 19.5 µs of each thread on average, 10,000 times, alike for all threads."
    )


def test_an_explicit_barrier_in_which_one_thread_waits_for_another() -> None:
    _, actual = analysed("barrier", Measured(OFTEN, 0.3), Measured(OFTEN, 0.05))
    assert actual.name == "WaitAtBarrier"


def test_tasks_that_run_in_a_barrier_are_not_its_price() -> None:
    busy = Measured(OFTEN, 2.2, taskT=2.0)
    _, actual = analysed("barrier", busy, busy)
    assert (actual.name, actual.severity) == ("BarrierOverhead", pytest.approx(0.4))


def test_a_thread_alone_has_no_price_of_meeting_others() -> None:
    _, actual = analysed("for", implied(0.2, 0.02))
    assert actual.name != "BarrierOverhead"


@pytest.mark.parametrize(("kind", "events"), [("barrier", 1e-6), ("for", 4e-7)])
def test_the_price_of_a_barrier_is_without_its_events(kind: str, events: float) -> None:
    measured = Measured(OFTEN, 0.2) if kind == "barrier" else implied(0.2, 0.02)
    costs = EventCosts(pair=2e-6, pair_within=1e-6, step=4e-7, parallel=0.0, parallel_within=0.0)
    run = experiment([region("R1", kind, 3)], {("R1", tid): measured for tid in (0, 1)}, threads=2)
    run = replace(run, costs=costs)
    profiles = flat_profile(run)
    (cost,) = (
        finding
        for finding in find_properties(profiles, analyze_overheads(run, profiles))
        if finding.name == "BarrierOverhead"
    )
    assert cost.severity == pytest.approx(0.4 - 2 * OFTEN * events)
