"""List schedules of tasks written by hand, and the tasks of a trace."""

from __future__ import annotations

import os
import random
import subprocess
from dataclasses import fields
from pathlib import Path

import pytest

from pomp_clang.causes.remedies import task_graph
from pomp_clang.causes.remedies.change_tasks import (
    AS_RECORDED,
    TaskChange,
    fewer_tasks,
    times,
    without_taskwaits,
)
from pomp_clang.causes.remedies.task_graph import task_graph_of
from pomp_clang.causes.remedies.task_kernel import CREATE, WAIT, WORK
from pomp_clang.causes.run.gather import gather
from pomp_clang.causes.run.run import Run
from pomp_clang.experiment.layout import Column
from pomp_clang.trace.layout import Enter, Kind
from pomp_clang.trace.reader import read
from tests.causes.programs.measured import build
from tests.causes.reference import task_schedule
from tests.causes.reference.task_graph import (
    RecordedTask,
    ReferenceGraph,
    TaskPhase,
    columns_of,
    reference_graph_of,
)
from tests.causes.scripts import (
    CREATED,
    PARALLEL,
    SINGLE,
    TASKWAIT,
    TEAM,
    begin,
    departing,
    ending,
    fork,
    leave,
    member,
    opened,
    phase,
    run_of,
    task,
    two,
    untied,
    waits,
)
from tests.compilers import links_openmp

_PATH = 7


def graph(
    *rounds: tuple[float, ...], threads: int = 2, creation: float = 0.0, dispatch: float = 0.0
) -> tuple[ReferenceGraph, TaskPhase]:
    """Return rounds of tasks of these sizes, which one thread creates; it waits between them."""
    tasks = [RecordedTask(("", 0), thread) for thread in range(threads)]
    for number, sizes in enumerate(rounds):
        if number:
            tasks[0].steps.append((WAIT, _PATH))
        for size in sizes:
            tasks[0].steps.append((CREATE, len(tasks)))
            tasks.append(RecordedTask(("a.c", 1), 0, [(WORK, size)], 0, size, creation))
    phase = TaskPhase(0, 100, list(range(threads)), len(tasks) - threads)
    return ReferenceGraph(tasks, [phase], dispatch), phase


def phase_time(graph: ReferenceGraph, phase: TaskPhase, change: TaskChange = AS_RECORDED) -> float:
    """Return the ticks of a phase, after the analysis and the naive computation were compared."""
    expected = [task_schedule.phase_time(graph, phase, change) for phase in graph.phases]
    assert times(columns_of(graph), change).tolist() == expected
    return expected[graph.phases.index(phase)]


def test_whoever_is_free_takes_a_task() -> None:
    """The creator has the newest ones, of 1, 2 and 3; the other thread the oldest, of 4."""
    assert phase_time(*graph((4, 3, 2, 1))) == 6
    assert phase_time(*graph((4, 3, 2, 1), threads=1)) == 10


def test_a_task_costs_its_creation_and_its_dispatch() -> None:
    assert phase_time(*graph((1, 1, 1), threads=1, creation=0.5, dispatch=0.25)) == 5.25


def test_small_tasks_are_run_where_they_are_created() -> None:
    one = graph((1, 1, 1), threads=1, creation=0.5, dispatch=0.25)
    assert phase_time(*one, TaskChange(cutoff=2)) == 3
    assert phase_time(*one, TaskChange(cutoff=1)) == phase_time(*one)


def test_rounds_with_dependences_overlap() -> None:
    uneven = graph((3, 1), (1, 3))
    assert phase_time(*uneven) == 6
    dropped = frozenset({_PATH})
    assert phase_time(*uneven, TaskChange(dropped=dropped, in_rounds=True)) == 4
    chained = graph((3, 1), (3, 1))
    assert phase_time(*chained, TaskChange(dropped=dropped, in_rounds=True)) == 6


def test_a_task_below_another_is_awaited_by_it() -> None:
    inner = RecordedTask(("a.c", 2), 0, [(WORK, 2)], 2, 2.0)
    outer = RecordedTask(("a.c", 1), 0, [(CREATE, 3), (WAIT, _PATH), (WORK, 1)], 0, 3.0)
    root = RecordedTask(("", 0), 0, [(CREATE, 2)])
    tasks = [root, RecordedTask(("", 0), 1), outer, inner]
    phase = TaskPhase(0, 10, [0, 1], 2)
    assert phase_time(ReferenceGraph(tasks, [phase], 0.0), phase, AS_RECORDED) == 3


