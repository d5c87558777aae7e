"""Tasks that are cancelled, or in which the program ends."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest

from tests.runtime.conftest import Program
from tests.runtime.harness import count, measure, rows, run

PAR, ONE, TASK, WAIT, CHILD, GROUP = range(10, 61, 10)
WORK, CANCEL, POINT, CRITICAL = 100, 120, 130, 150


@pytest.mark.parametrize("expected", [True, False])
def test_cancelled(program: Program, tmp_path: Path, expected: bool) -> None:
    """End a cancelled task, which has no end event, before the next event of its thread."""
    arguments = ["50", *(["told"] if expected else [])]
    measured = measure(
        program("tasks_cut"), "cancelled", *arguments, folder=tmp_path, OMP_CANCELLATION="true"
    )
    executed = count(measured, TASK)
    assert 50 <= executed <= 1000
    assert count(measured, WORK) == executed
    assert count(measured, TASK, "createC") == 1000
    assert count(measured, CHILD) == count(measured, GROUP) == 50
    if expected:
        assert 1 <= count(measured, CANCEL) <= 50
        assert executed - 50 <= count(measured, POINT) <= executed
    for m in measured.profile.values():
        assert m.execT <= measured.duration


def test_without_cancellation_the_calls_return(program: Program, tmp_path: Path) -> None:
    measured = measure(program("tasks_cut"), "cancelled", "5", "told", folder=tmp_path)
    assert count(measured, TASK) == count(measured, POINT) == 100
    assert count(measured, CANCEL) == 5


@pytest.mark.parametrize(("how", "status"), [("exit", 7), ("abort", -signal.SIGABRT)])
def test_ended_inside(program: Program, tmp_path: Path, how: str, status: int) -> None:
    """End a task that stands still as if it had been closed at that time."""
    result = run(program("tasks_cut"), "inside", how, folder=tmp_path)
    assert result.status == status
    measured = result.experiment()
    assert measured.complete == (how == "exit")
    here = {line: rows(measured, line) for line in (PAR, TASK, CHILD, WAIT, CRITICAL, WORK)}
    (tid,) = here[WAIT]
    assert [here[line][tid].execC for line in (TASK, CHILD, WORK)] == [1, 1, 2]
    task, child, work = here[TASK][tid].execT, here[CHILD][tid].execT, here[WORK][tid].execT
    assert task >= 0.01
    assert child >= 0.04
    assert 0.02 <= work <= task + child - 0.03
    assert here[WAIT][tid].taskT == pytest.approx(child, rel=0.01)
    assert here[PAR][tid].taskT == pytest.approx(task + child, rel=0.01)
    assert 0.02 <= here[CRITICAL][tid].bodyT <= child - 0.02
