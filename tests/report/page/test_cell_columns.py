"""Cells as the page carries them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from pomp_clang.causes.cube.cube import CubeMetric
from pomp_clang.report.page.packed_columns import columns_of, planes, rounded
from tests.report.page.cubes import LATE, METRICS, SMALL, TIME, WAIT, cube_of


def test_what_is_the_sum_of_its_parts_has_no_cells() -> None:
    cube = cube_of({(LATE, 1, 0): 0.1, (LATE, 2, 1): 0.7, (WAIT, 2, 1): 0.3})
    assert len(cube.value) == 6
    columns = columns_of(cube)
    assert columns.starts.tolist() == [0, 0, 1, 3, 3, 3]
    assert columns.path.tolist() == [2, 1, 2] and columns.thread.tolist() == [1, 0, 1]
    assert columns.value == pytest.approx([0.3, 0.1, 0.7], rel=1e-10)


def test_a_part_with_another_unit_is_not_taken_off() -> None:
    metrics = (*METRICS[:1], CubeMetric(TIME, "Rate", "1/s"))
    cube = replace(cube_of({(TIME, 0, 0): 2.0}), metrics=metrics)
    cube = replace(
        cube,
        metric=np.array([0, 1], np.uint32),
        path=np.zeros(2, np.uint32),
        thread=np.zeros(2, np.uint32),
        value=np.array([2.0, 5.0]),
    )
    assert columns_of(cube).value.tolist() == [2.0, 5.0]


def test_sums_are_kept() -> None:
    columns = columns_of(SMALL)
    assert columns.value.sum() == pytest.approx(SMALL.totals()[[TIME, 4]].sum(), rel=1e-10)


def test_values_are_rounded_to_eleven_digits_and_counts_are_exact() -> None:
    values = np.array([1 / 3, -1e-9 / 7, 1e30 / 3, 0.0])
    assert rounded(values) == pytest.approx(values, rel=1e-11)
    counts = np.array([1.0, 3.0, 2.0**36 - 1, 123456789.0])
    assert rounded(counts).tolist() == counts.tolist()


def test_bytes_of_one_kind_are_together() -> None:
    assert planes(np.array([1, 0x0203], np.uint32)) == bytes([1, 3, 0, 2, 0, 0, 0, 0])
    assert planes(np.zeros(0, np.float64)) == b""
