"""Processes that a program makes behave as without us, and what the program did is measured."""

from __future__ import annotations

from pathlib import Path

import pytest

from pomp_clang.experiment.reader import read
from tests.robust.both import Both, Ended, visits

LEAF = {"parallel": 2, "counting": 2}


@pytest.fixture
def processes(both: Both) -> Both:
    both.build("processes.c", "processes")
    return both


@pytest.mark.parametrize("by_exit", [0, 1])
def test_hundreds_of_children(processes: Both, by_exit: int) -> None:
    """Each child that ends by exit() leaves an experiment of its own, the others none."""
    ended = processes.run("./processes", "forks", "300", str(by_exit))
    teams = len(range(0, 300, 16))
    assert ended.out == f"children say {300 + teams}, the parent 2\n"
    parent, *children = processes.experiments()
    assert visits(parent) == {"parallel": 2, "counting": 2}
    assert len(children) == 300 * by_exit
    assert all(experiment.complete for experiment in [parent, *children])
    counted = [visits(child) for child in children]
    assert sum(row["parallel"] for row in counted) == 2 * teams * by_exit
    assert sum(row["counting"] for row in counted) == (300 + teams) * by_exit


@pytest.mark.parametrize(
    ("how", "expected", "others"),
    [("exec", 1, 1), ("vfork", 2, 1), ("spawn", 2, 2)],
)
def test_programs_that_are_started(processes: Both, how: str, expected: int, others: int) -> None:
    """A started program has an experiment of its own; a child between fork and exec leaves none."""
    ended = processes.run("./processes", how, POMP_EXPERIMENT_DIR="")
    assert ended.out.count("42") == others
    assert _measured(processes.folder / "measured") == [
        (True, {"counting": expected}),
        *[(True, LEAF)] * others,
    ]


def _measured(folder: Path) -> list[tuple[bool, dict[str, int]]]:
    """Return for each program, by its begin, whether its experiment is complete, and its visits."""
    numbered = sorted(folder.glob("pomp-*"), key=lambda path: int(path.name.rpartition("-")[2]))
    runs = [read(str(path)) for path in numbered]
    return [(run.complete, dict(visits(run))) for run in runs]


def test_a_program_that_replaces_itself(processes: Both) -> None:
    """The experiment of the replaced program looks like that after a crash."""
    ended = processes.run("./processes", "replace", POMP_EXPERIMENT_DIR="")
    assert ended.status == 42
    assert _measured(processes.folder / "measured") == [(False, LEAF), (True, LEAF)]


def test_a_daemon(processes: Both) -> None:
    """Forked twice, in another session and directory and without any descriptor of its
    parents', it leaves its experiment beside theirs."""
    assert processes.run("./processes", "daemon") == Ended(0, "2", "")
    parent, daemon = processes.experiments()
    assert visits(parent) == {}
    assert visits(daemon) == {"parallel": 2, "counting": 2}
    assert daemon.complete
