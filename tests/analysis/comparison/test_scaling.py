"""Speed-up, efficiency and the serial fraction."""

from __future__ import annotations

import pytest

from pomp_clang.analysis.comparison.scaling import Scaling, ScalingPoint, scale
from pomp_clang.analysis.run import analyze_run
from pomp_clang.experiment.model import Experiment, Measured
from tests.handmade import experiment, region


def run_with(threads: int, duration: float, *, first_line: int = 10) -> Experiment:
    """Return a run with a parallel region that lasts half a second less, with a critical
    section."""
    regions = [
        region("R1", "parallel", first_line, first_line + 9),
        region("R2", "critical", first_line + 3, first_line + 4),
        region("R3", "single", first_line + 6),
    ]
    team = duration - 0.5
    profile = {("R1", t): Measured(1, team, 1, team) for t in range(threads)}
    held = 0.25 / threads
    profile |= {("R2", t): Measured(4, 0.25, 4, held, 0.25 - held) for t in range(threads)}
    if threads > 1:
        profile["R3", 0] = Measured(1, 0.125, 1, 0.125)
    return experiment(regions, profile, threads=threads, duration=duration)


def scaled(*runs: tuple[int, float]) -> Scaling:
    return scale([analyze_run(run_with(*run)) for run in runs])


def test_amdahls_law_is_read_back() -> None:
    """A second of eight that is serial: the fraction found is an eighth for any threads."""
    points = scaled((4, 1 + 7 / 4), (1, 8.0), (2, 1 + 7 / 2)).points
    assert [p.threads for p in points] == [1, 2, 4]
    assert points[0] == ScalingPoint(1, 8.0, 1.0, 1.0, None)
    assert [p.serial for p in points[1:]] == pytest.approx([1 / 8, 1 / 8])
    assert points[2].speed_up == pytest.approx(8 / 2.75)
    assert points[2].efficiency == pytest.approx(8 / 2.75 / 4)


def test_the_first_run_need_not_have_one_thread() -> None:
    first, second = scaled((2, 4.0), (4, 2.0)).points
    assert (first.speed_up, first.efficiency, first.serial) == (1.0, 1.0, None)
    assert (second.speed_up, second.efficiency, second.serial) == (2.0, 1.0, 0.0)


def test_two_runs_with_as_many_threads() -> None:
    first, second = scaled((2, 4.0), (2, 5.0)).points
    assert (first.time, second.time) == (4.0, 5.0)
    assert (second.speed_up, second.efficiency, second.serial) == (0.8, 0.8, None)


def test_regions_by_their_longest_time() -> None:
    runs = [run_with(1, 4.5), run_with(2, 2.5, first_line=17), run_with(4, 1.5)]
    scaling = scale([analyze_run(run) for run in runs])
    parallel, critical = scaling.regions
    assert [p and p.time for p in parallel.points] == [4.0, 2.0, 1.0]
    assert [p and p.efficiency for p in parallel.points] == [1.0, 1.0, 1.0]
    assert [p and p.speed_up for p in critical.points] == [1.0, 1.0, 1.0]
    assert [p and p.efficiency for p in critical.points] == [1.0, 0.5, 0.25]


def test_what_waits_is_not_shared_and_tasks_are_whoever_runs_them() -> None:
    def tasking(threads: int) -> Experiment:
        regions = [region("R1", "task", 1), region("R2", "taskwait", 2), region("R3", "single", 3)]
        profile = {("R1", t): Measured(1, 4.0 if t else 0.0) for t in range(1, threads + 1)}
        profile |= {(r, 1): Measured(1, threads / 8) for r in ("R2", "R3")}
        return experiment(regions, profile, threads=threads + 1)

    by_kind = {r.region.kind: r for r in scale([analyze_run(tasking(n)) for n in (1, 3)]).regions}
    assert [p and (p.time, p.efficiency) for p in by_kind["task"].points] == [
        (2.0, 1.0),
        (3.0, pytest.approx(1 / 3)),
    ]
    for kind in ("taskwait", "single"):
        assert [p and p.efficiency for p in by_kind[kind].points] == [None, None]
        assert [p and p.time for p in by_kind[kind].points] == [1 / 8, 3 / 8]


def test_a_region_that_one_run_lacks() -> None:
    without = experiment([region("R1", "parallel", 10)], {("R1", 0): Measured(1, 1.0)}, threads=2)
    scaling = scale([analyze_run(run_with(1, 4.5)), analyze_run(without)])
    critical = scaling.regions[1]
    assert (critical.region.kind, critical.points[1], critical.lost[1]) == ("critical", None, 0.0)


def test_no_time_is_no_speed_up() -> None:
    nothing = [analyze_run(experiment([], {}, threads=n, duration=0.0)) for n in (1, 2)]
    assert [p.speed_up for p in scale(nothing).points] == [None, None]
