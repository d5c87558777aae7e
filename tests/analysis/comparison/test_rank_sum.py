"""The exact rank-sum test, compared with all orders of the values."""

from __future__ import annotations

from itertools import combinations

import pytest

from pomp_clang.analysis.comparison.rank_sum import (
    RepeatedValues,
    chance,
    larger_pairs,
    needed_pairs,
)


def chance_by_hand(pairs: int, first: int, second: int) -> float:
    """Count the choices of ranks for the second side with at least so many larger pairs."""
    ranks = range(first + second)
    counts = []
    for chosen in combinations(ranks, second):
        others = [rank for rank in ranks if rank not in chosen]
        counts.append(larger_pairs(others, chosen))
    return sum(count >= pairs for count in counts) / len(counts)


@pytest.mark.parametrize(("first", "second"), [(1, 1), (1, 3), (2, 2), (3, 3), (2, 5), (4, 5)])
def test_chance_is_that_of_all_orders(first: int, second: int) -> None:
    for pairs in range(first * second + 1):
        assert chance(pairs, first, second) == pytest.approx(chance_by_hand(pairs, first, second))


@pytest.mark.parametrize(
    ("runs", "needed", "percent"), [(2, 4, 83), (3, 9, 95), (4, 15, 97), (5, 21, 95), (7, 38, 95), (10, 73, 96)]
)  # fmt: skip
def test_pairs_needed_are_those_that_the_page_of_diff_names(
    runs: int, needed: int, percent: int
) -> None:
    assert needed_pairs(runs, runs) == needed
    assert round(100 * (1 - chance(needed, runs, runs))) == percent


def test_an_equal_pair_counts_half_and_never_for_a_change() -> None:
    assert larger_pairs([1.0, 1.0], [1.0, 1.0]) == 2
    assert larger_pairs([1.0], [1.0]) == 0


def test_separate_values_of_three_runs_are_beyond_the_noise() -> None:
    slower = RepeatedValues((1.0, 1.2, 1.1), (1.3, 1.21, 1.5))
    assert slower.is_beyond_noise and slower.confidence == pytest.approx(0.95)
    assert RepeatedValues(slower.b, slower.a).is_beyond_noise
    assert not RepeatedValues((1.0, 1.2, 1.1), (1.3, 1.19, 1.5)).is_beyond_noise
    assert not RepeatedValues((1.0, 1.1), (7.0, 8.0)).is_beyond_noise
