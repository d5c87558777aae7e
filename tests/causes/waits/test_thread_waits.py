"""Which location ends a wait: that with the newest moment, as a plain search says."""

from __future__ import annotations

import numpy as np
import pytest

from pomp_clang.causes.waits.thread_waits import Moments

Row = tuple[int, int, int, int]


def newest(moments: list[list[int]], location: int, waits: list[tuple[int, int]]) -> list[Row]:
    columns = [np.array(times, np.int64) for times in moments]
    begin, end = np.array(waits, np.int64).reshape(-1, 2).T
    columns_of_waits = Moments(columns).newest(location, begin, end)
    return list(zip(*(column.tolist() for column in columns_of_waits), strict=True))


def searched(moments: list[list[int]], location: int, waits: list[tuple[int, int]]) -> list[Row]:
    others = [
        (time, -other) for other, times in enumerate(moments) for time in times if other != location
    ]
    rows = []
    for begin, end in waits:
        known = [moment for moment in others if begin < moment[0] <= end]
        if known:
            time, other = max(known)
            rows.append((begin, end, -other, time))
    return rows


@pytest.mark.parametrize("seed", range(20))
def test_newest_moment_of_another_location_ends_a_wait(seed: int) -> None:
    dice = np.random.default_rng(seed)
    moments = [
        np.sort(dice.integers(0, 40, int(dice.integers(0, 12)))).tolist()
        for _ in range(int(dice.integers(1, 5)))
    ]
    waits = [(int(begin), int(begin + dice.integers(0, 9))) for begin in dice.integers(0, 40, 30)]
    location = int(dice.integers(0, len(moments)))
    assert newest(moments, location, waits) == searched(moments, location, waits)