@pytest.fixture
def recorded(tmp_path: Path) -> Run:
    """Return a single that creates two tasks for half a second each. The creator runs one for two
    seconds in the barrier, the other thread one for two and a half."""
    master = [
        opened(1, Kind.WORK, SINGLE), opened(2, Kind.CREATE, CREATED), leave(2.5, CREATED),
        opened(2.5, Kind.CREATE, CREATED), leave(3, CREATED), waits(4, SINGLE),
        phase(4, SINGLE, Column.TASK_T), *task(4, 6), waits(6, SINGLE), phase(8, SINGLE, 0),
        leave(8, SINGLE),
    ]  # fmt: skip
    worker = [
        opened(1, Kind.WORK, SINGLE), waits(1, SINGLE), phase(5, SINGLE, Column.TASK_T),
        *task(5, 7.5), waits(7.5, SINGLE), phase(8, SINGLE, 0), leave(8, SINGLE),
    ]  # fmt: skip
    return run_of(tmp_path, *two(master, worker))


def test_the_tasks_of_a_trace(recorded: Run) -> None:
    graph = reference_graph_of(recorded)
    assert graph is not None
    assert_is_graph_of(recorded)
    second = recorded.second
    explicit = [task for task in graph.tasks if task.parent >= 0]
    assert sorted(task.inclusive / second for task in explicit) == [2, 2.5]
    assert {task.creation / second for task in explicit} == {0.5}
    (phase,) = graph.phases
    assert phase.duration == 7 * second and phase.tasks == 2
    (creator,) = {task.parent for task in explicit}
    assert graph.tasks[creator].work == 2 * second


