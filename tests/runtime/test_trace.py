"""Traces of programs with handwritten POMP calls: they agree with the profile, and survive any end
of the program."""

from __future__ import annotations

import signal
from pathlib import Path

import numpy as np
import pytest

from pomp_clang.experiment import ExperimentError
from pomp_clang.experiment.parse import load
from pomp_clang.trace.layout import Op
from pomp_clang.trace.reader import read
from tests.runtime.conftest import Program
from tests.runtime.harness import Build, run
from tests.trace.agreement import disagreements

CASES = [
    ("constructs",),
    ("callpaths", "teams"),
    ("callpaths", "tasks", "9"),
    ("callpaths", "fib", "9"),
    ("endings", "foreign"),
    ("endings", "control"),
    ("endings", "inside", "exit"),
    ("endings", "inside", "_exit"),
    ("locks", "contended"),
    ("locks", "tested"),
    ("locks", "nestable"),
    ("locks", "handed_over"),
    ("locks", "kept"),
    ("regions", "teams", "3"),
    ("regions", "early", "3"),
    ("nesting", "nested"),
    ("nesting", "recurse"),
    ("nesting", "recurse_parallel"),
    ("nesting", "left_open"),
    ("nesting", "sizes"),
    ("nesting", "without_team"),
    ("nesting", "cancelled"),
    ("nesting", "deep"),
    ("tasks", "fibonacci", "12"),
    ("tasks", "sleepers", "4", "2"),
    ("tasks", "undeferred"),
    ("tasks", "nested"),
    ("tasks", "groups"),
    ("tasks", "untied_trees"),
    ("tasks", "team_in_task"),
]
STOPS = ("exit", "quick_exit", "_exit", "abort", "segv", "kill")


def _agrees(program: Program, folder: Path, case: tuple[str, ...], **environment: str) -> None:
    name, *arguments = case
    environment |= {"POMP_TRACE": "1", "OMP_CANCELLATION": "true"}
    result = run(program(name), *arguments, folder=folder, **environment)
    assert result.stderr == ""
    assert not list(disagreements(folder / "exp"))


@pytest.mark.parametrize("case", CASES, ids="-".join)
def test_agrees_with_the_profile(program: Program, tmp_path: Path, case: tuple[str, ...]) -> None:
    _agrees(program, tmp_path, case)


def test_agrees_with_the_profile_of_a_random_program(
    program: Program, build: Build, tmp_path: Path
) -> None:
    if build.compiler != "gcc":
        pytest.skip("libomp hangs in it, now and then, of itself")
    for seed in ("1", "2", "3"):
        (tmp_path / seed).mkdir()
        _agrees(program, tmp_path / seed, ("stress", seed))


@pytest.mark.parametrize("case", [("constructs",), ("callpaths", "fib", "20")])
def test_agrees_when_written_at_the_end(
    program: Program, tmp_path: Path, case: tuple[str, ...]
) -> None:
    _agrees(program, tmp_path, case, POMP_TRACE_AT_END="1")


@pytest.mark.parametrize("how", STOPS)
def test_is_there_however_a_program_ends(program: Program, tmp_path: Path, how: str) -> None:
    run(program("endings"), "inside", how, folder=tmp_path, POMP_TRACE="1")
    assert not list(disagreements(tmp_path / "exp"))
    events = sum(len(stream.op) for stream in read(str(tmp_path / "exp")).streams)
    assert events > 20


def test_a_killed_programs_memory_is_lost(program: Program, tmp_path: Path) -> None:
    environment = {"POMP_TRACE": "1", "POMP_TRACE_AT_END": "1"}
    result = run(program("endings"), "inside", "kill", folder=tmp_path, **environment)
    assert result.status == -signal.SIGKILL
    assert not list((tmp_path / "exp").glob("trace-*"))
    with pytest.raises(ExperimentError, match="killed with its trace in memory"):
        read(str(tmp_path / "exp"))


def test_a_run_killed_before_its_first_event_says_so(program: Program, tmp_path: Path) -> None:
    result = run(program("endings"), "early", folder=tmp_path, POMP_TRACE="1")
    assert result.status == -signal.SIGKILL
    with pytest.raises(ExperimentError, match="killed before its first event"):
        read(str(tmp_path / "exp"))


def test_no_trace_unless_asked_for(program: Program, tmp_path: Path) -> None:
    run(program("constructs"), folder=tmp_path)
    assert [file.name for file in (tmp_path / "exp").iterdir()] == ["profile.pomp"]


@pytest.mark.parametrize("at_end", ["0", "1"])
def test_children_have_their_own(program: Program, tmp_path: Path, at_end: str) -> None:
    environment = {"POMP_TRACE": "1", "POMP_TRACE_AT_END": at_end}
    run(program("endings"), "children", "2", "1", folder=tmp_path, **environment)
    experiments = sorted(tmp_path.glob("exp*"))
    assert len(experiments) == 3
    for experiment in experiments:
        assert not list(disagreements(experiment))


@pytest.mark.parametrize("at_end", ["0", "1"])
def test_what_has_no_room_is_counted_and_marked(
    program: Program, tmp_path: Path, at_end: str
) -> None:
    """Apply the limit to all locations together; each keeps its beginning without gaps."""
    environment = {"POMP_TRACE": "1", "POMP_TRACE_LIMIT": "1", "POMP_TRACE_AT_END": at_end}
    result = run(program("callpaths"), "fib", "21", folder=tmp_path, **environment)
    text = "the trace has reached POMP_TRACE_LIMIT=1 (MiB), what follows is not recorded"
    assert result.stderr == f"pomp: {text}\n"
    streams = list(read(str(tmp_path / "exp")).streams)
    assert sum(file.stat().st_size for file in (tmp_path / "exp").glob("trace-*")) <= 1 << 20
    short = [stream for stream in streams if stream.lost]
    assert short
    for stream in short:
        assert (stream.time <= stream.lost_since).all()
        assert (np.diff(stream.time) >= 0).all()
    locations = load(str(tmp_path / "exp")).locations
    assert sum(location.unrecorded for location in locations.values()) == sum(s.lost for s in short)


def test_locks_and_teams_are_told_apart(program: Program, tmp_path: Path) -> None:
    run(program("locks"), "contended", folder=tmp_path, POMP_TRACE="1")
    held: set[int] = set()
    joined: set[int] = set()
    for stream in read(str(tmp_path / "exp")).streams:
        for op, threads in ((Op.HOLDS, held), (Op.JOINED, joined)):
            values, has = stream.values_of(np.flatnonzero(stream.op == op))
            assert has.all()
            threads.update(map(int, values))
    assert len(held) == 1 and len(joined) == 1
