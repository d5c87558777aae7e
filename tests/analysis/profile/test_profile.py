"""The flat profile: rows, and their sum."""

from __future__ import annotations

from hypothesis import given

from pomp_clang.analysis.profile import flat_profile
from pomp_clang.experiment.model import Experiment, Location, Measured
from tests.handmade import experiment, experiments, figure_1, region


def test_figure_1_of_the_ompp_paper() -> None:
    parallel, critical = flat_profile(figure_1())
    assert [c.name for c in critical.columns] == ["execT", "execC", "bodyT", "enterT", "exitT"]
    assert [row.values for row in critical.rows] == [
        (1.0, 1, 1.0, 0.0, 0.0),
        (3.0, 1, 1.0, 2.0, 0.0),
        (2.0, 1, 1.0, 1.0, 0.0),
        (4.0, 1, 1.0, 3.0, 0.0),
    ]
    assert critical.total == (10.0, 4, 4.0, 6.0, 0.0)
    assert (parallel.execT, parallel.execC) == (16.0, 4)


def test_a_thread_that_never_came_has_a_row_of_zeros() -> None:
    run = experiment(
        [region("R1", "master", 3)], {("R1", 1): Measured(execC=2, execT=0.5)}, threads=3
    )
    (profile,) = flat_profile(run)
    assert [row.tid for row in profile.rows] == [0, 1, 2]
    assert [row.values for row in profile.rows] == [(0.0, 0), (0.5, 2), (0.0, 0)]
    assert [row.tid for row in profile.reached] == [1]
    assert profile.ran


def test_a_region_that_never_ran_is_there_with_nothing() -> None:
    (profile,) = flat_profile(experiment([region("R1", "critical", 3)], {}))
    assert not profile.ran
    assert profile.total == (0.0, 0, 0.0, 0.0, 0.0)


def test_rows_come_in_the_order_of_the_threads() -> None:
    run = experiment([region("R1", "atomic", 3)], {}, locations=(Location(2, 0), Location(0, 0)))
    assert [row.tid for row in flat_profile(run)[0].rows] == [0, 2]


@given(experiments())
def test_sum_is_the_sum_of_the_rows(any_run: Experiment) -> None:
    for profile in flat_profile(any_run):
        assert len(profile.rows) == len(any_run.locations)
        for index, column in enumerate(profile.columns):
            values = [row.values[index] for row in profile.rows]
            assert profile.total[index] == sum(values)
            assert isinstance(profile.total[index], int) or not column.is_count
