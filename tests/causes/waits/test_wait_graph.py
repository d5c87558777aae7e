"""In which order the points of several locations are gone through: small columns, worked out by hand."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from pomp_clang.causes.run.points import Point, PointRows, merged
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


def point_rows(dice: np.random.Generator, kind: Point, is_sorted: bool) -> PointRows:
    """Return some points with few moments, so that many are at the same one."""
    count = int(dice.integers(1, 30))
    after, place = dice.integers(10, 30, count), dice.integers(-1, 3, count).astype(np.int32)
    if is_sorted:
        order = np.lexsort((place, after))
        after, place = after[order], place[order]
    objects, path = dice.integers(0, 9, count), dice.integers(0, 5, count)
    before = after if dice.random() < 0.5 else after - dice.integers(0, 4, count)
    lag = np.broadcast_to(np.int8(0), count) if dice.random() < 0.5 else dice.random(count)
    return PointRows(kind, objects, path, before, after, lag, place)


@pytest.mark.parametrize("seed", range(40))
def test_points_are_merged_as_sorting_them_all_has_them(seed: int) -> None:
    dice = np.random.default_rng(seed)
    kinds = [Point(int(kind)) for kind in dice.integers(0, 8, dice.integers(1, 6))]
    point_tables = [point_rows(dice, kind, seed % 2 == 0) for kind in kinds]
    places = [
        (int(rows.after[row]), 2 * int(rows.place[row]) + (rows.kind >= Point.BEGIN), number, row)
        for number, rows in enumerate(point_tables)
        for row in range(len(rows.after))
    ]
    expected = sorted(places, key=lambda place: place[:2])
    count = len(expected)
    columns: dict[str, Any] = {
        "kind": np.empty(count, np.uint8), "object": np.empty(count, np.int32),
        "path": np.empty(count, np.uint16), "after": np.empty(count, np.int64),
        "work": np.empty(count, np.uint32), "lag": np.empty(count, np.uint32),
    }  # fmt: skip
    for name in merged(point_tables, 5, columns):
        columns[name] = np.empty(count)
    assert merged(point_tables, 5, columns) == []
    last = 5
    for at, (time, _, number, row) in enumerate(expected):
        rows = point_tables[number]
        work = 0 if rows.kind in (Point.BEGIN, Point.PASS) else max(0, int(rows.before[row]) - last)
        actual = {name: column[at].item() for name, column in columns.items()}
        assert actual == {
            "kind": rows.kind, "object": rows.object[row], "path": rows.path[row], "after": time,
            "work": work, "lag": rows.lag[row],
        }  # fmt: skip
        last = time
