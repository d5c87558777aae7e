"""In which order the points of several courses are gone through: small columns, worked out by hand."""

from __future__ import annotations

import numpy as np
import pytest

from pomp_clang.causes.run.points import Point
from pomp_clang.causes.waits.wait_graph import turns_of

GIVES, NEEDS = Point.ARRIVE, Point.PASS
Points = list[tuple[int, Point]]


def turns(*courses: Points) -> list[int]:
    after = np.array([time for course in courses for time, _ in course], np.int64)
    kind = np.array([kind for course in courses for _, kind in course], np.uint8)
    return turns_of(after, kind, np.cumsum([0, *map(len, courses)])).tolist()


@pytest.mark.parametrize(
    ("courses", "found"),
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
    courses: list[Points], found: list[int]
) -> None:
    assert turns(*courses) == found


def test_of_many_courses_as_sorting_them_all_has_them() -> None:
    """At the same moment a point of each course comes before the next one of any."""
    random = np.random.default_rng(5)
    courses: list[Points] = [
        [(int(time), GIVES) for time in np.sort(random.integers(0, 50, count))]
        for count in random.integers(0, 40, 17)
    ]
    rows = []
    for course, points in enumerate(courses):
        times = [time for time, _ in points]
        rows += [(time, row - times.index(time), course) for row, time in enumerate(times)]
    assert turns(*courses) == [course for _, _, course in sorted(rows)]
