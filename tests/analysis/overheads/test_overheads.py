"""Lost time by class, and the parallel region that it is charged to."""

from __future__ import annotations

import pytest
from hypothesis import given

from pomp_clang.analysis.columns import Overhead
from pomp_clang.analysis.overheads import (
    CLASSES,
    Lost,
    OverheadAnalysis,
    analyze_overheads,
    exclusive_loss,
    share,
)
from pomp_clang.analysis.profile import enclosing, flat_profile
from pomp_clang.experiment.model import CallPath, Experiment, Measured, Region
from pomp_clang.openmp.kinds import is_parallel
from tests.handmade import experiment, experiments, figure_1, ocean, region


def _analysis(experiment: Experiment) -> OverheadAnalysis:
    return analyze_overheads(experiment, flat_profile(experiment))


def _lost(kind: str, *measured: Measured) -> Lost:
    run = experiment([region("R1", kind, 3)], {("R1", i): m for i, m in enumerate(measured)})
    return exclusive_loss(flat_profile(run)[0])


def test_figure_1_of_the_ompp_paper() -> None:
    analysis = _analysis(figure_1())
    assert analysis.exclusive["R00002"].of(Overhead.SYNC) == 6.0
    assert analysis.exclusive["R00002"].total == 6.0
    (charged,) = analysis.regions
    assert (charged.wallT, charged.threads, charged.totalT) == (4.0, 4, 16.0)
    assert charged.lost.of(Overhead.SYNC) == 6.0
    assert charged.lost.of(Overhead.IMBAL) == 6.0
    assert share(charged.lost.total, charged.totalT) == 0.75
    assert analysis.lost == charged.lost
    assert analysis.coverage == 4.0


def test_the_ocean() -> None:
    analysis = _analysis(ocean())
    step, inner = analysis.regions
    assert (step.region.id, step.wallT, step.threads) == ("R00001", 2.0, 4)
    assert (inner.region.id, inner.wallT, inner.threads) == ("R00007", 0.1, 2)
    # critical and barrier; parallel and for; two sections for four threads; the rest
    assert step.lost.seconds == pytest.approx((0.585, 1.54 + 0.94, 0.25, 0.75, 0))
    assert inner.lost.seconds == pytest.approx((0, 0.02, 0, 0.02, 0))
    assert analysis.orphaned.seconds == pytest.approx((0.004, 0, 0, 0, 0))
    assert analysis.totalT == 10.0
    assert analysis.lost.total == pytest.approx(4.109)
    assert analysis.coverage == 2.0


def test_the_class_of_sections_is_that_of_all_threads_together() -> None:
    # One thread ran both sections, so it alone had enough.
    busy, idle = Measured(1, 2.0, 2, 2.0), Measured(1, 2.0, exitBarT=2.0)
    assert _lost("sections", busy, idle).of(Overhead.IMBAL) == 2.0
    assert _lost("sections", busy, idle, idle).of(Overhead.LIMPAR) == 4.0


def test_a_parallel_region_pays_for_itself() -> None:
    outer, inner = region("R1", "parallel", 1, 20), region("R2", "parallel for", 5, 9)
    assert enclosing(inner, [outer, inner]) == inner


@pytest.mark.parametrize(
    ("construct", "payer"),
    [
        (region("X", "critical", 6, 7), "R2"),
        (region("X", "critical", 10, 11), "R1"),
        (region("X", "critical", 19, 21), None),
        (region("X", "critical", 30), None),
        (region("X", "critical", 6, 7, file="other.c"), None),
        (region("X", "barrier", 7, end_line1=0, end_lineN=0), "R2"),
        (region("X", "critical", 25, begin_column=30), "R4"),
        (region("X", "critical", 25, begin_column=12), "R3"),
        (region("X", "critical", 25, begin_column=1), None),
    ],
)
def test_the_innermost_parallel_region_around_it_pays(construct: Region, payer: str | None) -> None:
    parallels = [
        region("R1", "parallel", 1, 20),
        region("R2", "parallel for", 5, 9),
        region("R3", "parallel", 25, begin_column=10),
        region("R4", "parallel", 25, begin_column=20),
    ]
    actual = enclosing(construct, parallels)
    assert (actual.id if actual else None) == payer