def test_the_first_tasks_stand_for_the_others(
    recorded: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With one task the graph ends where the second one begins, at 5; the phase took seven seconds."""
    monkeypatch.setattr(task_graph, "MOST_TASKS", 1)
    actual = reference_graph_of(recorded)
    assert actual is not None
    assert_is_graph_of(recorded)
    assert [task.inclusive / recorded.second for task in actual.tasks if task.parent >= 0] == [1]
    (phase,) = actual.phases
    assert (phase.tasks, phase.duration) == (2, 7 * recorded.second)


def test_the_prediction_for_a_run_without_the_small_tasks(recorded: Run) -> None:
    """All tasks are small: one thread runs them, and the program takes no less time."""
    (prediction,) = fewer_tasks(recorded, [])
    assert prediction.before == 10
    assert prediction.seconds == 10


def test_tasks_that_moved_are_not_scheduled(tmp_path: Path) -> None:
    master = [
        opened(1, Kind.WORK, SINGLE), opened(2, Kind.CREATE, CREATED), leave(2.5, CREATED),
        opened(3, Kind.WAIT, TASKWAIT), phase(3, TASKWAIT, Column.TASK_T),
        untied(3), leave(4, 7), phase(4, TASKWAIT, 0), leave(8, TASKWAIT),
        waits(8, SINGLE), phase(8.25, SINGLE, 0), leave(8.25, SINGLE),
    ]  # fmt: skip
    worker = [
        opened(1, Kind.WORK, SINGLE), waits(1, SINGLE), phase(5, SINGLE, Column.TASK_T),
        untied(5, Enter.RESUMES), leave(7, 7), waits(7, SINGLE),
        phase(8.25, SINGLE, 0), leave(8.25, SINGLE),
    ]  # fmt: skip
    run = run_of(tmp_path, *two(master, worker))
    assert task_graph_of(run) is None
    assert not [*fewer_tasks(run, []), *without_taskwaits(run, [])]


def test_a_run_that_created_no_task_has_no_smallest_tasks(tmp_path: Path) -> None:
    master = [fork(2.5, PARALLEL, TEAM), begin(2.5, PARALLEL), opened(5, Kind.WAIT, TASKWAIT),
              leave(7, TASKWAIT), *ending(PARALLEL, TEAM, 8, 8, 8)]  # fmt: skip
    worker = [
        member(2.5, PARALLEL, TEAM, 2.5), *departing(PARALLEL, 4, 4), *task(6, 6.5),
    ]  # fmt: skip
    run = run_of(tmp_path, master, worker)
    assert task_graph_of(run) is not None
    assert not [*fewer_tasks(run, [])]


def random_graph(seed: int) -> ReferenceGraph:
    """Return phases of teams of some threads; each task creates others, works and waits."""
    dice = random.Random(seed)
    tasks: list[RecordedTask] = []
    phases = []
    for _ in range(dice.randrange(1, 4)):
        threads = dice.randrange(1, 6)
        first = len(tasks)
        tasks += [RecordedTask(("", 0), thread) for thread in range(threads)]
        explicit = dice.randrange(60)
        for _ in range(explicit):
            parent = dice.randrange(first, len(tasks))
            _spend(tasks[parent], dice)
            tasks[parent].steps.append((CREATE, len(tasks)))
            price = dice.choice([0, 0.5, 2])
            tasks.append(RecordedTask(("a.c", 1), dice.randrange(8), [], parent, 0, price))
            _spend(tasks[-1], dice)
        for recorded in reversed(tasks[first:]):
            recorded.inclusive += recorded.work
            if recorded.parent >= 0:
                tasks[recorded.parent].inclusive += recorded.inclusive
        phases.append(TaskPhase(0, 100, [*range(first, first + threads)], explicit))
    return ReferenceGraph(tasks, phases, dice.choice([0, 0.25]))


def _spend(task: RecordedTask, dice: random.Random) -> None:
    for _ in range(dice.randrange(3)):
        wait = WAIT, dice.choice([_PATH, _PATH + 1])
        task.steps.append(dice.choice([(WORK, dice.randrange(5)), (WORK, dice.random()), wait]))


@pytest.mark.parametrize("seed", range(60))
def test_random_tasks_take_the_time_of_the_naive_schedule(seed: int) -> None:
    graph = random_graph(seed)
    columns = columns_of(graph)
    for cutoff in (0, 1, 4, 100):
        for dropped in (frozenset[int](), frozenset({_PATH}), frozenset({_PATH, _PATH + 1})):
            for in_rounds in (False, True):
                change = TaskChange(cutoff, dropped, in_rounds)
                expected = [
                    task_schedule.phase_time(graph, phase, change) for phase in graph.phases
                ]
                assert times(columns, change).tolist() == expected, change


def assert_is_graph_of(run: Run) -> None:
    """Compare the graph of a run with that of the naive computation."""
    graph, reference = task_graph_of(run), reference_graph_of(run)
    if graph is None or reference is None:
        assert graph is None and reference is None
        return
    expected = columns_of(reference)
    for actual, reference_table in ((graph.tasks, expected.tasks), (graph.phases, expected.phases)):
        for field in fields(actual):
            column = getattr(actual, field.name).tolist()
            assert column == getattr(reference_table, field.name).tolist(), field.name
    assert (graph.dispatch, graph.later) == (expected.dispatch, expected.later)


@pytest.mark.parametrize("threads", [1, 2, 5])
@pytest.mark.parametrize("most", [20, 30_000])
def test_the_tasks_of_a_program(
    threads: int, most: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Tasks in tasks, with taskwaits and task groups."""
    monkeypatch.setattr(task_graph, "MOST_TASKS", most)
    compiler = "clang-19" if links_openmp("clang-19") else "gcc"
    build(compiler, _TASKS, tmp_path)
    settings = {"OMP_NUM_THREADS": str(threads), "POMP_TRACE": "1", "POMP_EXPERIMENT_DIR": "traced"}
    subprocess.run(["./app"], cwd=tmp_path, env={**os.environ, **settings}, check=True)
    assert_is_graph_of(gather(read(str(tmp_path / "traced"))))


_TASKS = """
static volatile double sink;
static void spin(int n) { for (int i = 0; i < n; i++) sink = sink * 0.5 + i; }
static int fib(int n) {
  int a, b;
  if (n < 2) return n;
#pragma omp task shared(a)
  a = fib(n - 1);
#pragma omp task shared(b)
  b = fib(n - 2);
#pragma omp taskwait
  return a + b;
}
int main(void) {
  for (int round = 0; round < 2; round++)
#pragma omp parallel
#pragma omp single
    {
      spin(fib(7));
#pragma omp taskgroup
      for (int i = 0; i < 20; i++) {
#pragma omp task
        {
          spin(50 * (i % 7));
#pragma omp task
          spin(100);
        }
      }
    }
}
"""
