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

from pomp_clang.causes.timeline.columns import are_among, distinct, firsts, narrowed, numbered


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
