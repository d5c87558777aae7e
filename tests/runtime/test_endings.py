"""However a program ends, what it had measured is there."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest

from tests.runtime.conftest import Program
from tests.runtime.harness import counts, rows, run, total

ENDINGS = {
    "exit": (7, True),
    "quick_exit": (7, True),
    "_exit": (7, False),
    "abort": (-signal.SIGABRT, False),
    "segv": (-signal.SIGSEGV, False),
    "kill": (-signal.SIGKILL, False),
}


@pytest.mark.parametrize("how", ENDINGS)
def test_inside_a_region(program: Program, tmp_path: Path, how: str) -> None:
    done = run(program("endings"), "inside", how, folder=tmp_path)
    status, complete = ENDINGS[how]
    assert (done.status, done.stdout, done.stderr) == (status, "output\n", "")
    measured = done.experiment()
    assert measured.complete == complete
    assert counts(measured, 10) == {0: 1, 1: 1, 2: 1, 3: 1}
    assert counts(measured, 20) == {0: 1, 1: 2, 2: 1, 3: 1}
    for m in rows(measured, 10).values():
        assert 0.04 < m.execT <= measured.duration
        assert m.startupT + m.bodyT == pytest.approx(m.execT)


def test_child_without_events(program: Program, tmp_path: Path) -> None:
    for normally in ("0", "1"):
        done = run(program("endings"), "children", "0", normally, folder=tmp_path)
        assert done.status == 3


@pytest.mark.parametrize("normally", [False, True])
def test_children(program: Program, tmp_path: Path, normally: bool) -> None:
    """A child writes nothing into its parent's experiment, and its own beside at exit()."""
    done = run(program("endings"), "children", "2", str(int(normally)), folder=tmp_path)
    assert (done.status, done.stdout, done.stderr) == (3, "output\n", "")
    assert counts(done.experiment(), 40) == {0: 2}
    assert counts(done.experiment(), 30) == {0: 1}
    children = sorted(tmp_path.glob("exp.*"))
    assert len(children) == (2 if normally else 0)
    for child in children:
        own = done.experiment(child.name)
        assert str(own.pid) == child.suffix[1:]
        assert own.complete
        assert counts(own, 40) == {0: 2}
        assert rows(own, 30) == {}
        assert own.duration < done.experiment().duration


def test_foreign_threads(program: Program, tmp_path: Path) -> None:
    """Threads that OpenMP does not know."""
    measured = run(program("endings"), "foreign", folder=tmp_path).experiment()
    assert sum(counts(measured, 40).values()) == 3
    assert total(measured, 40, "execT") >= 0.015


def test_control(program: Program, tmp_path: Path) -> None:
    done = run(program("endings"), "control", folder=tmp_path)
    assert done.status == 3
    measured = done.experiment()
    assert measured.complete
    assert counts(measured, 40) == {0: 2}
    assert counts(measured, 30) == {0: 1}
    assert rows(measured, 30)[0].execT >= 0.005


def test_files_are_private(program: Program, tmp_path: Path) -> None:
    run(program("endings"), "work", folder=tmp_path, POMP_EXPERIMENT_DIR="a/b/c")
    for directory in ("a", "a/b", "a/b/c"):
        assert (tmp_path / directory).stat().st_mode & 0o777 == 0o700
    file = tmp_path / "a/b/c/profile.pomp"
    assert file.stat().st_mode & 0o777 == 0o600
    assert file.stat().st_size < 1 << 16
