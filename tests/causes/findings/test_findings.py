"""The rank of findings: severity and predicted gain count together. There is one finding for a
statement that several call paths reach; title and advice are as in a profile.
"""

from __future__ import annotations

import numpy as np

from pomp_clang.analysis.overheads.off_processor import ProcessorUse, ProcessorWaits
from pomp_clang.analysis.property_texts import WAIT_AT_BARRIER, WAIT_FOR_TASKS
from pomp_clang.analysis.task_size import TaskEvidence, TaskSize
from pomp_clang.causes.cube.cube import Cube, CubeMetric
from pomp_clang.causes.findings.finding import (
    Finding,
    advice_of,
    full_advice,
    tasks_of,
    title_of,
)
from pomp_clang.causes.findings.findings import findings
from pomp_clang.causes.properties.openmp import ImplicitWait, Taskwait
from pomp_clang.causes.timeline.places import Place, Thread

SEVERITIES = {"tiny": 0.001, "hidden": 1.5, "unknown": 1.4, "useful": 1.0, "small": 0.02}
"""Seconds of two threads, of a program that takes ten."""

GAINS = {"tiny": 1e-8, "hidden": 0.0, "unknown": None, "useful": 0.5, "small": 0.01}


def cube_with(severities: dict[str, float]) -> Cube:
    """Return a cube of one property, with a call path for each severity, on the second thread."""
    places = (Place(0, "function", name, "app.c", 1) for name in severities)
    values = np.array(list(severities.values()))
    rows = np.arange(1, len(values) + 1, dtype=np.uint32)
    none = np.zeros(len(values), np.uint32)
    return Cube(
        "app",
        10.0,
        (CubeMetric(-1, "Wait", "s", remedy="SKIP"),),
        (Place(-1, "program", "app"), *places),
        (Thread("", "node", 0, 0), Thread("", "node", 0, 1)),
        none,
        rows,
        none + 1,
        values,
    )


def names(cube: Cube, findings: list[Finding]) -> list[str]:
    return [cube.paths[finding.path].name for finding in findings]


def ranked(most: int | None = None) -> list[str]:
    cube = cube_with(SEVERITIES)

    def gain(finding: Finding, _: float) -> float | None:
        return GAINS[cube.paths[finding.path].name]

    return names(cube, findings(cube, most, gain))


def test_an_unknown_gain_counts_as_the_severity_of_a_thread() -> None:
    assert ranked() == ["unknown", "useful", "hidden", "small", "tiny"]


def test_a_cause_without_gain_stays_before_a_negligible_gain() -> None:
    assert ranked(3) == ["unknown", "useful", "hidden"]


def predicted(most: int, least: float = 0.0) -> set[str]:
    """Return the names of the findings whose gain is predicted."""
    cube = cube_with(SEVERITIES)
    questions = set()

    def gain(finding: Finding, _: float) -> float | None:
        questions.add(cube.paths[finding.path].name)
        return GAINS[cube.paths[finding.path].name]

    findings(cube, most, gain, least=least)
    return questions


def test_a_finding_behind_the_first_ones_in_any_case_is_not_predicted() -> None:
    assert predicted(2) == {"hidden", "unknown", "useful"}


def test_a_finding_too_small_to_be_shown_is_not_predicted() -> None:
    assert predicted(5) == SEVERITIES.keys()
    assert predicted(5, 0.0019) == SEVERITIES.keys() - {"tiny"}
    assert predicted(5, 0.0021) == SEVERITIES.keys() - {"tiny", "small"}


def test_without_predictions_severity_ranks() -> None:
    cube = cube_with(SEVERITIES)
    assert names(cube, findings(cube)) == ["hidden", "unknown", "useful", "small", "tiny"]


def test_of_findings_that_are_worth_as_much_the_order_is_that_of_the_cube() -> None:
    cube = cube_with({"second": 1.0, "first": 1.0})
    assert names(cube, findings(cube, None, lambda *_: 0.0)) == ["second", "first"]


METRICS = (
    CubeMetric(-1, "Time", "s"),
    CubeMetric(0, "Execution", "s"),
    CubeMetric(1, "OpenMP", "s"),
    CubeMetric(2, "Taskwait", "s", advice=Taskwait.advice, remedy="SKIP"),
    CubeMetric(2, "Task Creation", "s"),
    CubeMetric(-1, "Visits", "visits"),
)
PATHS = (
    Place(-1, "program", "sort"),
    Place(0, "task", "", "sort.c", 380, task=True),
    Place(1, "taskwait", "", "sort.c", 392),
    Place(0, "task", "", "sort.c", 388, task=True),
    Place(3, "taskwait", "", "sort.c", 392),
)
"""Two tasks that wait in the same statement."""


def sort(tasks: float, work: float) -> Cube:
    """Return a cube of tasks, each with that many seconds of work and creations of 1 us."""
    waits = 1.0 + 0.5
    rows = [
        (1, 1, tasks * work), (1, 2, 1.0), (1, 4, 0.5), (2, 2, 1.0), (2, 4, 0.5),
        (3, 2, 1.0), (3, 4, 0.5), (4, 0, tasks * 1e-6), (5, 1, tasks),
    ]  # fmt: skip
    assert waits == sum(value for metric, _, value in rows if metric == 3)
    metric, path, value = (np.array(column) for column in zip(*rows, strict=True))
    threads = tuple(Thread("", "node", 0, number) for number in range(2))
    numbers = np.uint32
    return Cube(
        "sort", 10.0, METRICS, PATHS, threads,
        metric.astype(numbers), path.astype(numbers), np.zeros(len(rows), numbers), value,
    )  # fmt: skip


