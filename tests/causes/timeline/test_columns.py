"""Numbers each once, as NumPy says them, without what that imports; and columns of durations as narrow
as their values permit.
"""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pomp_clang.causes.timeline import columns
from pomp_clang.causes.timeline.columns import (
    are_among,
    distinct,
    firsts,
    less_than,
    lower_quartile,
    median,
    narrowed,
    not_above,
    numbered,
    overlaps,
)


@given(st.lists(st.integers(-3, 3)))
def test_as_numpy_says(numbers: list[int]) -> None:
    column = np.array(numbers, np.int64)
    known, place = np.unique(column, return_inverse=True)
    actual, where = numbered(column)
    assert (actual.tolist(), where.tolist()) == (known.tolist(), place.tolist())
    assert distinct(column).tolist() == known.tolist()
    assert firsts(column).tolist() == np.unique(column, return_index=True)[1].tolist()


@given(st.lists(st.integers(-3, 3)), st.sets(st.integers(-3, 3)))
def test_among_others_as_numpy_says(numbers: list[int], others: set[int]) -> None:
    column, ordered = np.array(numbers, np.int64), np.array(sorted(others), np.int64)
    assert are_among(column, ordered).tolist() == np.isin(column, ordered).tolist()


@given(st.lists(st.integers(-9, 9)), st.lists(st.integers(-9, 9)))
def test_places_of_numbers_as_numpy_says(numbers: list[int], others: list[int]) -> None:
    column, ordered = np.array(numbers, np.int64), np.array(sorted(others), np.int64)
    assert less_than(ordered, column).tolist() == np.searchsorted(ordered, column).tolist()
    assert not_above(ordered, column).tolist() == np.searchsorted(ordered, column, "right").tolist()


@given(st.lists(st.integers(-9, 9), min_size=1), st.sampled_from([np.int64, np.float64, np.uint32]))
def test_median_as_numpy_says(numbers: list[int], kind: type[np.generic]) -> None:
    column = np.abs(np.array(numbers)).astype(kind)
    assert median(column) == float(np.median(column))


@given(st.lists(st.integers(0, 2**50), min_size=1))
def test_lower_quartile_as_numpy_says(numbers: list[int]) -> None:
    column = np.array(numbers, np.int64)
    assert lower_quartile(column) == float(np.quantile(column, 0.25))


_BOUNDS = st.lists(st.integers(0, 20), max_size=12).map(
    lambda bounds: bounds[: len(bounds) // 2 * 2]
)


@given(_BOUNDS, _BOUNDS, st.booleans())
def test_overlaps_in_order_are_those_in_any_order(
    one: list[int], other: list[int], in_order: bool
) -> None:
    first, second = (
        np.array(sorted(bounds) if in_order else bounds, np.int64).reshape(-1, 2).T
        for bounds in (one, other)
    )
    pairs = (first[0], first[1]), (second[0], second[1])
    if not in_order and any((end < begin).any() for begin, end in pairs):
        return
    actual, expected = overlaps(*pairs), columns._overlaps_in_any_order(*pairs)
    for name in columns.Overlaps.__slots__:
        assert getattr(actual, name).tolist() == getattr(expected, name).tolist()


def test_masked_arrays_are_not_imported() -> None:
    program = (
        "import sys, numpy as np; from pomp_clang.causes.timeline.columns import are_among, numbered;"
        "are_among(*numbered(np.array([2, 1, 2]))); print('numpy.ma' in sys.modules)"
    )
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert result.stdout == "False\n", result.stderr


MOST = 2**32 - 1


@pytest.mark.parametrize("numbers", [[], [0, MOST], [0.0, 5.0]])
def test_whole_numbers_that_fit(numbers: list[float]) -> None:
    actual = narrowed(np.array(numbers))
    assert actual.dtype == np.uint32
    assert actual.tolist() == numbers


@pytest.mark.parametrize("numbers", [[MOST + 1], [-1], [0.5, 2.0]])
def test_others_are_real(numbers: list[float]) -> None:
    actual = narrowed(np.array(numbers))
    assert actual.dtype == np.float64
    assert actual.tolist() == numbers
