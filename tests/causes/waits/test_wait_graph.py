"""In which order the points of several locations are gone through: small columns, worked out by hand."""

from __future__ import annotations

import numpy as np
import pytest

from pomp_clang.causes.run.points import Point
from pomp_clang.causes.waits.wait_graph import turns_of

GIVES, NEEDS = Point.ARRIVE, Point.PASS
Points = list[tuple[int, Point]]


def turns(*locations: Points) -> list[int]:
    after = np.array([time for location in locations for time, _ in location], np.int64)
    kind = np.array([kind for location in locations for _, kind in location], np.uint8)
    return turns_of(after, kind, np.cumsum([0, *map(len, locations)])).tolist()


@pytest.mark.parametrize(
    ("locations", "expected"),
    [
        ([[(1, GIVES), (4, GIVES)], [(2, GIVES), (3, GIVES)], [(5, GIVES)]], [0, 1, 1, 0, 2]),
        ([[(1, NEEDS)], [(1, GIVES)]], [1, 0]),
        ([[(1, GIVES)], [(1, GIVES)]], [0, 1]),
        ([[(1, GIVES), (1, NEEDS)], [(1, GIVES), (1, NEEDS)]], [0, 1, 0, 1]),
        ([[(1, NEEDS), (1, GIVES), (1, NEEDS)], [(0, GIVES), (1, NEEDS)]], [1, 0, 1, 0, 0]),
        ([[], [(1, GIVES)], []], [1]),
        ([], []),
    ],
)
def test_by_time_and_at_the_same_moment_those_that_give_first(
    locations: list[Points], expected: list[int]
) -> None:
    assert turns(*locations) == expected


def test_of_many_locations_as_sorting_them_all_has_them() -> None:
    """At the same moment a point of each location comes before the next one of any."""
    random = np.random.default_rng(5)
    locations: list[Points] = [
        [(int(time), GIVES) for time in np.sort(random.integers(0, 50, count))]
        for count in random.integers(0, 40, 17)
    ]
    rows = []
    for location, points in enumerate(locations):
        times = [time for time, _ in points]
        rows += [(time, row - times.index(time), location) for row, time in enumerate(times)]
    assert turns(*locations) == [location for _, _, location in sorted(rows)]
