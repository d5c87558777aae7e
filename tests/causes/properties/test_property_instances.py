"""The instances of each property: when they were, and that they sum up to its severity."""

from __future__ import annotations

import itertools
from pathlib import Path

import numpy as np
import pytest

from pomp_clang.causes.cube import instance_statistics_compute
from pomp_clang.causes.properties import (
    critical_path,
    delay,
    imbalance,
    instance_sources,
    openmp,
    threads,
    time,
)
from pomp_clang.causes.properties.property import Property
from pomp_clang.causes.properties.registry import occurrences_of, properties, severity_of
from pomp_clang.causes.run import thread_timeline as line
from pomp_clang.causes.run.run import Run
from pomp_clang.causes.timeline.activity import Activity
from pomp_clang.experiment.layout import Column
from pomp_clang.trace.layout import Kind
from tests.causes.scenarios import SCENARIOS, analysed
from tests.causes.scripts import (
    ATOMIC,
    BARRIER,
    CREATED,
    CRITICAL,
    FLUSH,
    LOOP,
    ORDERED,
    OTHER_CRITICAL,
    OTHER_TEAM,
    PARALLEL,
    SECOND_REGION,
    SINGLE,
    TASKWAIT,
    TEAM,
    Stream,
    barrier,
    begin,
    critical,
    departing,
    ending,
    fork,
    leave,
    lock,
    loop,
    member,
    opened,
    phase,
    run_of,
    task,
    waits,
)

WITHOUT = {"Time", "Execution", "Visits"}
"""Properties that have no place in time, or cover all time."""

BY_THREAD = (critical_path.CriticalPath, critical_path.PerformanceImpact)
"""Properties that book a worker on its way out of a team at that team's call path. The cube books
it at the worker's first one."""


def everything() -> list[Stream]:
    """Return a trace in which every property of OpenMP has a severity."""
    tasks = [
        opened(8.75, Kind.WORK, SINGLE), waits(9, SINGLE), phase(9.05, SINGLE, Column.TASK_T),
        *task(9.05, 9.1), waits(9.1, SINGLE), phase(9.25, SINGLE, 0), leave(9.25, SINGLE),
    ]  # fmt: skip
    return [
        [
            fork(1, PARALLEL, TEAM), begin(1.25, PARALLEL),
            *critical(CRITICAL, 1.5, 1.5, 1.75, 2), *barrier(BARRIER, 2, 3),
            *critical(OTHER_CRITICAL, 3, 3, 4, 4), *lock(8, 4, 4, 4.5), *loop(LOOP, 4.5, 4.75, 5),
            *ending(PARALLEL, TEAM, 5.25, 5.5, 6),
            fork(6.5, SECOND_REGION, OTHER_TEAM), begin(6.5, SECOND_REGION),
            opened(6.5, Kind.SIMPLE, FLUSH), leave(6.6, FLUSH),
            opened(6.6, Kind.SIMPLE, ATOMIC), leave(6.7, ATOMIC),
            *critical(ORDERED, 7, 7.25, 7.5, 7.5),
            opened(7.5, Kind.CREATE, CREATED), leave(7.6, CREATED),
            opened(7.75, Kind.WAIT, TASKWAIT), leave(8, TASKWAIT),
            *tasks, *ending(SECOND_REGION, OTHER_TEAM, 9.25, 9.5, 9.5),
        ],
        [
            member(1.5, PARALLEL, TEAM, 1),
            *barrier(BARRIER, 2.75, 3), *critical(CRITICAL, 3.5, 4.125, 4.25, 4.25),
            *lock(8, 4.25, 4.5, 4.6), *loop(LOOP, 4.6, 5, 5), *departing(PARALLEL, 5.25, 5.5),
            member(6.75, SECOND_REGION, OTHER_TEAM, 6.5), *loop(SINGLE, 8, 8.5, 9.25),
            *departing(SECOND_REGION, 9.5, 9.5),
        ],
    ]  # fmt: skip


def instances(run: Run, kind: type[Property]) -> list[tuple[int, int, float, float, float]]:
    """Return source line, thread, begin, end and severity of each instance, the worst first."""
    occurrences = occurrences_of(kind, run, properties())
    rows = np.lexsort((occurrences.begin, -occurrences.severity))
    return [
        (
            run.paths[occurrences.path[row]].line,
            int(occurrences.thread[row]),
            round((int(occurrences.begin[row]) - run.start) / run.second, 9),
            round((int(occurrences.end[row]) - run.start) / run.second, 9),
            round(float(occurrences.severity[row]), 9),
        )
        for row in rows
    ]


def check_sums(run: Run, close: float) -> None:
    """Check the sums by place and thread, for each property that has instances."""
    kinds = properties()
    for kind in kinds:
        if kind.name in WITHOUT:
            assert not len(occurrences_of(kind, run, kinds).severity), kind.name
            continue
        occurrences = occurrences_of(kind, run, kinds)
        cells = run.cells()
        np.add.at(cells, (occurrences.path, occurrences.thread), occurrences.severity)
        expected_cells = expected(kind, run, kinds)
        if kind in BY_THREAD:
            cells, expected_cells = cells.sum(axis=0), expected_cells.sum(axis=0)
        assert np.allclose(cells, expected_cells, rtol=1e-9, atol=close), kind.path()
        assert (occurrences.begin <= occurrences.end).all(), kind.path()
        assert (occurrences.severity > 0).all(), kind.path()


