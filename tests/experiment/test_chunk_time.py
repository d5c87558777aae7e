"""The time to get chunks, which is a sample, beside the time in the loop, which is exact."""

from __future__ import annotations

import pytest

from pomp_clang.experiment.layout import COLUMNS, Column
from pomp_clang.experiment.open_regions import limit_chunk_time


@pytest.mark.parametrize(("sampled", "expected"), [(300, 300), (980, 940), (0, 0)])
def test_it_is_within_the_loop(sampled: int, expected: int) -> None:
    row = [0] * COLUMNS
    row[Column.EXEC_T], row[Column.EXIT_BAR_T] = 1000, 30
    row[Column.STARTUP_T], row[Column.SHUTDWN_T] = 20, 10
    row[Column.CHUNK_T] = sampled
    limit_chunk_time(row)
    assert row[Column.CHUNK_T] == expected
