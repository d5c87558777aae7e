"""Severities of tasks, of what the measurement takes, and of sums, computed by hand."""

from __future__ import annotations

from pathlib import Path

from pomp_clang.causes.cube.cube import Cube, compute
from pomp_clang.causes.properties import PROPERTIES
from pomp_clang.causes.properties.registry import properties
from pomp_clang.experiment.layout import Column
from pomp_clang.trace.layout import Enter, Kind
from tests.causes.scenarios.scenario import costing
from tests.causes.scripts import (
    BARRIER,
    CRITICAL,
    LOOP,
    TASK,
    TASKWAIT,
    barrier,
    cells,
    critical,
    cube_of,
    leave,
    loop,
    opened,
    phase,
    run_of,
    total,
    two,
)

HERE = Path(__file__).parents[1]
BY_HAND = (
    *("properties/test_openmp.py", "properties/test_threads.py", "properties/test_tasks.py"),
    *("waits/test_find_critical_path.py", "waits/test_delay_costs.py"),
    *("job/test_analyze_job.py", "job/test_call_waits.py", "job/test_job_delay_costs.py"),
    *("scenarios/tasks.py", "scenarios/teams.py", "scenarios/waits.py"),
    "scenarios/several.py",
)


def test_a_barrier_within_a_task_is_none_of_the_team_s(tmp_path: Path) -> None:
    """The master runs a task from 3 to 6, in which a loop of an unmeasured team has a barrier from
    4 to 5. The master comes to both threads' next barrier at 7, a second before the worker."""
    ran = [opened(3, Kind.TASK, TASK), *loop(LOOP, 3.5, 4, 5), leave(6, TASK)]
    master = [
        opened(2, Kind.BARRIER, BARRIER), phase(3, BARRIER, Column.TASK_T), *ran,
        phase(6, BARRIER, 0), leave(6, BARRIER), *barrier(BARRIER, 7, 8),
    ]  # fmt: skip
    worker = [*barrier(BARRIER, 6, 6), *barrier(BARRIER, 8, 8)]
    cube = cube_of(tmp_path, *two(master, worker))
    assert cells(cube, "Explicit", "Wait at Barrier") == {(40, 0): 1 + 1}
    assert cells(cube, "Implicit") == {(20, 0): 1}
    assert total(cube, "Implicit", "Wait at Barrier") == 0
    assert total(cube, "Synchronizations") == 6


def test_a_tied_task_that_was_suspended_by_another(tmp_path: Path) -> None:
    """In its taskwait, from 4 to 6, another task runs; what follows is its own again."""
    inner = [
        opened(4, Kind.WAIT, TASKWAIT), phase(4, TASKWAIT, Column.TASK_T),
        opened(4, Kind.TASK, TASK, Enter.SPECIAL | Enter.SWITCHES), leave(6, TASK),
        phase(6, TASKWAIT, 0), leave(6.5, TASKWAIT),
    ]  # fmt: skip
    master = [
        opened(2, Kind.BARRIER, BARRIER), phase(3, BARRIER, Column.TASK_T),
        opened(3, Kind.TASK, TASK, Enter.SWITCHES), *inner, leave(7, TASK),
        phase(7, BARRIER, 0), leave(8, BARRIER),
    ]  # fmt: skip
    cube = cube_of(tmp_path, *two(master, barrier(BARRIER, 8, 8)))
    assert cells(cube, "Taskwait") == {(90, 0): 0.5}
    assert cells(cube, "Explicit", "Wait at Barrier") == {(40, 0): 2}
    execution = cells(cube, "Execution")
    assert (execution[60, 0], execution[90, 0], execution[40, 0]) == (1 + 2 + 0.5, 0.5, 2)
    assert cells(cube, "Visits")[60, 0] == 2


def test_sums_are_those_of_their_parts(tmp_path: Path) -> None:
    """The master waits 3 at the barrier, and the worker waits 2 for the critical after it. From
    that critical on, the master computes up to the end."""
    master = [*barrier(BARRIER, 2, 5), *critical(CRITICAL, 5, 5, 7, 7)]
    worker = [*barrier(BARRIER, 5, 5), *critical(CRITICAL, 5, 7, 8, 8)]
    cube = cube_of(tmp_path, *two(master, worker))
    assert cells(cube, "OpenMP", "Synchronization") == {(40, 0): 3, (30, 1): 2}
    assert cells(cube, "OpenMP") == cells(cube, "OpenMP", "Synchronization")
    assert cells(cube, "Delay costs", "Barrier delay") == {(10, 1): 3}
    assert cells(cube, "Delay costs") == {(10, 1): 3, (30, 0): 2, (0, 0): 2}
    assert cells(cube, "Wait states") == {(40, 0): 3, (30, 1): 2}
    assert cells(cube, "Wait states by effect") == {(40, 0): 3, (30, 1): 2}
    assert cells(cube, "Critical path") == {(0, 0): 2, (10, 1): 4, (30, 0): 2, (10, 0): 2}
    assert total(cube, "MPI") == 0


def test_overhead_is_that_of_the_visits(tmp_path: Path) -> None:
    """Each visit costs a hundredth of a second, half in the loop and half in its barrier. The
    overhead is at most the time spent in either without waits."""
    master, worker = loop(2, 1, 3, 9), [*loop(2, 1, 1.002, 9)]
    run = costing(run_of(tmp_path, *two(master, worker)), pair=0.01, pair_within=0.01)
    costly: Cube = compute(run, properties())
    assert cells(costly, "Overhead") == {(20, 0): 0.01, (20, 1): 0.007}
    assert cells(costly, "Implicit") == {(20, 0): 6 - 0.005, (20, 1): 7.998 - 0.005}
    assert cells(costly, "Implicit", "Barrier Completion") == {(20, 0): 5.995, (20, 1): 5.995}
    assert cells(costly, "Implicit", "Wait at Barrier") == {(20, 1): 1.998}
    assert cells(costly, "Execution")[20, 0] == 8 - 0.01


def test_each_property_is_computed_by_hand_somewhere() -> None:
    tested = "".join((HERE / name).read_text() for name in BY_HAND)
    missing = [kind.name for kind in PROPERTIES if f'"{kind.name}"' not in tested]
    assert not missing, f"no test of {', '.join(BY_HAND)} expects its value"
