"""Findings of a trace that have one cause are one finding; in constructed cubes."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from pomp_clang.analysis.overheads.off_processor import ProcessorUse, ProcessorWaits
from pomp_clang.causes.cube.cube import Cube, CubeMetric
from pomp_clang.causes.findings.finding import Finding, finding_title, full_advice, tasks_of
from pomp_clang.causes.findings.findings import findings
from pomp_clang.causes.properties.openmp import Fork
from pomp_clang.causes.remedies import RemedyPrediction
from pomp_clang.causes.timeline.places import Place, Thread
from pomp_clang.report.terminal import Terminal
from pomp_clang.report.text.cause_screen import worst_in_short

METRICS = (
    CubeMetric(-1, "Time", "s"),
    CubeMetric(0, "Execution", "s"),
    CubeMetric(1, "OpenMP", "s"),
    CubeMetric(2, "Implicit", "s"),
    CubeMetric(3, "Wait at Barrier", "s", remedy="BALANCE"),
    CubeMetric(3, "Barrier Completion", "s", remedy="COMPLETE"),
    CubeMetric(2, "Taskwait", "s", remedy="SKIP"),
    CubeMetric(2, "Task Creation", "s", remedy="SKIP"),
    CubeMetric(2, "Fork", "s", advice=Fork.advice, remedy="SKIP"),
    CubeMetric(2, "Join", "s", remedy="SKIP"),
    CubeMetric(2, "Critical", "s", remedy="SKIP"),
    CubeMetric(10, "Contention", "s", remedy="LET_IN"),
    CubeMetric(0, "Overhead", "s", remedy="SKIP"),
    CubeMetric(2, "Flush", "s", remedy="SKIP"),
    CubeMetric(2, "Chunks", "s", remedy="SKIP"),
    CubeMetric(1, "MPI", "s"),
    CubeMetric(15, "Late Sender", "s", "A sender is late.", remedy="BALANCE"),
    CubeMetric(-1, "Visits", "visits"),
)
ROWS = {metric.name: row for row, metric in enumerate(METRICS)}


def cube_of(paths: tuple[Place, ...], cells: dict[tuple[str, int], float]) -> Cube:
    """Return a cube of two threads with these severities, half on each thread; what is above a
    property in the tree contains it."""
    values: dict[tuple[int, int], float] = {}
    for (name, path), value in cells.items():
        row = ROWS[name]
        while row >= 0:
            values[row, path] = values.get((row, path), 0.0) + value
            row = METRICS[row].above
    keys = sorted((row, path, thread) for row, path in values for thread in (0, 1))
    metrics, places, numbers = (np.array(column, np.uint32) for column in zip(*keys, strict=True))
    halves = np.array([values[row, at] / 2 for row, at, _ in keys])
    threads = tuple(Thread("", "node", 0, number) for number in range(2))
    return Cube("app", 10.0, METRICS, paths, threads, metrics, places, numbers, halves)


def gain(finding: Finding, _: float) -> float:
    return finding.severity / 4


PROGRAM = Place(-1, "program", "app")


def test_the_price_of_a_barrier_contains_short_waits_in_it() -> None:
    paths = (PROGRAM, Place(0, "for", "", "a.c", 3))
    cells = {("Wait at Barrier", 1): 0.2, ("Barrier Completion", 1): 0.8, ("Visits", 1): 40_000.0}
    (finding,) = findings(cube_of(paths, cells), 10, gain)
    assert finding.severity == pytest.approx(1.0)
    assert finding.gain == pytest.approx(0.25), "the parts' gains add up"


def test_a_long_wait_is_no_price_of_a_barrier() -> None:
    paths = (PROGRAM, Place(0, "for", "", "a.c", 3))
    cells = {("Wait at Barrier", 1): 1.2, ("Barrier Completion", 1): 0.8, ("Visits", 1): 40_000.0}
    assert len(findings(cube_of(paths, cells))) == 2


def test_entering_a_critical_section_belongs_to_the_wait_for_it() -> None:
    paths = (PROGRAM, Place(0, "critical", "", "a.c", 1))
    cells = {("Contention", 1): 0.3, ("Critical", 1): 1.0, ("Visits", 1): 1000.0}
    (finding,) = findings(
        cube_of(paths, cells), 10, lambda one, _: 0.5 if one.metric == ROWS["Critical"] else 0.1
    )
    assert finding_title(cube_of(paths, cells), finding) == "Wait for a critical section"
    assert (finding.severity, finding.gain) == (pytest.approx(1.3), 0.5)
    assert finding.reason.endswith("entering and leaving takes 1.00 s. That is 1.00 ms each time.")


def test_a_remedy_of_all_parts_may_gain_more_than_each_part() -> None:
    paths = (PROGRAM, Place(0, "critical", "", "a.c", 1))
    cells = {("Contention", 1): 0.3, ("Critical", 1): 1.0, ("Visits", 1): 1000.0}
    predictions = (RemedyPrediction("a reduction in its place", 8.0, 10.0),)
    (finding,) = findings(cube_of(paths, cells), 10, gain, lambda _: predictions)
    assert finding.gain == 2.0


@pytest.mark.parametrize("parts", [("Fork", "Join"), ("Fork",)])
def test_a_region_that_runs_once_is_not_to_be_merged(parts: tuple[str, ...]) -> None:
    paths = (PROGRAM, Place(0, "parallel", "", "a.c", 1))
    cells = dict.fromkeys(((name, 1) for name in parts), 0.1)
    once = cube_of(paths, cells | {("Visits", 1): 2.0})
    often = cube_of(paths, cells | {("Visits", 1): 400.0})
    advice = [full_advice(cube, findings(cube)[0], None) for cube in (once, often)]
    assert "Merge" not in advice[0] and "Merge parallel regions" in advice[1]


def test_slow_starts_of_all_teams_are_one_finding_where_processors_lack() -> None:
    paths = (PROGRAM, *(Place(0, "parallel", "", "a.c", line) for line in range(1, 5)))
    cells = {("Fork", row): 1.0 for row in range(1, 5)}
    cube = cube_of(paths, cells | {("Visits", row): 200.0 for row in range(1, 5)})
    assert len(findings(cube)) == 4
    waits = ProcessorWaits(ProcessorUse.OVERSUBSCRIBED, 4.0, 8.0)
    (finding,) = findings(cube, processors=waits)
    assert finding.reason.startswith("Starting and ending 400 teams takes each thread 5.00 ms")


def test_many_small_regions_are_one_finding_with_their_number() -> None:
    paths = (PROGRAM, *(Place(0, "parallel", "", "a.c", line) for line in range(1, 13)))
    cells = {(name, row): 0.1 for name in ("Fork", "Join") for row in range(1, 13)}
    cells |= {("Visits", row): 20_000.0 for row in range(1, 13)}
    cube = cube_of(paths, cells)
    (finding,) = findings(cube, 3, gain)
    assert finding_title(cube, finding) == "Cost of starting and ending teams"
    assert finding.reason == (
        "Starting and ending 120,000 teams takes each thread 10.0 µs on average. The 12 parallel "
        "regions lose 2.40 s in total."
    )
    assert finding.gain == pytest.approx(2.4 / 4), "of the parts that were asked, in proportion"
    heads = [worst_in_short(cube, [finding], Terminal(width=width))[1] for width in (80, 100)]
    assert heads[0].endswith("Cost of starting and ending teams  12 places")
    assert heads[1].endswith("Cost of starting and ending teams  12 places, the worst a.c:1")


def test_a_wait_in_calls_from_many_lines_is_one_finding_unless_one_line_has_half_of_it() -> None:
    lines = (Place(0, "function", "MPI_Wait", "a.c", line) for line in range(1, 5))
    paths = (PROGRAM, *lines, Place(0, "function", "MPI_Recv", "a.c", 9))
    late = {("Late Sender", row): 1.0 for row in range(1, 6)}
    cube = cube_of(paths, late)
    finding, other = findings(cube, 10, gain)
    assert (finding.severity, finding.gain, len(finding.parts)) == (4.0, pytest.approx(1.0), 4)
    assert other.path == 5
    text = worst_in_short(cube, [finding], Terminal(width=100))[1]
    assert text.endswith("Late Sender  4 places, the worst a.c:1")
    one_dominates = cube_of(paths, {**late, ("Late Sender", 2): 3.0})
    assert [finding.path for finding in findings(one_dominates, 10, gain)] == [2, 1, 3, 4, 5]


def test_the_function_stands_for_the_line_of_a_call_that_is_not_known() -> None:
    callers = (Place(0, "function", "exchange"), Place(0, "parallel", "", "a.c", 1))
    calls = tuple(Place(row, "function", "MPI_Wait") for row in (1, 2))
    cube = cube_of((PROGRAM, *callers, *calls), {("Late Sender", 3): 2.0, ("Late Sender", 4): 1.0})
    text = worst_in_short(cube, findings(cube, 10, gain), Terminal(width=100))[1]
    assert text.endswith("Late Sender  MPI_Wait in exchange and 1 more")


def test_the_function_from_which_a_construct_is_reached_is_named() -> None:
    functions = (Place(0, "function", name, "a.cpp", 3) for name in ("Histogram", "Predict"))
    wrappers = (Place(row, "function", "ParallelFor", "par.h", 3) for row in (1, 2))
    loops = (Place(row, "for", "", "par.h", 4) for row in (3, 4))
    paths = (PROGRAM, *functions, *wrappers, *loops)
    cube = cube_of(paths, {("Wait at Barrier", 5): 2.0, ("Wait at Barrier", 6): 1.0})
    text = worst_in_short(cube, findings(cube, 10, gain), Terminal(width=100))[1]
    assert text.endswith("Wait at the end of a loop  for par.h:4  from Histogram")


def test_small_tasks_are_one_finding_with_the_waits_for_them() -> None:
    paths = (
        PROGRAM,
        Place(0, "single", "", "a.c", 1),
        Place(1, "task", "", "a.c", 2, task=True),
        Place(1, "taskwait", "", "a.c", 4),
    )
    cells = {
        ("Task Creation", 1): 1.0, ("Execution", 2): 0.1, ("Taskwait", 3): 0.5,
        ("Wait at Barrier", 1): 1.5, ("Visits", 2): 1_000_000.0, ("Visits", 3): 1.0,
    }  # fmt: skip
    cube = cube_of(paths, cells)
    (finding,) = findings(cube, 10, gain)
    assert finding_title(cube, finding) == "Cost of small tasks"
    assert full_advice(cube, finding, tasks_of(cube)).startswith("Make fewer and larger tasks")
    assert finding.severity == pytest.approx(3.0)
    assert finding.gain == pytest.approx(1.5 / 4), "what is gained at one part is gained at all"


def test_waits_at_a_single_are_put_to_the_taskwait_in_its_block() -> None:
    paths = (
        PROGRAM,
        Place(0, "single", "", "a.c", 1),
        Place(1, "task", "", "a.c", 2, task=True),
        Place(1, "taskwait", "", "a.c", 4),
    )
    cells = {
        ("Execution", 2): 2.0, ("Wait at Barrier", 1): 2.0, ("Visits", 2): 100.0,
        ("Visits", 3): 100.0, ("Execution", 1): 0.01,
    }  # fmt: skip
    cube = cube_of(paths, cells)
    (finding,) = findings(cube)
    assert (finding.path, finding_title(cube, finding)) == (3, "Wait for tasks")
    busy = cube_of(paths, {**cells, ("Execution", 1): 2.0})
    (other,) = findings(busy)
    assert (other.path, finding_title(busy, other)) == (1, "Wait at the end of a single")


@pytest.mark.parametrize(
    ("by_thread", "title"),
    [
        ((0.0, 30e6), "Wait in a loop with flush"),
        ((15e6, 15e6), "Cost of flushes"),
        ((5e6, 9e6), "Cost of flushes"),
        ((0.0, 1e6), "Cost of flushes"),
    ],
)
def test_flushes_in_a_loop_are_a_wait(by_thread: tuple[float, float], title: str) -> None:
    """One thread flushes millions of times a second, and the other one does not."""
    paths = (PROGRAM, Place(0, "flush", "", "a.c", 3))
    cube = cube_of(paths, {("Flush", 1): 0.5, ("Visits", 1): 2.0})
    is_visits = cube.metric == ROWS["Visits"]
    value = cube.value.copy()
    value[is_visits] = by_thread
    (finding,) = findings(replace(cube, value=value), 10, gain)
    assert finding_title(cube, finding) == title
    assert finding.reason.startswith("Threads flush 30,000,000 times") is (
        title == "Wait in a loop with flush"
    )


@pytest.mark.parametrize(("chunks", "number"), [(0.04, 0), (0.06, 1)])
def test_chunks_are_small_from_a_twentieth_of_the_loop_on(chunks: float, number: int) -> None:
    paths = (PROGRAM, Place(0, "for", "", "a.c", 3))
    cells = {("Chunks", 1): chunks, ("Execution", 1): 1.0 - chunks, ("Visits", 1): 2.0}
    assert len(findings(cube_of(paths, cells), 10, gain)) == number


def test_the_cost_of_the_measurement_is_no_finding() -> None:
    assert not findings(cube_of((PROGRAM,), {("Overhead", 0): 5.0}))
