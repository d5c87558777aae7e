"""Traces of threads with many events: a thread of the runtime makes room for them, unnoticed by the
program."""

from __future__ import annotations

import os
import subprocess
import time
from pathlib import Path

import numpy as np
import pytest

from pomp_clang.experiment import ExperimentError
from pomp_clang.experiment.layout import Column
from pomp_clang.experiment.parse import load
from pomp_clang.trace.blocks import read_blocks
from pomp_clang.trace.reader import read
from tests.runtime.conftest import Program
from tests.runtime.harness import Build, run
from tests.trace.agreement import disagreements
from tests.trace.sums import sums

BLOCK = 1 << 18
EACH = "300000"
"""Events of a thread, of 8 bytes: nine blocks."""
MEANWHILE_OR_AT_END = pytest.mark.parametrize("at_end", ["0", "1"])


def _record(program: Program, folder: Path, *arguments: str, **settings: str) -> list[Path]:
    result = run(program("recorded"), *arguments, folder=folder, POMP_TRACE="1", **settings)
    assert (result.status, result.stderr) == (0, "")
    return sorted((folder / "exp").glob("trace-*"))


@MEANWHILE_OR_AT_END
def test_all_events_of_all_threads_are_there(program: Program, tmp_path: Path, at_end: str) -> None:
    files = _record(program, tmp_path, "team", EACH, POMP_TRACE_AT_END=at_end)
    assert len(files) == 4
    assert all(len(actual[1]) > 8 for file in files if (actual := read_blocks(file)))
    assert not list(disagreements(tmp_path / "exp"))


