"""Before its first event a process measures in memory, and leaves no files behind."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest

from pomp_clang.experiment.reader import read
from tests.runtime.conftest import Program
from tests.runtime.harness import counts, run

BY_DEFAULT = {"POMP_EXPERIMENT_DIR": ""}
KILLED = -signal.SIGKILL


@pytest.mark.parametrize("settings", [{}, {"POMP_TRACE": "1"}, {"POMP_SNAPSHOT_INTERVAL": "0.01"}])
@pytest.mark.parametrize("steps", ["kill", "exec", "_exit", "many snapshot kill"])
def test_process_without_an_event_leaves_nothing_however_it_ends(
    program: Program, tmp_path: Path, steps: str, settings: dict[str, str]
) -> None:
    result = run(program("before"), *steps.split(), folder=tmp_path, **BY_DEFAULT | settings)
    assert (result.status, result.stderr) == (KILLED if "kill" in steps else 0, "")
    assert list(tmp_path.iterdir()) == []


def test_process_that_is_killed_after_an_event_leaves_an_experiment(
    program: Program, tmp_path: Path
) -> None:
    result = run(program("before"), "visit", "kill", folder=tmp_path, **BY_DEFAULT)
    experiment = result.experiment("pomp-before-1")
    assert result.status == KILLED and not experiment.complete
    assert counts(experiment, 30) == {0: 1}


@pytest.mark.parametrize("settings", [{"POMP_EXPERIMENT_DIR": "exp"}, {"PMI_RANK": "0"}])
def test_experiment_that_is_wanted_is_there_from_the_begin(
    program: Program, tmp_path: Path, settings: dict[str, str]
) -> None:
    run(program("before"), "kill", folder=tmp_path, **BY_DEFAULT | settings)
    assert len(list(tmp_path.rglob("profile.pomp"))) == 1


@pytest.mark.parametrize("end", ["", "kill"], ids=["ends", "killed"])
def test_more_regions_than_fit_the_first_room_are_all_there(
    program: Program, tmp_path: Path, end: str
) -> None:
    result = run(
        program("before"), "many", "visit", "visit_last", end, folder=tmp_path, **BY_DEFAULT
    )
    experiment = result.experiment("pomp-before-1")
    assert len(experiment.regions) == 1 + 20000
    assert counts(experiment, 30) == counts(experiment, 1000 + 20000 - 1) == {0: 1}


def test_regions_that_come_after_the_first_event_are_there(
    program: Program, tmp_path: Path
) -> None:
    result = run(program("before"), "visit", "many", "visit_last", folder=tmp_path, **BY_DEFAULT)
    experiment = result.experiment("pomp-before-1")
    assert len(experiment.regions) == 1 + 20000
    assert counts(experiment, 1000 + 20000 - 1) == {0: 1}


def test_experiment_is_where_the_measurement_began(program: Program, tmp_path: Path) -> None:
    run(program("before"), "move", "visit", folder=tmp_path, **BY_DEFAULT)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["below", "pomp-before-1"]
    assert list((tmp_path / "below").iterdir()) == []


def test_snapshot_before_the_first_event_is_kept(program: Program, tmp_path: Path) -> None:
    result = run(program("before"), "snapshot", "visit", "snapshot", folder=tmp_path, **BY_DEFAULT)
    assert len(result.experiment("pomp-before-1").snapshots) == 2


def test_fork_names_the_experiment(program: Program, tmp_path: Path) -> None:
    run(program("before"), "fork", "kill", folder=tmp_path, **BY_DEFAULT)
    assert not read(str(tmp_path / "pomp-before-1")).complete


def test_directory_that_cannot_be_made_is_named_at_the_first_event(
    program: Program, tmp_path: Path
) -> None:
    below = tmp_path / "folder"
    below.mkdir()
    limited = ["-c", f'ulimit -f 0; exec "{program("before")}" "$@"', "sh"]
    assert run(Path("sh"), *limited, folder=below, **BY_DEFAULT).stderr == ""
    result = run(Path("sh"), *limited, "visit", "many", folder=below, **BY_DEFAULT)
    assert result.status == 0 and result.stderr.count("\n") == 1
    assert result.stderr.endswith("File too large; nothing is measured\n")
    assert list(below.iterdir()) == []