def expected(kind: type[Property], run: Run, kinds: list[type[Property]]) -> np.ndarray:
    cells = severity_of(kind, run)
    if cells is None:
        parts = [expected(part, run, kinds) for part in kinds if part.parent is kind]
        cells = sum(parts, run.cells())
    return cells


def test_instances_sum_up_to_the_severity(tmp_path: Path) -> None:
    run = run_of(tmp_path, *everything())
    check_sums(run, 1e-12)
    some = [openmp.ExplicitWait, openmp.CriticalContention, openmp.LockContention, openmp.Flush]
    some += [openmp.Ordered, openmp.Taskwait, openmp.TaskCreation, openmp.Atomic, openmp.Join]
    some += [openmp.ImplicitUnfinished, threads.IdleThreads, critical_path.CriticalPath]
    assert all(instances(run, kind) for kind in some)


def test_lines_gone_through_in_parts_have_the_same_instances(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = run_of(tmp_path, *everything())
    whole = {kind: instances(run, kind) for kind in properties()}
    for module in (line, instance_sources):
        monkeypatch.setattr(module, "PART", 3)
    run.memo.clear()
    assert {kind: instances(run, kind) for kind in properties()} == whole
    assert len(list(line.parts_of(run, 0))) > 3


@pytest.mark.parametrize("least", [1, 4, 1 << 14])
@pytest.mark.parametrize("name", ["everything", *SCENARIOS])
def test_shares_of_intervals_are_those_of_the_whole_timelines(
    name: str, least: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The compiled pass selects the same instances in the same pieces as the timelines of threads."""
    streams = everything() if name == "everything" else SCENARIOS[name].streams
    levels = None if name == "everything" else SCENARIOS[name].levels
    run = run_of(tmp_path, *streams, levels=levels)
    for module in (line, instance_sources):
        monkeypatch.setattr(module, "PART", 3)
    monkeypatch.setattr(instance_sources, "LEAST", least)
    monkeypatch.setattr(instance_statistics_compute, "LEAST", least)
    part = np.random.default_rng(1).choice([0, 0.25, 1], run.cells().shape)
    for activity in Activity:
        activities = (activity, Activity.CRITICAL)
        selected = instance_sources.shares(run, activities, part)
        whole = instance_sources.scaled(instance_sources.intervals(run, activities), part)
        assert pieces(selected) == pieces(whole), activity


def pieces(intervals: instance_sources.Pieces) -> list[list[list[float]]]:
    columns = "thread", "path", "begin", "end", "severity"
    return [
        [getattr(piece, name).tolist() for name in columns]
        for piece in instance_statistics_compute.larger(intervals)
    ]


def test_no_thread_has_done_anything(tmp_path: Path) -> None:
    run = run_of(tmp_path, [])
    check_sums(run, 0)


def test_each_wait_at_a_barrier(tmp_path: Path) -> None:
    run = run_of(tmp_path, *everything())
    assert instances(run, openmp.ExplicitWait) == [(40, 0, 2, 2.75, 0.75)]
    assert instances(run, openmp.ImplicitWait) == [
        (50, 1, 8.5, 9, 0.5), (20, 0, 4.75, 5, 0.25),
        (130, 0, 9.25, 9.5, 0.25),
    ]  # fmt: skip
    assert instances(run, openmp.ImplicitUnfinished) == [
        (50, 1, 9, 9.1, 0.1), (50, 0, 9, 9.1, 0.05),
    ]  # fmt: skip


def test_each_contended_lock_and_who_had_it(tmp_path: Path) -> None:
    run = run_of(tmp_path, *everything())
    assert instances(run, openmp.CriticalContention) == [(30, 1, 3.5, 4, 0.5)]
    assert instances(run, openmp.LockContention) == [(70, 1, 4.25, 4.5, 0.25)]
    assert instances(run, delay.ContentionDelay) == [
        (160, 0, 3.5, 4, 0.5), (70, 0, 4.25, 4.5, 0.25),
    ]  # fmt: skip


def test_each_wait_by_what_it_comes_of_and_what_comes_of_it(tmp_path: Path) -> None:
    """The worker waits for the critical section and for the lock, and is therefore late for the
    loop's barrier, where the master waits for it."""
    run = run_of(tmp_path, *everything())
    locks = [(30, 1, 3.5, 4, 0.5), (70, 1, 4.25, 4.5, 0.25)]
    assert instances(run, delay.Propagating) == locks
    assert instances(run, delay.TerminalWaits) == [
        (40, 0, 2, 2.75, 0.75), (50, 1, 8.5, 9, 0.5), (20, 0, 4.75, 5, 0.25),
        (130, 0, 9.25, 9.5, 0.25),
    ]  # fmt: skip
    direct, indirect = instances(run, delay.Direct), instances(run, delay.Indirect)
    assert set(locks) <= set(direct) and (40, 0, 2, 2.75, 0.75) in direct
    assert {row[:4] for row in indirect} == {(20, 0, 4.75, 5), (50, 1, 8.5, 9)}
    at_loop = [row[4] for row in direct + indirect if row[:2] == (20, 0)]
    assert len(at_loop) == 2 and sum(at_loop) == pytest.approx(0.25)


def test_the_work_that_others_wait_for(tmp_path: Path) -> None:
    """One part of a wait of 1.5 s is due to an inner region, the other to the work after it. Half a
    second of a wait of 2 s is due not to work, but to a late begin."""
    run = analysed(SCENARIOS["nested teams"], tmp_path)
    within, after = round(1.5 * 3 / 3.5, 9), round(1.5 * 0.5 / 3.5, 9)
    assert instances(run, delay.ShortTerm) == [
        (110, 2, 3.5, 6, 1.5), (110, 1, 3, 7, within), (10, 1, 1, 3, 1), (110, 2, 4, 6, 0.5),
        (10, 1, 7, 8, after),
    ]  # fmt: skip
    assert instances(run, delay.BarrierDelay) == instances(run, delay.ShortTerm)


def test_the_waits_that_others_wait_for(tmp_path: Path) -> None:
    """At who had the critical, from when the other wanted it; at the barrier where it was no lock."""
    run = analysed(SCENARIOS["a wait that is passed on"], tmp_path / "lock")
    assert instances(run, delay.LongTerm) == [(30, 0, 2, 5, 2)]
    run = analysed(SCENARIOS["an untied task that moves"], tmp_path / "taskwait")
    assert instances(run, delay.LongTerm) == [(50, 0, 1, 8, round(5 * 4 / 7, 9))]


def test_each_meeting_and_what_measuring_takes(tmp_path: Path) -> None:
    """Threads meet twice at the explicit barrier, and the second meeting took longer. A visit's
    cost is the same in each of its intervals."""
    run = analysed(SCENARIOS["nested teams"], tmp_path)
    meetings = [row for row in instances(run, time.Synchronizations) if row[:2] == (40, 0)]
    assert meetings == [(40, 0, 2, 3, 1), (40, 0, 6.5, 8, 1)]
    run = analysed(SCENARIOS["what OpenMP takes"], tmp_path / "costs")
    actual = [row for row in instances(run, time.MeasurementOverhead) if row[:2] == (80, 1)]
    assert actual == [(80, 1, 3, 3.75, 0.005), (80, 1, 3.75, 4, 0.005)]
    atomic = [row for row in instances(run, openmp.Atomic) if row[:2] == (170, 0)]
    assert atomic == [(170, 0, 2, 2.25, 0.24)]


@pytest.mark.parametrize("name", SCENARIOS)
def test_instances_of_hard_cases_sum_up_to_the_severity(name: str, tmp_path: Path) -> None:
    check_sums(analysed(SCENARIOS[name], tmp_path), 1e-9)


def test_idle_threads_and_what_the_main_thread_does_meanwhile(tmp_path: Path) -> None:
    run = run_of(tmp_path, *everything())
    assert instances(run, threads.IdleThreads) == [
        (0, 1, 0, 1, 1), (0, 1, 6, 6.5, 0.5), (0, 1, 9.5, 10, 0.5),
    ]  # fmt: skip
    assert {row[1] for row in instances(run, delay.IdlenessDelay)} == {0}


def test_a_part_is_among_the_instances_of_the_whole(tmp_path: Path) -> None:
    run = run_of(tmp_path, *everything())
    whole = instances(run, openmp.Synchronization)
    for part in (openmp.Flush, openmp.Ordered, openmp.Taskwait, openmp.Explicit):
        part_instances = instances(run, part)
        assert part_instances
        assert (set(part_instances) <= set(whole)) == (part is not openmp.Flush)


def test_the_critical_path_is_without_gaps(tmp_path: Path) -> None:
    run = run_of(tmp_path, *everything())
    pieces = sorted(
        (since, until) for _, _, since, until, _ in instances(run, critical_path.CriticalPath)
    )
    assert pieces[0][0] == 0 and pieces[-1][1] == 10
    assert all(until == since for (_, until), (since, _) in itertools.pairwise(pieces))


def test_overload_is_shared_by_the_time_of_what_is_computed(tmp_path: Path) -> None:
    """In the first region's body, the master computes 0.25 + 0.25 s, and the other thread 1.25
    s."""
    run = run_of(tmp_path, *everything())
    here = [row for row in instances(run, imbalance.Overload) if row[0] == 10]
    beyond, _, _ = imbalance.deviation(run)
    assert {row[1] for row in here} == {1}
    assert sum(row[4] for row in here) == pytest.approx(beyond[1, 1])
    assert len({round(row[4] / (row[3] - row[2]), 6) for row in here}) == 1


def test_time_itself_has_no_instances(tmp_path: Path) -> None:
    run = run_of(tmp_path, *everything())
    assert not instances(run, time.Time)