@pytest.mark.parametrize(
    ("events", "threads", "most"),
    [(100_000, 2, 12), (100_000, 4, 12), (100_000, 16, 12), (10_000, 4, 16)],
)
def test_a_trace_in_memory_takes_little_more_than_its_events(
    program: Program, tmp_path: Path, events: int, threads: int, most: int
) -> None:
    memory = {}
    for trace in ("0", "1"):
        settings = {"POMP_TRACE": trace, "POMP_TRACE_AT_END": "1", "POMP_EXPERIMENT_DIR": trace}
        arguments = ("team", str(events // threads), str(threads))
        result = run(program("recorded"), *arguments, folder=tmp_path, **settings)
        memory[trace] = int(result.stdout)
    recorded = sum(len(stream.op) for stream in read(str(tmp_path / "1")).streams)
    assert events <= recorded <= events + 10 * threads
    assert 7 < (memory["1"] - memory["0"]) / recorded <= most


def test_a_signal_handlers_events_are_there_while_pages_are_had(
    program: Program, tmp_path: Path
) -> None:
    """No event within a block is lost, whatever a signal handler interrupts."""
    for turn in range(10):
        (folder := tmp_path / str(turn)).mkdir()
        _record(program, folder, "interrupted", "20000", POMP_TRACE_AT_END="1")
        locations = load(str(folder / "exp")).locations
        assert [location.unrecorded for location in locations.values()] == [0]


def test_a_signal_handlers_events_may_be_the_first(program: Program, tmp_path: Path) -> None:
    """Between blocks, only events of signal handlers are lost, and none of the thread's."""
    for turn in range(10):
        (folder := tmp_path / str(turn)).mkdir()
        _record(program, folder, "interrupted", "20000", "0", POMP_TRACE_AT_END="1")
        assert sum(len(stream.op) for stream in read(str(folder / "exp")).streams) >= 20_000


def test_room_that_is_not_used_is_cut_off(program: Program, tmp_path: Path) -> None:
    for file in _record(program, tmp_path, "team", EACH):
        data = np.fromfile(file, np.uint64)
        used = np.flatnonzero(data)[-1] + 1
        assert len(data) - used <= 2 * 4096 // 8 or len(data) % (BLOCK // 8) == 0


@MEANWHILE_OR_AT_END
def test_a_file_whose_end_is_missing_is_refused(
    program: Program, tmp_path: Path, at_end: str
) -> None:
    """Refuse it also if whole blocks are missing."""
    (_, file, *_) = _record(program, tmp_path, "team", EACH, POMP_TRACE_AT_END=at_end)
    last = int(np.flatnonzero(np.fromfile(file, np.uint64))[-1]) * 8
    for length in (last, last // BLOCK * BLOCK, BLOCK, 100):
        os.truncate(file, length)
        with pytest.raises(ExperimentError, match=r"is cut off|is damaged"):
            list(read(str(tmp_path / "exp")).streams)


def test_a_killed_program_has_all_that_it_recorded(program: Program, tmp_path: Path) -> None:
    """Kill the program at any moment: while room is made, taken or given back."""
    app, visits = str(program("recorded")), []
    for turn in range(12):
        directory = tmp_path / f"exp-{turn}"
        environment = os.environ | {"POMP_TRACE": "1", "POMP_EXPERIMENT_DIR": str(directory)}
        with subprocess.Popen(
            [app, "team", "2000000000"], cwd=tmp_path, env=environment
        ) as running:
            while _size(directory) <= turn * BLOCK:
                time.sleep(0.0003)
            running.kill()
        visits.append(_has_all_visits(directory))
    assert visits[-1] > BLOCK // 8


def _size(directory: Path) -> int:
    return sum(file.stat().st_size for file in directory.glob("trace-*"))


def _has_all_visits(directory: Path) -> int:
    """Allow for the event in progress when the program was killed: trace or profile may lack it."""
    trace = read(str(directory))
    visits = sums(trace)
    for key, row in trace.records.sums.items():
        by_trace = visits[key][Column.EXEC_C] if key in visits else 0
        assert abs(by_trace - row[Column.EXEC_C]) <= 1
    return sum(row[Column.EXEC_C] for row in visits.values())


def test_numbers_of_descriptors_are_the_programs(program: Program, tmp_path: Path) -> None:
    settings = {"POMP_TRACE": "1"}
    result = run(program("recorded"), "descriptors", "300", folder=tmp_path, **settings)
    assert result.stdout == "0\n"


@MEANWHILE_OR_AT_END
def test_forked_children_make_room_for_themselves(
    program: Program, tmp_path: Path, at_end: str
) -> None:
    events = 200_000
    _record(program, tmp_path, "forks", str(events), POMP_TRACE_AT_END=at_end)
    experiments = sorted(tmp_path.glob("exp*"))
    assert len(experiments) == 5
    for experiment in experiments:
        assert not list(disagreements(experiment))
        recorded = sum(len(stream.op) for stream in read(str(experiment)).streams)
        assert recorded >= (4 if experiment.name == "exp" else 1) * events


@MEANWHILE_OR_AT_END
def test_the_limit_is_that_of_all_room(program: Program, tmp_path: Path, at_end: str) -> None:
    settings = {"POMP_TRACE": "1", "POMP_TRACE_LIMIT": "6", "POMP_TRACE_AT_END": at_end}
    result = run(program("recorded"), "team", EACH, folder=tmp_path, **settings)
    text = "the trace has reached POMP_TRACE_LIMIT=6 (MiB), what follows is not recorded"
    assert result.stderr == f"pomp: {text}\n"
    size = sum(file.stat().st_size for file in (tmp_path / "exp").glob("trace-*"))
    assert 6 << 20 >= size > 4 << 20
    short = [stream for stream in read(str(tmp_path / "exp")).streams if stream.lost]
    assert short
    assert all((stream.time <= stream.lost_since).all() for stream in short)


def test_a_process_whose_main_thread_has_left_ends(program: Program, tmp_path: Path) -> None:
    _record(program, tmp_path, "leave")
    assert not list(disagreements(tmp_path / "exp"))


def test_a_bound_program_is_not_bound_to_its_thread(
    program: Program, build: Build, tmp_path: Path
) -> None:
    """Run on other processors than the initial thread's, which libgomp binds before the measurement."""
    if len(os.sched_getaffinity(0)) < 2:
        pytest.skip("one processor: nothing to bind to")
    settings = {"POMP_TRACE": "1", "OMP_PROC_BIND": "true"}
    result = run(program("recorded"), "places", folder=tmp_path, **settings)
    assert int(max(result.stdout.split(), key=int)) == len(os.sched_getaffinity(0))
