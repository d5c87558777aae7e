"""Tasks: exact counts, and each time belongs to one task, one wait, one thread.

A sleep lasts at least its time. Comparing the times shows that none contains another one's part.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from pomp_clang.experiment.model import CallPath, Experiment
from tests.runtime.conftest import Program
from tests.runtime.harness import count, measure, rows, total

PAR, ONE, TASK, WAIT, CHILD, GROUP, YIELD, LOOP, BARRIER, FIB = range(10, 101, 10)
UNTIED, INNER, OUTER = 110, 140, 160


def _line_of(measured: Experiment, path: CallPath) -> int:
    return next(r.begin_line1 for r in measured.regions if r.id == path.region)


def _is_within_the_run(measured: Experiment) -> None:
    """Count the inner waits of a wait that recurs through tasks as time of its tasks."""
    for m in measured.profile.values():
        assert m.taskT <= measured.duration
        assert m.execT - m.taskT <= measured.duration


@pytest.mark.parametrize("threads", [1, 4])
def test_recursion(program: Program, tmp_path: Path, threads: int) -> None:
    """Count the tasks of fib(15): 986 of 1973 calls create two tasks each."""
    measured = measure(program("tasks"), "fibonacci", str(threads), folder=tmp_path)
    assert count(measured, FIB) == 1973
    for line in (TASK, CHILD):
        assert count(measured, line) == count(measured, line, "createC") == 986
    assert count(measured, WAIT) == 986
    for tid in range(threads):
        run_here = sum(
            rows(measured, line)[tid].execT for line in (TASK, CHILD) if tid in rows(measured, line)
        )
        assert run_here <= measured.duration
        if tid in rows(measured, FIB):
            assert rows(measured, FIB)[tid].execT <= measured.duration


def test_run_at_a_barrier(program: Program, tmp_path: Path) -> None:
    """Run the tasks that one thread creates in the barrier of the single construct, on all threads."""
    measured = measure(program("tasks"), "sleepers", "4", "16", folder=tmp_path)
    single = rows(measured, ONE)
    assert count(measured, TASK) == count(measured, TASK, "createC") == 16
    assert sorted(m.createC for m in rows(measured, TASK).values()) == [0, 0, 0, 16]
    for tid, m in single.items():
        run_here = rows(measured, TASK)[tid].execT
        assert m.taskT == pytest.approx(run_here, rel=0.01, abs=1e-4)
        assert m.bodyT + m.taskT + m.exitBarT == pytest.approx(m.execT, rel=0.1)
    assert total(measured, ONE, "taskT") >= 16 * 0.02
    assert total(measured, ONE, "taskT") == pytest.approx(total(measured, TASK, "execT"), rel=1e-6)
    assert total(measured, PAR, "taskT") == 0


def test_undeferred(program: Program, tmp_path: Path) -> None:
    """Run undeferred tasks within their creation, without their time in it."""
    measured = measure(program("tasks"), "undeferred", folder=tmp_path)
    assert count(measured, TASK) == count(measured, TASK, "createC") == 6
    assert count(measured, CHILD) == count(measured, CHILD, "createC") == 1
    assert total(measured, TASK, "execT") >= 0.03
    assert total(measured, TASK, "createT") + total(measured, CHILD, "createT") < 0.03
    assert total(measured, CHILD, "execT") < 0.005
    assert 0.025 <= total(measured, FIB, "execT") <= total(measured, TASK, "execT")
    assert count(measured, FIB) == 5


def test_nested_waits_count_once(program: Program, tmp_path: Path) -> None:
    """Nest barrier -> task (10 ms) -> taskwait -> child (20 ms) -> taskwait -> child (40 ms)."""
    measured = measure(program("tasks"), "nested", folder=tmp_path)
    (task,) = rows(measured, TASK).values()
    (child,) = rows(measured, CHILD).values()
    (wait,) = rows(measured, WAIT).values()
    barrier = rows(measured, BARRIER)[0]
    assert (task.execC, child.execC, wait.execC) == (1, 2, 2)
    assert task.execT >= 0.01
    assert child.execT >= 0.06
    assert wait.taskT == pytest.approx(child.execT, rel=1e-6)
    assert wait.execT - wait.taskT < 0.02
    assert barrier.taskT == pytest.approx(task.execT + child.execT, rel=1e-6)
    assert barrier.taskT < barrier.execT
    # Open in a task that stands still, and again in the one that runs meanwhile.
    (fib,) = rows(measured, FIB).values()
    assert fib.execC == 2
    assert 0.05 <= fib.execT <= barrier.taskT - 0.02
    # Around the barrier, in an implicit task: that time goes on.
    assert total(measured, OUTER, "execT") >= barrier.execT


def test_taskgroup(program: Program, tmp_path: Path) -> None:
    """Wait for the children of its tasks as well."""
    measured = measure(program("tasks"), "groups", folder=tmp_path)
    (group,) = rows(measured, GROUP).values()
    assert (group.execC, count(measured, TASK), count(measured, CHILD)) == (1, 3, 3)
    assert group.bodyT >= 0.01
    assert group.taskT >= 0.03
    executed = total(measured, TASK, "execT") + total(measured, CHILD, "execT")
    assert group.taskT == pytest.approx(executed, rel=1e-6)
    assert group.bodyT + group.exitBarT + group.taskT == pytest.approx(group.execT, rel=0.01)


def test_untied_generator(program: Program, tmp_path: Path) -> None:
    """Give each thread its part of an untied task that libomp moves to another thread."""
    measured = measure(program("tasks"), "generator", "100", folder=tmp_path)
    assert count(measured, UNTIED) == count(measured, UNTIED, "createC") == 1
    assert count(measured, CHILD) == count(measured, CHILD, "createC") == 100
    assert (count(measured, WAIT), count(measured, FIB)) == (1, 1)
    assert 0.005 <= total(measured, FIB, "execT") <= total(measured, UNTIED, "execT")
    assert total(measured, CHILD, "execT") >= 0.1
    _is_within_the_run(measured)


def test_untied_trees(program: Program, tmp_path: Path) -> None:
    measured = measure(program("tasks"), "untied_trees", folder=tmp_path)
    for line in (UNTIED, FIB, YIELD):
        assert count(measured, line) == 510
    assert count(measured, UNTIED, "createC") == 510
    assert count(measured, WAIT) == 255
    _is_within_the_run(measured)


def test_detached(program: Program, tmp_path: Path) -> None:
    measured = measure(program("tasks"), "detached", folder=tmp_path)
    assert count(measured, TASK) == count(measured, TASK, "createC") == 10
    assert count(measured, WAIT) == 1


def test_taskloop(program: Program, tmp_path: Path) -> None:
    """Tell a taskloop's own tasks from the construct, and from other tasks that run in it."""
    measured = measure(program("tasks"), "loops", folder=tmp_path)
    assert (count(measured, LOOP), count(measured, LOOP, "bodyC")) == (1, 4)
    assert count(measured, TASK) == 4
    (maker,) = (m for m in rows(measured, LOOP).values() if m.execC)
    assert maker.taskT <= maker.execT
    assert maker.createT + maker.exitBarT + maker.taskT == pytest.approx(maker.execT, abs=1e-3)
    assert total(measured, LOOP, "exitT") >= 8 * 0.002
    ran = total(measured, TASK, "execT") + total(measured, LOOP, "exitT")
    assert total(measured, ONE, "taskT") + maker.taskT == pytest.approx(ran, rel=1e-6)
    (running,) = (
        path for path in measured.callpaths if path.task and _line_of(measured, path) == LOOP
    )
    here = [m for (path, _), m in measured.callpath_profile.items() if path == running.id]
    assert sum(m.execC for m in here) == 4


def test_team_in_a_task(program: Program, tmp_path: Path) -> None:
    """Keep the time of a task going while its team's barrier runs tasks."""
    measured = measure(program("tasks"), "team_in_task", folder=tmp_path)
    (task,) = (m for m in rows(measured, TASK).values() if m.execC)
    assert (task.execC, count(measured, CHILD)) == (1, 2)
    assert task.execT >= 0.02
    assert total(measured, INNER, "taskT") >= 0.04
    assert total(measured, INNER, "taskT") == pytest.approx(
        total(measured, CHILD, "execT"), rel=1e-6
    )
    assert count(measured, FIB) == 3
    for m in rows(measured, FIB).values():
        assert m.execT <= measured.duration


def test_many(program: Program, tmp_path: Path) -> None:
    measured = measure(program("tasks"), "many", "100000", folder=tmp_path)
    assert count(measured, TASK) == count(measured, FIB) == 100000
    assert count(measured, TASK, "createC") == 100000
    assert (tmp_path / "exp" / "profile.pomp").stat().st_size < 1 << 20
