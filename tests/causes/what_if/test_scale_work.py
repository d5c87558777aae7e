"""Work that is taken away or shared out anew: small columns, worked out by hand."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from pomp_clang.causes.run.points import Point
from pomp_clang.causes.timeline.activity import Activity
from pomp_clang.causes.timeline.interval_kernel import TimelineIntervals
from pomp_clang.causes.what_if.scale_work import (
    ActivityFilter,
    CoursePoints,
    scale,
    spare,
    spare_doing,
)

AFTER = np.array([10, 20, 30])


def pieces(*pairs: tuple[int, int]) -> tuple[np.ndarray, np.ndarray]:
    begin, end = np.array(pairs, np.int64).reshape(-1, 2).T
    return begin, end


def test_work_is_less_by_its_part_of_the_pieces() -> None:
    """The second point is reached after 5 ticks of work, and waits from 15 to 20."""
    work = np.array([10.0, 5, 0])
    rest = spare(AFTER, work, 0, pieces((2, 4), (12, 18), (25, 40)), 0.5)
    assert work.tolist() == [9, 3.5, 0]
    assert rest == 5


def test_a_piece_over_several_points_is_taken_from_each() -> None:
    work = np.array([10.0, 10, 10])
    assert spare(AFTER, work, 0, pieces((8, 23)), 1) == 0
    assert work.tolist() == [8, 0, 7]


def test_what_is_spared_without_a_point_is_after_the_last() -> None:
    assert spare(AFTER[:0], np.zeros(0), 5, pieces((0, 7), (9, 10)), 1) == 3


def test_nothing_is_spared_without_pieces() -> None:
    work = np.array([10.0, 10, 10])
    assert spare(AFTER, work, 0, pieces(), 1) == 0
    assert work.tolist() == [10, 10, 10]


@pytest.mark.parametrize(("since", "until"), [([0, 2], [2, 3]), ([2], [2])])
def test_a_span_is_from_behind_a_row_to_another(since: list[int], until: list[int]) -> None:
    spans = np.array(since), np.array(until)
    work = np.array([1.0, 2, 3, 4])
    twice = work.copy()
    for begin, end in zip(since, until, strict=True):
        twice[begin + 1 : end + 1] *= 2
    changed = work.copy()
    scale(work, *spans, np.full(len(since), 2.0), changed)
    assert changed.tolist() == twice.tolist()
    assert work.tolist() == [1, 2, 3, 4]


def test_whole_numbers_are_scaled_as_real_ones() -> None:
    spans, work = (np.array([0]), np.array([2])), np.array([1, 2, 2**32 - 1], np.uint32)
    changed = work.astype(np.float64)
    scale(work, *spans, np.array([0.5]), changed)
    assert changed.tolist() == [1, 1, (2**32 - 1) / 2]


def test_what_is_done_somewhere_is_taken_from_the_work() -> None:
    """The intervals begin at 2, 12, 18 and 25; those from 2 to 12 and from 25 to 40 compute at call
    path 1. The awaited event from 20 on comes at 30."""
    line = TimelineIntervals(
        np.array([0, 2, 12, 18, 25]),
        np.array([0, 1, 1, 2, 1], np.uint16),
        np.array([Activity.COMPUTE] * 2 + [Activity.LOCK] + [Activity.COMPUTE] * 2, np.uint8),
        40,
    )
    is_computing = (np.arange(256) == Activity.COMPUTE).astype(np.uint8)
    kind = np.array([Point.ARRIVE, Point.WAITED, Point.WAITED], np.uint8)
    points = CoursePoints(AFTER, kind, np.array([10.0, 10, 6]), np.zeros(3, np.bool_))
    doing = ActivityFilter(is_computing, np.array([False, True, False]), True)
    assert spare_doing(points, 0, line, doing, [0.5]) == [5]
    assert points.work.tolist() == [6, 9, 5.5]
    assert points.is_free.tolist() == [False, False, True]


@pytest.mark.parametrize("seed", range(20))
def test_several_changes_at_once_are_those_of_one_after_the_other(seed: int) -> None:
    dice = np.random.default_rng(seed)
    begin, after = (np.sort(dice.choice(200, 20, replace=False)) for _ in range(2))
    line = TimelineIntervals(
        begin, dice.choice(2, 20).astype(np.uint16), dice.choice(4, 20).astype(np.uint8), 210
    )
    recorded = np.asarray(dice.choice(10, 20) * 1.5, np.float64)
    kind = dice.choice([Point.ARRIVE, Point.WAITED], 20).astype(np.uint8)
    is_here, parts = np.array([False, True]), dice.random(3)
    group = np.arange(256) * (np.arange(256) < 4)

    def changed(group: Any, parts: list[float]) -> tuple[CoursePoints, list[float]]:
        points = CoursePoints(after, kind, recorded.copy(), np.zeros(20, np.bool_))
        doing = ActivityFilter(group.astype(np.uint8), is_here, True)
        return points, spare_doing(points, 0, line, doing, parts)

    points, tails = changed(group, parts.tolist())
    separate = [changed(group == number + 1, [part]) for number, part in enumerate(parts)]
    expected = recorded.copy()
    for alone, _ in separate:
        expected += alone.work - recorded
    assert points.work.tolist() == np.maximum(0, expected).tolist()
    assert tails == [tail for _, (tail,) in separate]
    is_free = np.any([alone.is_free for alone, _ in separate], axis=0)
    assert points.is_free.tolist() == is_free.tolist()


@pytest.mark.parametrize("is_known_to_be_in_order", [True, False])
@pytest.mark.parametrize("seed", range(20))
def test_work_is_taken_away_as_added_up_by_hand(seed: int, is_known_to_be_in_order: bool) -> None:
    dice = np.random.default_rng(seed)
    begin, after = (np.sort(dice.choice(60, 20)) for _ in range(2))
    ends = np.append(begin[1:], 70)
    path, doing = dice.choice(2, 20).astype(np.uint16), dice.choice(2, 20).astype(np.uint8)
    before = np.append(0, after[:-1])
    recorded = np.minimum(dice.choice(10, 20), after - before).astype(np.float64)
    points = CoursePoints(
        after, np.full(20, Point.ARRIVE, np.uint8), recorded.copy(), np.zeros(20, np.bool_)
    )
    group = (np.arange(256) == 1).astype(np.uint8)
    counting = ActivityFilter(group, np.array([False, True]), is_known_to_be_in_order)
    (tail,) = spare_doing(points, 0, TimelineIntervals(begin, path, doing, 70), counting, [0.5])
    rows = np.flatnonzero((path == 1) & (doing == 1))

    def ticks(since: int, until: int) -> int:
        parts = np.minimum(ends[rows], until) - np.maximum(begin[rows], since)
        return int(np.maximum(0, parts).sum())

    spared = [ticks(since, since + int(work)) for since, work in zip(before, recorded, strict=True)]
    assert points.work.tolist() == (recorded - 0.5 * np.array(spared)).tolist()
    assert tail == 0.5 * ticks(int(after[-1]), 70)
