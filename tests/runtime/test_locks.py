"""Lock routines: their times are booked where the lock was acquired, wherever it is released."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest

from pomp_clang.experiment.model import Experiment
from tests.runtime.conftest import Program
from tests.runtime.harness import counts, rows, run, total


def _measure(program: Program, folder: Path, what: str, printed: str = "") -> Experiment:
    result = run(program("locks"), what, folder=folder)
    assert (result.status, result.stdout, result.stderr) == (0, printed, "")
    return result.experiment()


def _lines(measured: Experiment) -> set[int]:
    return {region.begin_line1 for region in measured.regions}


def test_contended(program: Program, tmp_path: Path) -> None:
    measured = _measure(program, tmp_path, "contended")
    assert counts(measured, 20) == {0: 1, 1: 1, 2: 1, 3: 1}
    assert total(measured, 20, "bodyT") >= 0.08
    assert total(measured, 20, "enterT") >= 0.01
    for m in rows(measured, 20).values():
        assert m.enterT + m.bodyT + m.exitT == pytest.approx(m.execT)
    assert 30 not in _lines(measured)


def test_tested(program: Program, tmp_path: Path) -> None:
    measured = _measure(program, tmp_path, "tested", "test 1 0\n")
    assert counts(measured, 40) == {0: 2}
    assert total(measured, 40, "bodyT") >= 0.01


def test_nestable(program: Program, tmp_path: Path) -> None:
    """Use the program's own routines: libgomp has nestable locks of two layouts."""
    measured = _measure(program, tmp_path, "nestable", "nest 3\n")
    assert counts(measured, 50) == {0: 2}
    assert counts(measured, 70) == {0: 1}
    assert counts(measured, 60) == {0: 1}
    assert total(measured, 50, "bodyT") >= 0.03


def test_released_by_another(program: Program, tmp_path: Path) -> None:
    assert counts(_measure(program, tmp_path, "handed_over"), 80) == {0: 1}


def test_never_released(program: Program, tmp_path: Path) -> None:
    assert total(_measure(program, tmp_path, "kept"), 20, "bodyT") >= 0.01


def test_held_in_a_crash(program: Program, tmp_path: Path) -> None:
    result = run(program("locks"), "kept", "crash", folder=tmp_path)
    assert result.status == -signal.SIGABRT
    assert counts(result.experiment(), 20) == {0: 1}
