"""A line over the number of threads."""

from __future__ import annotations

import pytest

from pomp_clang.report.html.scale import HEIGHT, WIDTH, plot


def test_axes_begin_at_nothing_and_end_at_a_round_number() -> None:
    drawn = plot("Speed-up", [(1, 1.0), (4, 3.2)], [(1, 1.0), (4, 4.0)])
    assert [t.label for t in drawn.y_ticks] == ["0", "1", "2", "3", "4"]
    assert [t.label for t in drawn.x_ticks] == ["1", "4"]
    assert (drawn.y_ticks[0].at, drawn.y_ticks[-1].at) == (drawn.bottom, drawn.top)
    assert (drawn.x_ticks[0].at, drawn.x_ticks[-1].at) == (drawn.left, drawn.right)
    assert drawn.ideal.split()[-1] == f"{float(drawn.right)},{float(drawn.top)}"
    assert drawn.dots[1][2] == "3.20 with 4 threads"


@pytest.mark.parametrize("most", [0.0, 0.3, 1.0, 7.0, 23.0, 256.0])
def test_all_points_are_inside(most: float) -> None:
    drawn = plot("", [(1, most), (2, most / 2), (64, most / 3)], [(1, 0.0)])
    for x, y, _ in drawn.dots:
        assert 0 <= x <= WIDTH and 0 <= y <= HEIGHT
    assert 2 <= len(drawn.y_ticks) <= 7


def test_labels_have_room_and_one_number_of_threads_is_in_the_middle() -> None:
    points = [(n, 1.0) for n in (1, 2, 4, 8, 16, 32, 64)]
    assert [t.label for t in plot("", points, points).x_ticks] == ["1", "8", "16", "32", "64"]
    (tick,) = plot("", [(4, 1.0)], [(4, 1.0)]).x_ticks
    assert 0 < tick.at < WIDTH


def test_the_line_leads_through_the_best_of_several_runs() -> None:
    drawn = plot("", [(1, 1.0), (2, 1.5), (2, 2.0), (2, 1.2)], [(1, 1.0)])
    assert len(drawn.dots) == 4
    highest = min(drawn.dots[1:], key=lambda dot: dot[1])
    assert drawn.line.split() == [f"{x},{y}" for x, y, _ in (drawn.dots[0], highest)]