def test_a_statement_that_two_paths_reach_is_one_finding_with_both() -> None:
    (finding,) = findings(sort(1000, 1e-3))
    assert finding.path == 2 and finding.severity == 1.5
    assert finding.paths == ((2, 1.0), (4, 0.5))
    assert title_of(sort(1000, 1e-3), finding.metric, finding.path) == "Wait for tasks"


def test_the_advice_fits_the_size_of_the_tasks() -> None:
    sizes = {
        TaskSize.SMALL: sort(1000, 1e-6), TaskSize.FITTING: sort(1000, 1e-3),
        TaskSize.LARGE: sort(2, 1.0),
    }  # fmt: skip
    advice = {}
    for size, cube in sizes.items():
        tasks = tasks_of(cube)
        assert tasks is not None and tasks.size is size
        advice[size] = advice_of(cube, 3, [2], tasks)
    assert advice[TaskSize.SMALL].startswith("Make fewer and larger tasks")
    assert advice[TaskSize.LARGE].startswith("Make more and smaller tasks")
    assert advice[TaskSize.FITTING] == Taskwait.advice


def test_the_work_of_a_task_excludes_its_waits() -> None:
    tasks = tasks_of(sort(1000, 1e-3))
    assert tasks == TaskEvidence(1000, 1e-3, 1e-6, 2)


def of_loop(*work: float, chunks: float = 0.0) -> str:
    """Return the advice for a wait of 1 s at the end of a loop with this work on its threads, and with
    seconds in which it gets chunks."""
    metrics = (
        CubeMetric(-1, "Time", "s"),
        CubeMetric(0, "Execution", "s"),
        CubeMetric(1, "OpenMP", "s"),
        CubeMetric(2, "Wait at Barrier", "s", advice=ImplicitWait.advice, remedy="BALANCE"),
        CubeMetric(-1, "Visits", "visits"),
        CubeMetric(1, "Chunks", "s"),
    )
    paths = (Place(-1, "program", "app"), Place(0, "for", "", "a.c", 3))
    rows = [
        (1, 0, work[0]), (1, 1, work[1] + 1.0), (2, 1, 1.0), (3, 1, 1.0), (4, 0, 1), (4, 1, 1),
        (5, 0, chunks),
    ]  # fmt: skip
    metric, thread, value = (np.array(column) for column in zip(*rows, strict=True))
    threads, numbers = tuple(Thread("", "node", 0, number) for number in range(2)), np.uint32
    cube = Cube(
        "app", 10.0, metrics, paths, threads,
        metric.astype(numbers), np.ones(len(rows), numbers), thread.astype(numbers), value,
    )  # fmt: skip
    return advice_of(cube, 3, [1], None)


def test_another_schedule_is_the_advice_where_work_is_uneven() -> None:
    assert "schedule(dynamic)" in of_loop(2.0, 1.0)
    assert "schedule" not in of_loop(2.0, 2.0)
    assert of_loop(2.0, 1.0, chunks=0.1).startswith("Try a smaller chunk size")


def test_the_end_of_a_wait_saves_no_more_than_the_wait() -> None:
    (finding,) = findings(sort(1000, 1e-3), gain=lambda _, __: 99.0)
    assert finding.gain == finding.severity


def test_the_advice_fits_the_use_of_the_processors_as_in_a_profile() -> None:
    def advised(use: ProcessorUse, waited: float) -> str:
        (finding,) = findings(of_loss(), processors=ProcessorWaits(use, waited))
        return full_advice(of_loss(), finding, None)

    assert advised(ProcessorUse.FREE, 0.0) == WAIT_AT_BARRIER.advice
    assert advised(ProcessorUse.BUSY, 3.0) == WAIT_AT_BARRIER.advice
    assert advised(ProcessorUse.BUSY, 4.0) == WAIT_AT_BARRIER.advice_if_queued[ProcessorUse.BUSY]


def test_a_wait_for_kernels_has_the_advice_of_a_profile() -> None:
    cube = of_loss("Taskwait", "taskwait", "target")
    (finding,) = findings(cube)
    assert full_advice(cube, finding, None) == WAIT_FOR_TASKS.advice_for_kernels
    assert finding.reason == "Threads wait here for target constructs with nowait."
    without_kernels = of_loss("Taskwait", "taskwait", "critical")
    (finding,) = findings(without_kernels)
    assert full_advice(without_kernels, finding, None) == WAIT_FOR_TASKS.advice
    assert not finding.reason


def test_processors_that_run_the_kernels_are_not_idle_beside_them() -> None:
    cube = of_loss("Idle During Target", "target")
    assert len(findings(cube)) == 1
    assert findings(cube, processors=ProcessorWaits(run_kernels=True)) == []


def of_loss(name: str = "Wait at Barrier", kind: str = "barrier", other: str = "for") -> Cube:
    """Return a cube in which one of two threads loses 1 s at a construct, beside another one."""
    metrics = (
        CubeMetric(-1, "Time", "s"),
        CubeMetric(0, "Execution", "s"),
        CubeMetric(1, "OpenMP", "s"),
        CubeMetric(2, name, "s", advice="Wait less.", remedy="BALANCE"),
        CubeMetric(-1, "Visits", "visits"),
    )
    paths = (
        Place(-1, "program", "app"),
        Place(0, kind, "", "a.c", 3),
        Place(0, other, "", "a.c", 5),
    )
    rows = [(1, 0, 2.0), (1, 1, 2.0), (2, 1, 1.0), (3, 1, 1.0), (4, 0, 1), (4, 1, 1)]
    metric, thread, value = (np.array(column) for column in zip(*rows, strict=True))
    threads, numbers = tuple(Thread("", "node", 0, number) for number in range(2)), np.uint32
    return Cube(
        "app", 10.0, metrics, paths, threads,
        metric.astype(numbers), np.ones(len(rows), numbers), thread.astype(numbers), value,
    )  # fmt: skip
