"""Work, serial time, losses and idle threads are all of the program's time."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given

from pomp_clang.analysis.overheads import analyze_overheads
from pomp_clang.analysis.profile import flat_profile
from pomp_clang.analysis.run import Breakdown, analyze_run, break_down
from pomp_clang.experiment.model import CallPath, Experiment, Measured
from tests.handmade import experiment, experiments, figure_1, ocean, region


def _broken_down(experiment: Experiment) -> Breakdown:
    return break_down(analyze_overheads(experiment, flat_profile(experiment)))


def test_figure_1_of_the_ompp_paper() -> None:
    parts = _broken_down(figure_1())
    assert (parts.totalT, parts.work, parts.serial) == (16.0, 4.0, 0.0)
    assert (parts.lost, parts.idle) == ((6.0, 6.0, 0.0, 0.0), 0.0)


def test_the_ocean() -> None:
    parts = _broken_down(ocean())
    assert (parts.totalT, parts.serial, parts.idle) == (10.0, 0.5, 1.5)
    assert parts.work == pytest.approx(8.0 - 4.109)
    assert parts.unused == (0.0, 0.5, 0.5, 0.5)
    assert parts.spared == (0.0, 0.0, 0.0, 0.0)


def test_a_smaller_team_spares_threads() -> None:
    regions = [region("R1", "parallel", 1, 9), region("R2", "parallel", 10, 19)]
    profile = {("R1", tid): Measured(1, 2.0) for tid in range(4)}
    profile |= {("R2", tid): Measured(1, 1.0) for tid in range(2)}
    parts = _broken_down(experiment(regions, profile, threads=4, duration=3.5))
    assert parts.serial == 0.5
    assert parts.spared == (0.0, 0.0, 1.0, 1.0)
    assert parts.idle == 3.5


def test_a_thread_of_an_inner_team_alone_is_busy_there() -> None:
    regions = [region("R1", "parallel", 1, 20), region("R2", "parallel", 5, 9)]
    profile = {("R1", 0): Measured(1, 2.0), ("R2", 0): Measured(1, 1.5)}
    profile["R2", 1] = Measured(1, 1.5)
    parts = _broken_down(experiment(regions, profile, threads=2, duration=2.0))
    assert (parts.work, parts.spared) == (3.5, (0.0, 0.5))


def test_a_nested_team_in_place_of_the_pool_leaves_no_thread_idle() -> None:
    """Threads 0 and 1 run R1 for 3 s. For 4 s thread 0 runs R2 alone, and in it R3 with thread 2 for
    3 s. One of two threads is idle for the second in which R2 is alone, and for the last one."""
    regions = [region(name, "parallel", line) for line, name in enumerate(("R1", "R2", "R3"), 1)]
    paths = (CallPath("C1", None, "R1"), CallPath("C2", None, "R2"), CallPath("C3", "C2", "R3"))
    times = {("C1", 0): 3.0, ("C1", 1): 3.0, ("C2", 0): 4.0, ("C3", 0): 3.0, ("C3", 2): 3.0}
    rows = {key: Measured(1, time, serialT=0.5 * (key[0] == "C1")) for key, time in times.items()}
    rows["C1", 1] = Measured(1, 3.0)
    run = experiment(regions, {}, threads=3, duration=8.0)
    analysis = analyze_run(replace(run, callpaths=paths, callpath_profile=rows)).analysis
    parts = break_down(analysis)
    assert (analysis.threads, parts.totalT) == (2, 16.0)
    assert (parts.unused, sum(parts.spared)) == ((0.0, 0.5, 0.5), 1.0)
    assert parts.idle + parts.work + parts.serial == 16.0
    assert [(team.region.id, team.seconds) for team in analysis.spared] == [("R2", 1.0)]


def test_a_region_that_is_called_from_another_is_told_by_its_call_path() -> None:
    """In the text they stand apart, as in two functions."""
    regions = [region("R1", "parallel", 1, 4), region("R2", "parallel", 11, 14)]
    paths = (CallPath("C1", None, "R1"), CallPath("C2", "C1", "R2"), CallPath("C3", None, "R2"))
    profile = {
        ("C1", 0): Measured(1, 2.0),
        ("C2", 0): Measured(1, 1.5),
        ("C3", 0): Measured(1, 1.0),
    }
    profile["C2", 1] = Measured(1, 1.5)
    run = experiment(
        regions, {}, threads=3, duration=4.0, callpaths=paths, callpath_profile=profile
    )
    parts = _broken_down(run)
    assert (parts.serial, parts.work) == (1.0, 4.5)
    assert (parts.unused, parts.spared) == ((0.0, 1.0, 1.0), (0.0, 1.5, 3.0))


def test_a_wait_of_the_initial_thread_outside_parallel_regions_is_no_serial_time() -> None:
    regions = [region("R1", "target data", 1, 9), region("R2", "taskwait", 5)]
    paths = (CallPath("C1", None, "R1"), CallPath("C2", "C1", "R2"))
    profile = {
        ("C1", 0): Measured(1, 3.5, bodyT=3.0),
        ("C2", 0): Measured(1, 2.0),
        ("C2", 1): Measured(1, 0.5),
    }
    run = experiment(
        regions, {("R1", 0): Measured(1, 3.5, bodyT=3.0), ("R2", 0): Measured(1, 2.0)},
        threads=2, duration=4.0, callpaths=paths, callpath_profile=profile,
    )  # fmt: skip
    parts = _broken_down(run)
    assert (parts.serial, parts.target, parts.lost[0]) == (1.5, 0.5, 2.5)
    assert parts.serial + 0.5 + 2.5 + parts.idle == pytest.approx(parts.totalT)


def test_losses_in_a_team_that_was_not_measured_are_no_idle_time() -> None:
    run = experiment([region("R1", "barrier", 3)], {("R1", t): Measured(1, 1.0) for t in range(4)})
    parts = _broken_down(run)
    assert (parts.totalT, parts.serial, parts.lost[0], parts.work) == (16.0, 4.0, 4.0, 0.0)
    assert parts.unused == pytest.approx((0.0, 8 / 3, 8 / 3, 8 / 3))


@given(experiments())
def test_no_part_is_negative_and_together_they_are_the_whole(any_run: Experiment) -> None:
    parts = _broken_down(any_run)
    target = parts.target or 0.0
    assert min(parts.work, parts.serial, target, *parts.lost, *parts.unused, *parts.spared) >= 0
    together = parts.work + parts.serial + target + sum(parts.lost) + parts.idle
    if parts.work > 0:
        assert together == pytest.approx(parts.totalT)
    else:
        assert together >= parts.totalT * (1 - 1e-9)
