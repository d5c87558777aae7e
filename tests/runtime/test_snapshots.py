"""Profiles in between: at an interval, by a call and by a signal, without stopping the program."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest

from pomp_clang.experiment.model import Experiment
from tests.runtime.conftest import Program
from tests.runtime.harness import counts, run, total


def _region(experiment: Experiment, line: int) -> str:
    (region,) = [r for r in experiment.regions if r.begin_line1 == line]
    return region.id


def _times(experiment: Experiment) -> list[float]:
    return [snapshot.time for snapshot in experiment.snapshots]


def test_each_call_makes_one(program: Program, tmp_path: Path) -> None:
    result = run(program("snapshots"), "calls", "5", folder=tmp_path)
    assert (result.status, result.stderr) == (0, "")
    measured = result.experiment()
    work = _region(measured, 40)
    assert [snapshot.number for snapshot in measured.snapshots] == [1, 2, 3, 4, 5]
    assert {snapshot.cause for snapshot in measured.snapshots} == {"call"}
    assert [snapshot.profile[work, 0].execC for snapshot in measured.snapshots] == [1, 2, 3, 4, 5]
    assert sorted(_times(measured)) == _times(measured)
    assert measured.snapshots[-1].time <= measured.duration
    assert measured.snapshots[-1].profile[work, 0].execT == total(measured, 40, "execT")


def test_what_is_beyond_the_limit_is_counted(program: Program, tmp_path: Path) -> None:
    result = run(program("snapshots"), "calls", "5", folder=tmp_path, POMP_SNAPSHOT_LIMIT="3")
    assert (len(result.experiment().snapshots), result.experiment().dropped_snapshots) == (3, 2)


def test_open_regions_last_until_then(program: Program, tmp_path: Path) -> None:
    """Take snapshots at an interval far below a second."""
    result = run(
        program("snapshots"), "goes_on", "400", folder=tmp_path, POMP_SNAPSHOT_INTERVAL="0.02"
    )
    assert (result.status, result.stderr) == (0, "")
    measured = result.experiment()
    func = _region(measured, 30)
    assert 3 <= len(measured.snapshots) <= measured.duration / 0.02
    assert {snapshot.cause for snapshot in measured.snapshots} == {"interval"}
    end = measured.profile[func, 0].execT
    visits = [(snapshot.time, snapshot.profile[func, 0]) for snapshot in measured.snapshots]
    begins = [time - visit.execT for time, visit in visits if visit.execT < end]
    assert len(begins) >= 2
    assert max(begins) - min(begins) < 1e-6
    assert {visit.execC for _, visit in visits} == {1}


def test_threads_that_never_rest(program: Program, tmp_path: Path) -> None:
    """Values grow from one snapshot to the next, and no thread stops."""
    result = run(program("snapshots"), "never_rests", folder=tmp_path)
    measured = result.experiment()
    crit = _region(measured, 20)
    assert counts(measured, 20) == {1: int(result.stdout)}
    visits = [
        snapshot.profile[crit, 1].execC
        for snapshot in measured.snapshots
        if (crit, 1) in snapshot.profile
    ]
    assert len(visits) == 20
    assert visits == sorted(visits)
    assert visits[-1] <= int(result.stdout)
    for snapshot in measured.snapshots:
        assert all(row.execT <= snapshot.time * 1.001 + 1e-3 for row in snapshot.profile.values())


def test_a_signal_makes_one(program: Program, tmp_path: Path) -> None:
    result = run(program("snapshots"), "signals", folder=tmp_path, POMP_SNAPSHOT_SIGNAL="SIGUSR2")
    assert (result.status, result.stderr) == (0, "")
    measured = result.experiment()
    assert {snapshot.cause for snapshot in measured.snapshots} == {"signal"}
    work = _region(measured, 40)
    assert [snapshot.profile[work, 0].execC for snapshot in measured.snapshots] == [1, 2, 3]


def test_a_signal_that_was_not_asked_for_is_the_programs(program: Program, tmp_path: Path) -> None:
    result = run(program("snapshots"), "signals", folder=tmp_path)
    assert result.status == -signal.SIGUSR2


def test_a_signal_that_is_taken_is_left(program: Program, tmp_path: Path) -> None:
    script = tmp_path / "ignoring"
    script.write_text("#!/bin/sh\ntrap '' USR2\nexec \"$@\"\n")
    script.chmod(0o755)
    arguments = (str(program("snapshots")), "signals")
    result = run(script, *arguments, folder=tmp_path, POMP_SNAPSHOT_SIGNAL="USR2")
    assert result.status == 0
    assert result.stderr.startswith("pomp: POMP_SNAPSHOT_SIGNAL: signal 12 is taken")
    assert result.experiment().snapshots == ()


def test_a_killed_program_leaves_them(program: Program, tmp_path: Path) -> None:
    result = run(program("snapshots"), "kill", folder=tmp_path, POMP_SNAPSHOT_INTERVAL="0.05")
    assert result.status == -signal.SIGKILL
    measured = result.experiment()
    assert not measured.complete
    assert measured.snapshots
    assert measured.snapshots[-1].profile[_region(measured, 30), 0].execT > 0.04


def test_a_child_has_its_own(program: Program, tmp_path: Path) -> None:
    result = run(program("snapshots"), "child", folder=tmp_path)
    assert len(result.experiment().snapshots) == 2
    (path,) = tmp_path.glob("exp.*")
    child = result.experiment(path.name)
    work = _region(child, 40)
    assert [snapshot.number for snapshot in child.snapshots] == [1, 2, 3]
    assert [snapshot.profile[work, 0].execC for snapshot in child.snapshots] == [1, 2, 3]


def test_a_process_ends_with_its_last_thread(program: Program, tmp_path: Path) -> None:
    """End the process although the thread that takes snapshots is still there."""
    result = run(
        program("snapshots"), "main_leaves", folder=tmp_path, POMP_SNAPSHOT_INTERVAL="0.01"
    )
    assert (result.status, result.stderr) == (0, "")
    assert result.experiment().complete


@pytest.mark.parametrize("interval", ["0", "0.5", "1000"])
def test_intervals_that_do_not_come(program: Program, tmp_path: Path, interval: str) -> None:
    """Take none at intervals of 0, and at those longer than the program."""
    result = run(
        program("snapshots"), "goes_on", "20", folder=tmp_path, POMP_SNAPSHOT_INTERVAL=interval
    )
    assert (result.status, result.stderr) == (0, "")
    assert result.experiment().snapshots == ()
