"""The output of OTF2's own tool for an archive, against the trace that the archive was made
from."""

from __future__ import annotations

import subprocess
from dataclasses import replace
from itertools import groupby
from pathlib import Path

import numpy as np
import pytest

from pomp_clang.experiment.layout import Column
from pomp_clang.export.otf2.process_archive import write
from pomp_clang.trace.layout import Kind, Op, Type, enter
from pomp_clang.trace.model import Stream, Trace
from pomp_clang.trace.reader import read
from tests.compilers import first, links_openmp
from tests.otf2.oracle import Oracle
from tests.otf2.printed import Line, events, otf2_print
from tests.random_programs.check import COMPILERS, Case, complaints
from tests.random_programs.fuzz import KINDS
from tests.random_programs.grammar import program
from tests.random_programs.running import load, run
from tests.trace.handmade import CRITICAL, LOOP, experiment, word

PROGRAMS = Path(__file__).parent / "Inputs"


def exported(trace: Trace, folder: Path) -> tuple[int, list[Line]]:
    anchor = folder / "traces.otf2"
    count = write(trace, anchor, lambda _: None)
    return count, events(anchor)


def disagreements(trace: Trace, lines: list[Line]) -> list[tuple[object, ...]]:
    """Return the differences event by event; the expected texts are only regions and teams'
    sizes."""
    oracle = Oracle(trace)
    by_location: dict[int, list[Line]] = {}
    for line in lines:
        by_location.setdefault(line.location, []).append(line)
    wrong: list[tuple[object, ...]] = []
    for rank, stream in enumerate(trace.streams):
        expected = list(oracle.events(stream))
        result = by_location.get(rank, [])
        if len(expected) != len(result):
            wrong.append((stream.location, len(expected), len(result)))
        for want, line in zip(expected, result, strict=False):
            if want[:2] != (line.event, line.time) or (want[2] and want[2] != line.text):
                wrong.append((stream.location, want, line))
    return wrong[:5]


def traced(source: Path, folder: Path, *threads: int, barriers: str = "explicit") -> Trace:
    compiler = first("clang-19", "clang", "gcc")
    if not compiler:
        pytest.skip("no compiler with OpenMP is here")
    pomp_command = ["pomp-clang", "--pomp-functions=all", f"--pomp-barriers={barriers}", "--"]
    build = [compiler, "-O1", "-fopenmp", str(source), "-o", "app"]
    subprocess.run([*pomp_command, *build], cwd=folder, check=True)
    settings = {"POMP_TRACE": "1", "POMP_EXPERIMENT_DIR": "exp"}
    settings["OMP_NUM_THREADS"] = ",".join(map(str, threads))
    run(["./app"], folder, **settings)
    return read(str(folder / "exp"))


@pytest.mark.parametrize("barriers", ["arrival", "explicit", "ompt"])
@pytest.mark.parametrize("threads", [(1,), (3,), (2, 2)])
def test_every_event_is_there_in_its_order_and_at_its_time(
    threads: tuple[int, ...], barriers: str, tmp_path: Path
) -> None:
    trace = traced(PROGRAMS / "everything.c", tmp_path, *threads, barriers=barriers)
    count, lines = exported(trace, tmp_path)
    assert count == len(lines) > 500
    assert not disagreements(trace, lines)


@pytest.mark.parametrize(("language", "compiler"), KINDS)
@pytest.mark.parametrize(
    ("seed", "barriers"), [(211, "explicit"), (212, "arrival"), (213, "arrival")]
)
def test_random_programs(
    seed: int, barriers: str, language: str, compiler: str, tmp_path: Path
) -> None:
    name = COMPILERS[language][compiler]
    if not links_openmp(name):
        pytest.skip(f"{name} with its OpenMP runtime is not here")
    load()
    case = Case(program(seed, language, compiler, size=40), compiler, tmp_path, barriers=barriers)
    if list(complaints(case)):
        pytest.skip("its profile is not what it should be: the random programs' own tests tell why")
    run(["./measured"], tmp_path, **case.environment, POMP_EXPERIMENT_DIR="traced", POMP_TRACE="1")
    trace = read(str(tmp_path / "traced"))
    _, lines = exported(trace, tmp_path)
    assert not disagreements(trace, lines)


def test_locks_are_got_in_one_order_over_all_threads(tmp_path: Path) -> None:
    trace = traced(PROGRAMS / "everything.c", tmp_path, 3)
    _, lines = exported(trace, tmp_path)
    received = sorted(
        (int(line.text.split()[0]), line.time, int(line.text.split()[1]))
        for line in lines
        if line.event == "THREAD_ACQUIRE_LOCK"
    )
    assert len({lock for lock, _, _ in received}) == 4
    for _, group in groupby(received, lambda row: row[0]):
        orders = [order for _, _, order in group]
        assert orders == list(range(1, len(orders) + 1))
    given_up = {line.text for line in lines if line.event == "THREAD_RELEASE_LOCK"}
    assert given_up == {f"{lock} {order}" for lock, _, order in received}


def test_tasks_begin_where_they_were_created_and_threads_return_to_what_they_left(
    tmp_path: Path,
) -> None:
    trace = traced(PROGRAMS / "everything.c", tmp_path, 2)
    _, lines = exported(trace, tmp_path)
    created = [line for line in lines if line.event == "THREAD_TASK_CREATE"]
    completed = {line.text for line in lines if line.event == "THREAD_TASK_COMPLETE"}
    assert len(created) == len({line.text for line in created}) == len(completed) > 20
    for location in {line.location for line in lines}:
        running = ["implicit"]
        for line in lines:
            if line.location != location or not line.event.startswith("THREAD_TASK"):
                continue
            if line.event == "THREAD_TASK_COMPLETE":
                assert running.pop() == line.text
                returned = True
            elif line.event == "THREAD_TASK_SWITCH":
                if line.text.endswith(" 0"):
                    assert len(running) == 1
                elif line.text not in running:
                    running.append(line.text)
                else:
                    assert running[-1] == line.text and returned
    assert {line.text.split()[0] for line in created} == {"0"}


