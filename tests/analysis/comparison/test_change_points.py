"""Changes of a series: true ones are found at their value, noise alone makes few."""

from __future__ import annotations

import random

import pytest

from pomp_clang.analysis.comparison.history import change_points


def series(generator: random.Random, *parts: tuple[int, float]) -> list[float]:
    """Return values with noise of 5 %: for each part, a number of them around a level."""
    return [level * generator.gauss(1, 0.05) for count, level in parts for _ in range(count)]


def places(values: list[float]) -> list[int]:
    return [change.at for change in change_points(values) if change.is_confirmed]


@pytest.mark.parametrize("runs", [5, 12, 20, 60])
def test_noise_alone_makes_a_change_in_one_series_of_twenty_at_most(runs: int) -> None:
    generator = random.Random(runs)
    noisy = [[generator.expovariate(1) for _ in range(runs)] for _ in range(300)]
    assert sum(bool(places(values)) for values in noisy) <= 15


@pytest.mark.parametrize(("before", "after"), [(5, 5), (6, 6), (17, 10), (30, 3), (3, 30)])
def test_a_change_is_found_at_its_run(before: int, after: int) -> None:
    values = series(random.Random(7), (before, 1.0), (after, 1.5))
    (change,) = change_points(values)
    assert change.at == before
    assert change.confidence is not None and change.confidence >= 0.95
    assert change.growth == pytest.approx(0.5, abs=0.1)


def test_several_changes_are_found_with_the_levels_between_them() -> None:
    values = series(random.Random(2), (12, 1.0), (12, 2.0), (12, 0.5))
    changes = change_points(values)
    assert [change.at for change in changes] == [12, 24]
    assert [round(change.before, 1) for change in changes] == [1.0, 2.0]
    assert [round(change.after, 1) for change in changes] == [2.0, 0.5]


def test_one_slow_run_is_no_change() -> None:
    false_alarms = 0
    for seed in range(100):
        values = series(random.Random(seed), (10, 1.0), (1, 9.0), (10, 1.0))
        false_alarms += bool(change_points(values))
    assert false_alarms <= 5


def test_runs_far_off_at_the_end_are_unconfirmed_until_three_confirm_it() -> None:
    before = [1.0, 1.1, 0.9, 1.05, 1.0, 0.95, 1.1, 1.0, 1.02, 0.99, 1.01]
    last = change_points([*before, 2.0])
    assert [(change.at, change.confidence, change.after) for change in last] == [(11, None, 2.0)]
    assert change_points([*before, 2.0, 1.0]) == ()
    assert [change.at for change in change_points([*before, 2.0, 2.1])] == [11]
    (confirmed,) = change_points([*before, 2.0, 2.1, 1.9])
    assert confirmed.is_confirmed and confirmed.at == 11


@pytest.mark.parametrize(("before", "after"), [(4, 6), (6, 4), (11, 3), (3, 11), (17, 3)])
def test_the_fewest_runs_that_the_page_of_history_names_are_enough(before: int, after: int) -> None:
    noise = [n * 7 % 5 / 1000 for n in range(before + after)]
    values = [(1 if n < before else 2) + part for n, part in enumerate(noise)]
    assert places(values) == [before]
    fewer = values[1:] if before > after else values[:-1]
    if before + after < 20:
        assert places(fewer) == []


def test_equal_values_have_no_change_and_few_values_none() -> None:
    assert change_points([0.0] * 30) == change_points([]) == change_points([1.0]) == ()
    assert places([1.0] * 4 + [5.0] * 4) == []
    (change,) = change_points([0.0] * 10 + [1.0] * 10)
    assert (change.at, change.growth) == (10, None)


def test_a_long_series_is_found_as_well() -> None:
    (place,) = places(series(random.Random(4), (150, 1.0), (150, 1.1)))
    assert abs(place - 150) <= 5
