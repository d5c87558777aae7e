"""However a program ends, what it had measured is there."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest

from pomp_clang.experiment.reader import read
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
    result = run(program("endings"), "inside", how, folder=tmp_path)
    status, complete = ENDINGS[how]
    assert (result.status, result.stdout, result.stderr) == (status, "output\n", "")
    measured = result.experiment()
    assert measured.complete == complete
    assert counts(measured, 10) == {0: 1, 1: 1, 2: 1, 3: 1}
    assert counts(measured, 20) == {0: 1, 1: 2, 2: 1, 3: 1}
    for m in rows(measured, 10).values():
        assert 0.04 < m.execT <= measured.duration
        assert m.startupT + m.bodyT == pytest.approx(m.execT)


def test_child_without_events(program: Program, tmp_path: Path) -> None:
    for normally in ("0", "1"):
        result = run(program("endings"), "children", "0", normally, folder=tmp_path)
        assert result.status == 3


@pytest.mark.parametrize("normally", [False, True])
def test_children(program: Program, tmp_path: Path, normally: bool) -> None:
    """Write nothing into the parent's experiment; the child writes its own at exit()."""
    result = run(program("endings"), "children", "2", str(int(normally)), folder=tmp_path)
    assert (result.status, result.stdout, result.stderr) == (3, "output\n", "")
    assert counts(result.experiment(), 40) == {0: 2}
    assert counts(result.experiment(), 30) == {0: 1}
    children = sorted(tmp_path.glob("exp.*"))
    assert len(children) == (2 if normally else 0)
    for child in children:
        experiment = result.experiment(child.name)
        assert str(experiment.pid) == child.suffix[1:]
        assert experiment.complete
        assert counts(experiment, 40) == {0: 2}
        assert rows(experiment, 30) == {}
        assert experiment.duration < result.experiment().duration


def test_foreign_threads(program: Program, tmp_path: Path) -> None:
    """Measure threads that OpenMP does not know."""
    measured = run(program("endings"), "foreign", folder=tmp_path).experiment()
    assert sum(counts(measured, 40).values()) == 3
    assert total(measured, 40, "execT") >= 0.015


def test_control(program: Program, tmp_path: Path) -> None:
    result = run(program("endings"), "control", folder=tmp_path)
    assert result.status == 3
    measured = result.experiment()
    assert measured.complete
    assert counts(measured, 40) == {0: 2}
    assert counts(measured, 30) == {0: 1}
    assert rows(measured, 30)[0].execT >= 0.005


@pytest.mark.parametrize("umask", [0o022, 0o027, 0o077, 0o002])
def test_umask_decides_who_may_read_an_experiment(
    program: Program, tmp_path: Path, umask: int
) -> None:
    before = os.umask(umask)
    try:
        run(
            program("endings"), "work", folder=tmp_path, POMP_EXPERIMENT_DIR="a/b/c", POMP_TRACE="1"
        )
    finally:
        os.umask(before)
    for directory in ("a", "a/b", "a/b/c"):
        assert (tmp_path / directory).stat().st_mode & 0o777 == 0o777 & ~umask
    files = {path.name: path for path in (tmp_path / "a/b/c").iterdir()}
    assert files.keys() == {"profile.pomp", "trace-0.pomp"}
    for file in files.values():
        assert file.stat().st_mode & 0o777 == 0o666 & ~umask
    assert files["profile.pomp"].stat().st_size < 1 << 16


@pytest.mark.parametrize("settings", [{}, {"POMP_TRACE": "1"}, {"POMP_METRICS": "page-faults"}])
def test_program_in_which_no_region_ran_leaves_no_experiment(
    program: Program, tmp_path: Path, settings: dict[str, str]
) -> None:
    nothing, by_default = program("endings"), {"POMP_EXPERIMENT_DIR": ""} | settings
    result = run(nothing, "nothing", folder=tmp_path, **by_default)
    assert (result.status, result.stdout) == (3, "output\n")
    assert list(tmp_path.iterdir()) == []
    assert run(nothing, "work", folder=tmp_path, **by_default).experiment("pomp-endings-1").complete


def test_experiment_that_was_asked_for_is_kept_though_no_region_ran(
    program: Program, tmp_path: Path
) -> None:
    measured = run(program("endings"), "nothing", folder=tmp_path).experiment()
    assert measured.complete
    assert not any(visits.execC for visits in measured.profile.values())
    rank = {"POMP_EXPERIMENT_DIR": "", "PMI_RANK": "0", "PMI_JOBID": "7"}
    job = run(program("endings"), "nothing", folder=tmp_path, **rank)
    assert job.experiment("pomp-endings-1/rank-0").complete


def test_verbose_says_that_there_is_no_experiment(program: Program, tmp_path: Path) -> None:
    settings = {"POMP_EXPERIMENT_DIR": "", "POMP_VERBOSE": "1"}
    lines = run(program("endings"), "nothing", folder=tmp_path, **settings).stderr.splitlines()
    assert lines == ["pomp: no instrumented region ran: there is no experiment"]


def test_regions_of_a_child_are_kept_where_none_ran_in_the_parent(
    program: Program, tmp_path: Path
) -> None:
    run(program("endings"), "child", folder=tmp_path, POMP_EXPERIMENT_DIR="")
    (child,) = tmp_path.iterdir()
    assert child.name.startswith("pomp-endings-1.")
    assert counts(read(str(child)), 40) == {0: 1}
