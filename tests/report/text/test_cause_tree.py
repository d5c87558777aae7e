"""The tree of a trace's properties: its order, titles and width."""

from __future__ import annotations

import numpy as np

from pomp_clang.causes.cube.cube import Cube, CubeMetric
from pomp_clang.causes.timeline.places import Place, Thread
from pomp_clang.report.terminal import Terminal
from pomp_clang.report.text.causes import tree

METRICS = (
    CubeMetric(-1, "Time", "s"),
    CubeMetric(0, "Execution", "s"),
    CubeMetric(0, "Overhead", "s"),
    CubeMetric(1, "OpenMP", "s"),
    CubeMetric(3, "Synchronization", "s"),
    CubeMetric(4, "Barrier", "s"),
    CubeMetric(5, "Implicit", "s"),
    CubeMetric(6, "Wait at Barrier", "s", remedy="BALANCE"),
)


def _lines(width: int) -> list[str]:
    values = np.array([10.0, 9.0, 1.0, 4.0, 4.0, 4.0, 4.0, 4.0])
    rows = np.arange(len(METRICS), dtype=np.uint32)
    zeros = np.zeros(len(METRICS), np.uint32)
    threads = (Thread("", "node", 0, 0),)
    paths = (Place(-1, "program", "app"),)
    cube = Cube("app", 10.0, METRICS, paths, threads, rows, zeros, zeros, values)
    return list(tree(cube, Terminal(width=width)))


def test_each_property_stands_before_its_parts_with_a_finding_s_title() -> None:
    titles = [line.split("  ")[0] for line in (line.strip() for line in _lines(80)[1:])]
    assert titles == [
        "Time", "Execution", "Computing", "OpenMP", "Synchronization", "Barriers",
        "Barriers at the end of constructs", "Wait at the end of a construct",
        "Cost of the measurement",
    ]  # fmt: skip


def test_the_figures_stand_in_one_column_on_a_narrow_terminal() -> None:
    lines = _lines(80)[1:]
    assert len({line.index(" %") for line in lines}) == 1
    assert max(map(len, lines)) <= 80
