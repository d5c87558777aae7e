"""Tasks that are cancelled, or in which the program ends."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest

from pomp_clang.experiment.model import Experiment
from tests.runtime.conftest import Program
from tests.runtime.harness import rows, run, total

PAR, ONE, TASK, WAIT, CHILD, GROUP = range(10, 61, 10)
WORK, CANCEL, POINT, CRITICAL = 100, 120, 130, 150


def _cancel(program: Program, folder: Path, *arguments: str, **environment: str) -> Experiment:
    done = run(program("tasks_cut"), "cancelled", *arguments, folder=folder, **environment)
    assert (done.status, done.stderr) == (0, "")
    measured = done.experiment()
    assert all(location.dropped == 0 for location in measured.locations)
    return measured


def _count(measured: Experiment, line: int, column: str = "execC") -> int:
    return round(total(measured, line, column))


@pytest.mark.parametrize("told", [True, False])
def test_cancelled(program: Program, tmp_path: Path, told: bool) -> None:
    """A cancelled task has no end; whoever follows is not in it."""
    arguments = ["50", *(["told"] if told else [])]
    measured = _cancel(program, tmp_path, *arguments, OMP_CANCELLATION="true")
    executed = _count(measured, TASK)
    assert 50 <= executed <= 1000
    assert _count(measured, WORK) == executed
    assert _count(measured, TASK, "createC") == 1000
    assert _count(measured, CHILD) == _count(measured, GROUP) == 50
    if told:
        assert 1 <= _count(measured, CANCEL) <= 50
        assert executed - 50 <= _count(measured, POINT) <= executed
    for m in measured.profile.values():
        assert m.execT <= measured.duration


def test_without_cancellation_the_calls_return(program: Program, tmp_path: Path) -> None:
    measured = _cancel(program, tmp_path, "5", "told")
    assert _count(measured, TASK) == _count(measured, POINT) == 100
    assert _count(measured, CANCEL) == 5


@pytest.mark.parametrize(("how", "status"), [("exit", 7), ("abort", -signal.SIGABRT)])
def test_ended_inside(program: Program, tmp_path: Path, how: str, status: int) -> None:
    """What stands still is ended as if it had been closed then."""
    done = run(program("tasks_cut"), "inside", how, folder=tmp_path)
    assert done.status == status
    measured = done.experiment()
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
