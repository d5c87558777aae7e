"""What a program of ten seconds would gain without an inefficiency, worked out by hand."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from pomp_clang.causes.algebra import of_all
from pomp_clang.causes.graph import graph_of
from pomp_clang.causes.predict import gain_of
from pomp_clang.causes.processes import Processes
from pomp_clang.causes.properties import openmp, threads, time
from pomp_clang.causes.property import Property
from pomp_clang.causes.registry import properties
from pomp_clang.causes.retime import Changed, end_of, tail_of
from pomp_clang.causes.run import Run
from pomp_clang.trace.layout import Kind
from tests.causes.scripts import (
    BARRIER,
    CRITICAL,
    FLUSH,
    INNER,
    INNER_TEAM,
    LOOP,
    NEXT_TEAM,
    PARALLEL,
    SECOND_REGION,
    TEAM,
    barrier,
    begin,
    critical,
    departing,
    ending,
    fork,
    leave,
    loop,
    member,
    opened,
    run_of,
)


def gain(run: Run, line: int, *names: str) -> float | None:
    kind = next(each for each in properties() if each.path()[-len(names) :] == names)
    path = next(row for row, place in enumerate(run.paths) if place.line == line)
    found = gain_of(run, kind, path)
    return found if found is None else round(found, 9)


def replayed(run: Run) -> float:
    """The duration of the trace as it is, gone through again."""
    graph = graph_of(run)
    same = Changed(graph.work, graph.lag, graph.kind < 0, tail_of(run, graph))
    ticks = end_of(run, graph, same)
    return round(ticks / run.second, 9)


@pytest.fixture
def rich(tmp_path: Path) -> Run:
    """Serial up to 1 and from 8.5; the worker is late by 0.1 at the fork and by 2 at the barrier,
    then waits a second for the critical; the master has a team within."""
    master = [
        fork(1, PARALLEL, TEAM), begin(1.05, PARALLEL), *barrier(BARRIER, 2, 4.1),
        *critical(CRITICAL, 4.2, 4.25, 6, 6.05),
        fork(6.1, INNER, INNER_TEAM), begin(6.15, INNER), *ending(INNER, INNER_TEAM, 7, 7.1, 7.2),
        *ending(PARALLEL, TEAM, 8, 8.3, 8.5),
    ]  # fmt: skip
    worker = [
        member(1.1, PARALLEL, TEAM, 1), *barrier(BARRIER, 4, 4.15),
        *critical(CRITICAL, 5, 6.1, 7, 7.05), *departing(PARALLEL, 8.2, 8.35),
    ]  # fmt: skip
    inner = [member(6.3, INNER, INNER_TEAM, 6.1), *departing(INNER, 6.5, 7.15)]
    return run_of(tmp_path, master, worker, inner, levels=(0, 1, 2))


def test_the_trace_as_it_is_takes_as_long_as_it_took(rich: Run) -> None:
    assert replayed(rich) == 10


def test_work_before_a_barrier_is_shared(rich: Run) -> None:
    """Begun at 1.05 and 1.1, with 0.95 and 2.9 of work: 1.925 each, so the last comes at 3.025
    instead of 4."""
    assert gain(rich, 40, "Explicit", "Wait at Barrier") == 0.975


def test_a_critical_is_got_at_once(rich: Run) -> None:
    """The worker asks at 5, gets it 0.1 later and is at the end at 7.2; the master at 8, for whom
    it was 0.2 late before."""
    assert gain(rich, 30, "Critical", "Contention") == 0.2


def test_what_is_serial_is_shared_by_all(rich: Run) -> None:
    """2.5 seconds, among three."""
    assert gain(rich, 0, "Idle Threads") == pytest.approx(2.5 * 2 / 3)


def test_a_small_team_becomes_a_large_one(tmp_path: Path) -> None:
    """Four seconds of one thread, where two could be."""
    run = run_of(
        tmp_path,
        [
            fork(1, PARALLEL, TEAM), begin(1, PARALLEL), *ending(PARALLEL, TEAM, 2, 2, 2),
            fork(3, SECOND_REGION, NEXT_TEAM), begin(3, SECOND_REGION),
            *ending(SECOND_REGION, NEXT_TEAM, 7, 7, 7),
        ],
        [member(1, PARALLEL, TEAM, 1), *departing(PARALLEL, 2, 2)],
    )  # fmt: skip
    assert gain(run, 130, "Limited Parallelism") == 2


def test_no_gain_where_others_are_waited_for(tmp_path: Path) -> None:
    """The one who comes late to the loop's barrier is early at the next, and is waited for no less
    for its flushes, which it has time for."""
    master = [
        fork(1, PARALLEL, TEAM), begin(1, PARALLEL), *loop(LOOP, 1, 2, 3), *barrier(BARRIER, 8, 8),
        *ending(PARALLEL, TEAM, 8, 8, 8),
    ]  # fmt: skip
    worker = [
        member(1, PARALLEL, TEAM, 1), *loop(LOOP, 1, 3, 3),
        opened(4, Kind.SIMPLE, FLUSH), leave(5, FLUSH),
        *barrier(BARRIER, 6, 8), *departing(PARALLEL, 8, 8),
    ]  # fmt: skip
    run = run_of(tmp_path, master, worker)
    assert replayed(run) == 10
    assert gain(run, 100, "Flush") == 0
    assert gain(run, 20, "Implicit", "Wait at Barrier") == 0.5
    assert gain(run, 40, "Explicit", "Wait at Barrier") == 1


def test_the_last_of_several_processes_is_the_end(rich: Run, tmp_path: Path) -> None:
    """Of 0.975 s the one gains only as much as the other one is shorter; of what both do, as much
    as the longer one, which of 2.5 s has a third left."""
    other = run_of(
        tmp_path / "other",
        [fork(1, PARALLEL, TEAM), begin(1, PARALLEL), *ending(PARALLEL, TEAM, 5, 5, 5)],
        [member(1, PARALLEL, TEAM, 1), *departing(PARALLEL, 3, 5)],
    )
    other = replace(other, end=other.start + round(9.5 * other.second))
    paths, _ = of_all([rich.paths, other.paths])
    several = Processes((rich, other))

    def gains(line: int, kind: type[Property]) -> float:
        path = next(row for row, place in enumerate(paths) if place.line == line)
        found = several.gain_of(kind, path)
        assert found is not None
        return round(found, 9)

    assert gains(40, openmp.ExplicitWait) == 0.5
    assert gains(0, threads.IdleThreads) == round(2.5 * 2 / 3, 9)
    assert several.gain_of(time.Time, 0) is None


def test_what_cannot_be_told_is_none(rich: Run) -> None:
    assert gain(rich, 40, "Overhead") is None
    assert gain(rich, 40, "Time") is None
