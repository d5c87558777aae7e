"""The radar chart's geometry and contents."""

from __future__ import annotations

import math

import pytest

from pomp_clang.analysis.job import over_processes
from pomp_clang.report.charts.overhead_charts import RADIUS, RadarLine, radar, radar_of
from pomp_clang.report.job_facts import named_regions
from tests.jobs import job


def distances(line: RadarLine) -> list[float]:
    points = [tuple(map(float, point.split(","))) for point in line.points.split()]
    return [math.hypot(*point) / RADIUS for point in points]


def test_values_are_shares_of_the_most_clockwise_from_the_top() -> None:
    (line,) = radar("process", list("0123"), [("a", [2.0, 4.0, 1.0, 0.0])]).lines
    assert line.points == "0,-80 160,0 0,40 0,0"
    assert line.maximum == "4.00 s"


def test_the_longest_regions_and_mpi() -> None:
    job_profile = job(8)
    drawn = radar_of(job_profile, named_regions(job_profile))
    assert [line.name for line in drawn.lines] == [
        "R00002 parallel solve.c:10-60",
        "R00003 for solve.c:12-30",
        "R00004 critical (sum) solve.c:20-24",
        "MPI",
    ]
    assert drawn.unit == "process"
    loop = distances(drawn.lines[1])
    assert loop.index(max(loop)) == 3
    mpi = distances(drawn.lines[-1])
    assert mpi.index(min(mpi)) == 3
    assert min(mpi) == pytest.approx(1.995 / 3.9, abs=0.01)


def test_two_processes_have_their_threads_side_by_side() -> None:
    two = job(2)
    drawn = radar_of(two, named_regions(two))
    labels = [spoke.label for spoke in drawn.spokes]
    assert (drawn.unit, labels) == (
        "thread",
        [f"{rank}.{tid}" for rank in (0, 1) for tid in range(4)],
    )
    mpi = distances(drawn.lines[-1])
    assert [n for n, share in enumerate(mpi) if share > 0.9] == [0, 4]


def test_a_lone_process_has_its_threads_side_by_side() -> None:
    alone = over_processes([job(2).processes[1]], ())
    drawn = radar_of(alone, named_regions(alone))
    assert (drawn.unit, len(drawn.spokes)) == ("thread", 4)
    assert distances(drawn.lines[-1]) == [1.0, 0.0, 0.0, 0.0]


@pytest.mark.parametrize("size", [1, 24, 25, 300, 1000])
def test_labels_keep_apart(size: int) -> None:
    spokes = radar("process", [str(n) for n in range(size)], []).spokes
    labelled = [n for n, spoke in enumerate(spokes) if spoke.label]
    assert labelled[0] == 0
    assert len(labelled) <= 24
    gaps = [b - a for a, b in zip(labelled, [*labelled[1:], size], strict=True)]
    assert min(gaps) >= size // 25
