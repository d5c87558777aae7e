"""Columns of durations are as narrow as their values permit."""

from __future__ import annotations

import numpy as np
import pytest

from pomp_clang.causes.timeline.columns import narrowed

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