def test_a_nested_region_covers_no_time_of_its_own() -> None:
    regions = [region("R1", "parallel", 1, 20), region("R2", "parallel", 5, 9)]
    profile = {("R1", 0): Measured(1, 2.0), ("R2", 0): Measured(1, 1.5)}
    assert _analysis(experiment(regions, profile)).coverage == 2.0


def test_a_region_that_never_ran_is_not_analysed_unless_it_has_to_pay() -> None:
    regions = [region("R1", "parallel", 1, 20), region("R2", "atomic", 5)]
    assert _analysis(experiment(regions, {})).regions == ()
    (charged,) = _analysis(experiment(regions, {("R2", 0): Measured(1, 0.5)})).regions
    assert (charged.threads, charged.totalT, charged.lost.total) == (0, 0.0, 0.5)


def test_a_share_of_nothing_is_none() -> None:
    assert share(1.0, 0.0) == 0.0


@given(experiments())
def test_nothing_lost_is_charged_twice_or_not_at_all(any_run: Experiment) -> None:
    profiles = flat_profile(any_run)
    analysis = analyze_overheads(any_run, profiles)
    own = sum(lost.total for lost in analysis.exclusive.values())
    assert analysis.lost.total == pytest.approx(own)
    for overhead in CLASSES:
        parts = [charged.lost.of(overhead) for charged in analysis.regions]
        together = sum(parts) + analysis.orphaned.of(overhead)
        assert analysis.lost.of(overhead) == pytest.approx(together)


@given(experiments())
def test_a_region_loses_no_more_than_its_threads_spend_in_it(any_run: Experiment) -> None:
    for profile in flat_profile(any_run):
        assert exclusive_loss(profile).total <= profile.execT * (1 + 1e-9)


@given(experiments())
def test_time_and_coverage_are_within_bounds(any_run: Experiment) -> None:
    analysis = _analysis(any_run)
    assert 0 <= analysis.coverage <= any_run.duration
    for charged in analysis.regions:
        assert is_parallel(charged.region.kind)
        assert analysis.exclusive[charged.region.id].total <= charged.totalT * (1 + 1e-9)


def test_what_is_called_is_paid_by_the_region_on_the_call_path() -> None:
    """A function with a critical in another file, called from two regions and from none; the
    second region is forked within the first."""
    regions = [
        region("R1", "parallel", 1, 20),
        region("R2", "parallel", 30, 40),
        region("R3", "critical", 5, file="other.c"),
    ]
    paths = (
        CallPath("C1", None, "R1"),
        CallPath("C2", "C1", "R2"),
        CallPath("C3", "C2", "R3"),
        CallPath("C4", "C1", "R3"),
        CallPath("C5", None, "R3"),
    )
    waits = {"C3": 0.25, "C4": 0.5, "C5": 1.0}
    by_path = {("C1", 0): Measured(1, 3.0), ("C2", 0): Measured(1, 2.0)}
    by_path |= {(path, 0): Measured(1, wait, enterT=wait) for path, wait in waits.items()}
    flat = {
        ("R1", 0): Measured(1, 3.0),
        ("R2", 0): Measured(1, 2.0),
        ("R3", 0): Measured(3, 1.75, enterT=1.75),
    }
    analysis = _analysis(
        experiment(regions, flat, callpaths=paths, callpath_profile=by_path, duration=5.0)
    )
    paid = {charged.region.id: charged.lost.total for charged in analysis.regions}
    assert paid == {"R1": 0.5, "R2": 0.25}
    assert analysis.orphaned.total == 1.0
    assert analysis.coverage == 3.0