def test_definitions(tmp_path: Path) -> None:
    trace = traced(PROGRAMS / "everything.c", tmp_path, 2)
    write(trace, tmp_path / "traces.otf2", lambda _: None)
    text = otf2_print(tmp_path / "traces.otf2", "-G")
    header = trace.records.header
    assert f"Ticks per Seconds: {header.ticks_per_second}, Global Offset: {header.start}" in text
    rows = [line for line in text.splitlines() if line.startswith("REGION")]
    for role in ("PARALLEL", "LOOP", "SINGLE_SBLOCK", "SECTION", "CRITICAL_SBLOCK", "TASK_CREATE",
                 "TASK_WAIT", "IMPLICIT_BARRIER", "BARRIER", "ATOMIC", "MASTER", "ORDERED"):  # fmt: skip
        assert any(f'Role: {role}, Paradigm: "OpenMP"' in row for row in rows), role
    source = PROGRAMS / "everything.c"
    number = next(
        n for n, line in enumerate(source.read_text().splitlines(), 1) if "single" in line
    )
    single = next(row for row in rows if "Role: SINGLE," in row)
    assert f"@everything.c:{number}" in single and f"Begin: {number}, End:" in single
    paths = [line for line in text.splitlines() if line.startswith("CALLPATH")]
    assert len(paths) == len(trace.records.paths)


@pytest.mark.parametrize(
    ("kind", "words", "value"),
    [
        (Type.SIGNED, [5], "INT64; 5)"),
        (Type.SIGNED, [(1 << 56) - 1], "INT64; -1)"),
        (Type.SIGNED, [(1 << 56) - 300], "INT64; -300)"),
        (Type.SIGNED, [0, 0x80], "INT64; -9223372036854775808)"),
        (Type.UNSIGNED, [(1 << 56) - 1], "UINT64; 72057594037927935)"),
        (Type.UNSIGNED, [(1 << 56) - 1, 0xFF], "UINT64; 18446744073709551615)"),
        (Type.REAL, [0x3FF80000000000], "DOUBLE; 1.5)"),
        (Type.REAL, [0x3FB99999999999, 0x9A], "DOUBLE; 0.1)"),
        (Type.REAL, [0], "DOUBLE; 0)"),
    ],
)
def test_values_are_metrics(kind: Type, words: list[int], value: str, tmp_path: Path) -> None:
    stream = [
        word(enter(Kind.WORK), LOOP, 10),
        word(Op.TELLS | kind, LOOP, 15, *words),
        word(Op.LEAVE, LOOP, 20),
    ]
    write(read(experiment(tmp_path, stream)), tmp_path / "traces.otf2", lambda _: None)
    text = otf2_print(tmp_path / "traces.otf2")
    assert value in next(line for line in text.splitlines() if line.startswith("METRIC"))
    assert "!$omp for @" in otf2_print(tmp_path / "traces.otf2", "-G").split("METRIC_MEMBER")[1]


def test_what_is_open_at_the_end_is_left_there_and_time_never_decreases(tmp_path: Path) -> None:
    stream = [
        word(enter(Kind.WORK), LOOP, 100),
        word(enter(Kind.SYNC), CRITICAL, 200),
        word(Op.PHASE | Column.BODY_T, CRITICAL, 150),
    ]
    trace = read(experiment(tmp_path, stream))
    count, lines = exported(trace, tmp_path)
    assert not disagreements(trace, lines)
    assert count == len(lines)
    assert [(line.event, line.time) for line in lines] == [
        ("ENTER", 100),
        ("ENTER", 200),
        ("THREAD_ACQUIRE_LOCK", 200),
        ("ENTER", 200),
        ("LEAVE", trace.end),
        ("THREAD_RELEASE_LOCK", trace.end),
        ("LEAVE", trace.end),
        ("LEAVE", trace.end),
    ]


@pytest.mark.parametrize("words", [[], [word(Op.ENDS, 0, 10)], [word(Op.HOLDS, 0, 10, 5)]])
def test_a_location_without_regions(words: list[list[int]], tmp_path: Path) -> None:
    trace = read(experiment(tmp_path, words))
    count, lines = exported(trace, tmp_path)
    assert count == len(lines) == sum(Op.HOLDS in (word_[0] & 0xFF,) for word_ in words)
    assert not disagreements(trace, lines)


def test_events_of_many_chunks(tmp_path: Path) -> None:
    """Chunks hold 1 MiB each, and no piece of the export ends where a chunk does."""
    visits = np.arange(150_000)
    op = np.tile(np.array([enter(Kind.WORK), Op.LEAVE], np.uint8), len(visits))
    none = np.zeros(0, np.int64)
    time = 1000 + np.arange(len(op)) * 3
    stream = Stream(0, time, op, np.full(len(op), LOOP, np.uint16), none, none)
    trace = replace(read(experiment(tmp_path, [])), streams=(stream,), end=int(time[-1]))
    count, lines = exported(trace, tmp_path)
    assert count == len(lines) == len(op)
    assert (tmp_path / "traces" / "0.evt").stat().st_size > 3 << 20
    assert [line.time for line in lines] == time.tolist()
    again = read(str(tmp_path / "traces.otf2"))
    assert all((stream.time == time).all() for stream in again.streams)
