"""Cubes merged, compared and cut."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from pomp_clang.causes.cube.algebra import aligned, cut, difference, merge
from pomp_clang.causes.cube.cube import Cube
from pomp_clang.causes.timeline.places import Place
from tests.causes.cube.test_store import CUBE, same

LONGER = replace(
    CUBE,
    duration=4.0,
    paths=(Place(-1, "program", "app2"), Place(0, "for", "", "b.c", 5), Place(0, "parallel", "", "ä.c", 3, True)),
    path=np.array([0, 2, 2], np.uint32),
    value=np.array([1.0, 5.0, 0.25]),
)  # fmt: skip


def values(cube: Cube) -> dict[tuple[str, int, tuple[int, int]], float]:
    rows = zip(cube.metric, cube.path, cube.thread, cube.value, strict=True)
    return {
        (cube.metrics[m].name, cube.paths[p].line, (cube.threads[t].process, cube.threads[t].thread)): float(v)
        for m, p, t, v in rows
    }  # fmt: skip


def test_merged_are_processes_side_by_side() -> None:
    merged = merge([CUBE, LONGER])
    assert merged.duration == 4 and len(merged.threads) == 4 and len(merged.paths) == 3
    assert values(merged) == {
        ("Time", 0, (0, 0)): 1, ("Time", 3, (0, 1)): 2, ("Execution", 3, (0, 1)): 0.5,
        ("Time", 0, (1, 0)): 1, ("Time", 3, (1, 1)): 5, ("Execution", 3, (1, 1)): 0.25,
    }  # fmt: skip


def test_one_merged_is_itself() -> None:
    assert same(merge([CUBE]), CUBE)


def test_a_difference_is_the_second_beyond_the_first() -> None:
    assert values(difference(CUBE, LONGER)) == {
        ("Time", 3, (0, 1)): 3, ("Execution", 3, (0, 1)): -0.25,
    }  # fmt: skip
    assert difference(CUBE, LONGER).duration == 1.5
    assert not values(difference(CUBE, CUBE))


def test_aligned_have_their_values_in_the_same_rows() -> None:
    first, second = aligned(CUBE, LONGER)
    assert first.paths == second.paths and first.threads == second.threads
    assert values(first) == values(CUBE)
    assert values(second) == values(LONGER)
    assert (first.duration, second.duration) == (2.5, 4.0)


def test_metrics_with_other_texts_are_aligned() -> None:
    """A cube that was saved earlier has the words of its time."""
    worded = replace(CUBE.metrics[1], description="Other words.", advice="Other advice.")
    earlier = replace(CUBE, metrics=(CUBE.metrics[0], worded))
    first, second = aligned(earlier, CUBE)
    assert len(first.metrics) == len(second.metrics) == 2
    assert not values(difference(earlier, CUBE))


def test_cut_to_a_metric_a_path_or_a_thread() -> None:
    assert values(cut(CUBE, metrics=[1])) == {("Execution", 3, (0, 1)): 0.5}
    assert values(cut(CUBE, metrics=[0])) == values(CUBE)
    assert values(cut(CUBE, paths=[1])) == {("Time", 3, (0, 1)): 2, ("Execution", 3, (0, 1)): 0.5}
    assert values(cut(CUBE, threads=[0])) == {("Time", 0, (0, 0)): 1}
