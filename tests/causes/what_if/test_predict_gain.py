"""Predicted gains of a program of ten seconds without an inefficiency, worked out by hand."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from pomp_clang.causes.cube.algebra import of_all
from pomp_clang.causes.properties import openmp, threads, time
from pomp_clang.causes.properties.property import Property
from pomp_clang.causes.properties.registry import properties
from pomp_clang.causes.run.run import Run
from pomp_clang.causes.waits.wait_graph import graph_of
from pomp_clang.causes.what_if.predict_gain import ProgramPrediction, changed_of, gain_of
from pomp_clang.causes.what_if.simulate import ChangedTrace, end_of, tail_of
from pomp_clang.experiment.layout import Column
from pomp_clang.trace.layout import Enter, Kind, Op
from tests.causes.scenarios import SCENARIOS, analysed
from tests.causes.scenarios.scenario import costing
from tests.causes.scripts import (
    BARRIER,
    CREATED,
    CRITICAL,
    FLUSH,
    INNER,
    INNER_TEAM,
    LOCK,
    LOOP,
    MAIN,
    NEXT_TEAM,
    ORDERED,
    PARALLEL,
    SECOND_REGION,
    SINGLE,
    TASK,
    TASKWAIT,
    TEAM,
    Stream,
    barrier,
    begin,
    critical,
    departing,
    ending,
    event,
    fork,
    held,
    leave,
    let_go,
    lock,
    loop,
    member,
    opened,
    phase,
    run_of,
    task,
    two,
    waits,
)


def gain(run: Run, line: int, *names: str) -> float | None:
    kind = next(prop for prop in properties() if prop.path()[-len(names) :] == names)
    path = next(row for row, place in enumerate(run.paths) if place.line == line)
    gain = gain_of(run, kind, path)
    return gain if gain is None else round(gain, 9)


def replayed(run: Run) -> float:
    """Return the duration of the trace as it is, replayed."""
    graph = graph_of(run)
    same = ChangedTrace(graph.work, graph.lag, graph.kind < 0, tail_of(run, graph))
    ticks = end_of(run, graph, same)
    return round(ticks / run.second, 9)


@pytest.fixture
def rich(tmp_path: Path) -> Run:
    """Return a run that is serial up to 1 and from 8.5.

    The worker is late by 0.1 at the fork and by 2 at the barrier, then waits a second for the
    critical. The master has an inner team.
    """
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
    """The threads begin at 1.05 and 1.1, with 0.95 and 2.9 of work. Shared, this is 1.925 each, so
    the last comes at 3.025 instead of 4. Without any wait there, the worker has its critical
    section a second sooner."""
    kind = openmp.ExplicitWait
    path = next(row for row, place in enumerate(rich.paths) if place.line == 40)
    shared = changed_of(rich, kind, path)
    assert shared is not None
    sooner = 10 - end_of(rich, graph_of(rich), shared) / rich.second
    assert sooner == pytest.approx(0.975)
    assert gain(rich, 40, "Explicit", "Wait at Barrier") == 1


def test_a_critical_is_got_at_once(rich: Run) -> None:
    """The worker asks at 5, gets the critical 0.1 later and is at the end at 7.2. The master is
    there at 8; before, it had waited 0.2 for the worker."""
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


def test_all_of_a_small_team_s_region_is_shared(tmp_path: Path) -> None:
    """The work before a barrier in the region is shared, too, and only with threads that are idle
    then. One of the two others is in a team of its own from 2 to 6. So that thread is idle for two
    of the region's four seconds, and the worker for all."""
    region = [
        fork(4, PARALLEL, TEAM), begin(4, PARALLEL), *loop(LOOP, 4, 7, 7),
        *ending(PARALLEL, TEAM, 8, 8, 8),
    ]  # fmt: skip
    before = [
        fork(1, SECOND_REGION, NEXT_TEAM), begin(1, SECOND_REGION), *ending(SECOND_REGION, NEXT_TEAM, 2, 2, 2)
    ]  # fmt: skip
    worker = [member(1, SECOND_REGION, NEXT_TEAM, 1), *departing(SECOND_REGION, 2, 2)]
    own = [
        opened(2, Kind.USER, MAIN), fork(2, INNER, INNER_TEAM), begin(2, INNER),
        *ending(INNER, INNER_TEAM, 6, 6, 6), leave(6, MAIN),
    ]  # fmt: skip
    run = run_of(tmp_path, [*before, *region], worker, own, levels=(0, 1, 0))
    assert gain(run, 10, "Limited Parallelism") == pytest.approx((4 + 2) / 3)
    # Outside teams it is 5 s, in which the worker is idle, and for 3 s of which the other one is.
    assert gain(run, 0, "Idle Threads") == pytest.approx((5 + 3) / 3)


def test_no_gain_where_others_are_waited_for(tmp_path: Path) -> None:
    """The thread that comes late to the loop's barrier is early at the next. Removing its flushes
    makes no wait shorter, as it has time for them. Without the loop's barrier the master is at the
    next one a second sooner."""
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
    assert gain(run, 20, "Implicit", "Wait at Barrier") == 1
    assert gain(run, 40, "Explicit", "Wait at Barrier") == 1


def test_tasks_that_are_left_keep_all_busy(tmp_path: Path) -> None:
    """The master comes to the single's barrier at 2, and runs a task there from 3 to 4. The worker
    comes at 6 and runs one from 6.5 to 7.5. Two and five seconds are 3.5 each before the barrier.
    The two unused seconds after 6 are one each."""
    run = analysed(SCENARIOS["tasks in an implied barrier"], tmp_path)
    assert gain(run, 50, "Implicit", "Wait at Barrier") == 1.5
    assert gain(run, 50, "Implicit", "Wait for Tasks") == 1


def test_no_gain_of_tasks_that_keep_all_busy(tmp_path: Path) -> None:
    """The master creates until 4, while the worker runs tasks in the barrier; then both do."""
    master = [
        opened(1, Kind.WORK, SINGLE), waits(4, SINGLE), phase(4, SINGLE, Column.TASK_T),
        *task(4, 8), waits(8, SINGLE), phase(8, SINGLE, 0), leave(8, SINGLE),
    ]  # fmt: skip
    worker = [
        opened(1, Kind.WORK, SINGLE), waits(1, SINGLE), phase(1, SINGLE, Column.TASK_T),
        *task(1, 8), waits(8, SINGLE), phase(8, SINGLE, 0), leave(8, SINGLE),
    ]  # fmt: skip
    run = run_of(tmp_path, *two(master, worker))
    assert replayed(run) == 10
    assert gain(run, 50, "Implicit", "Wait at Barrier") == 0
    assert gain(run, 50, "Implicit", "Wait for Tasks") == 0


def creating(until: float) -> Stream:
    """Return a single in which a thread creates a task from 2 to 2.5, and waits for it from 3 to 6.

    The thread comes to the single's barrier at 7.
    """
    return [
        opened(1, Kind.WORK, SINGLE), opened(2, Kind.CREATE, CREATED), leave(2.5, CREATED),
        opened(3, Kind.WAIT, TASKWAIT), leave(6, TASKWAIT),
        waits(7, SINGLE), phase(until, SINGLE, 0), leave(until, SINGLE),
    ]  # fmt: skip


def test_a_task_is_run_when_it_was_created_and_waited_for_until_it_ended(tmp_path: Path) -> None:
    """The worker is in the single's barrier from 1 on, and runs the task from 2.75 to 6, with a
    flush from 3 to 4. Without the creation, all is half a second sooner; without the flush, a
    second. Without the taskwait, the master comes to the barrier at 4, and the task is done at
    6. If both threads share the task from 3 on, the wait ends 1.5 s sooner."""
    worker = [
        opened(1, Kind.WORK, SINGLE), waits(1, SINGLE), phase(2.75, SINGLE, Column.TASK_T),
        opened(2.75, Kind.TASK, TASK, Enter.SWITCHES), opened(3, Kind.SIMPLE, FLUSH),
        leave(4, FLUSH), leave(6, TASK), waits(6, SINGLE), phase(7.25, SINGLE, 0),
        leave(7.25, SINGLE),
    ]  # fmt: skip
    run = run_of(tmp_path, *two(creating(7.25), worker))
    assert replayed(run) == 10
    assert gain(run, 60, "Task Creation") == 0.5
    assert gain(run, 100, "Flush") == 1
    assert gain(run, 90, "Taskwait") == 1.5


def test_who_has_something_else_to_do_meanwhile_waits_no_less(tmp_path: Path) -> None:
    """The worker was busy up to 3: its task begins no sooner when it is created sooner."""
    worker = [
        opened(1, Kind.WORK, SINGLE), waits(3, SINGLE), phase(3, SINGLE, Column.TASK_T),
        *task(3, 6), waits(6, SINGLE), phase(7.25, SINGLE, 0), leave(7.25, SINGLE),
    ]  # fmt: skip
    run = run_of(tmp_path, *two(creating(7.25), worker))
    assert replayed(run) == 10
    assert gain(run, 60, "Task Creation") == 0


def test_what_tasks_lose_in_a_barrier_is_lost(tmp_path: Path) -> None:
    """All come at 2, and have a task each from 2.25 on. Both tasks want the same critical. The
    first has it from 3 to 5; the second asks at 4 and has it from 5 to 7. For the second task, the
    other thread waits from 6 on. Both threads together have no task for 1.5 s, half of this
    each."""
    first = [
        opened(1, Kind.WORK, SINGLE), waits(2, SINGLE), phase(2.25, SINGLE, Column.TASK_T),
        opened(2.25, Kind.TASK, TASK, Enter.SWITCHES), *critical(CRITICAL, 3, 3, 5, 5), leave(6, TASK),
        waits(6, SINGLE), phase(7.25, SINGLE, 0), leave(7.25, SINGLE),
    ]  # fmt: skip
    second = [
        opened(1, Kind.WORK, SINGLE), waits(2, SINGLE), phase(2.25, SINGLE, Column.TASK_T),
        opened(2.25, Kind.TASK, TASK, Enter.SWITCHES), *critical(CRITICAL, 4, 5, 7, 7), leave(7, TASK),
        waits(7, SINGLE), phase(7.25, SINGLE, 0), leave(7.25, SINGLE),
    ]  # fmt: skip
    run = run_of(tmp_path, *two(first, second))
    assert replayed(run) == 10
    assert gain(run, 30, "Critical", "Contention") == 1
    assert gain(run, 50, "Implicit", "Wait for Tasks") == 0.75
    assert gain(run, 50, "Implicit", "Wait at Barrier") == 0


def test_tasks_that_were_run_before_all_had_come_are_shared(tmp_path: Path) -> None:
    """The master creates a task up to 3, which the worker runs from then to 6; the master comes at
    8. Seven and three seconds are five each, so the last comes at 6: the worker, which would have
    waited for the task."""
    master = [
        opened(1, Kind.WORK, SINGLE), opened(2, Kind.CREATE, CREATED), leave(3, CREATED),
        waits(8, SINGLE), phase(8, SINGLE, 0), leave(8, SINGLE),
    ]  # fmt: skip
    worker = [
        opened(1, Kind.WORK, SINGLE), waits(1, SINGLE), phase(3, SINGLE, Column.TASK_T),
        *task(3, 6), waits(6, SINGLE), phase(8, SINGLE, 0), leave(8, SINGLE),
    ]  # fmt: skip
    run = run_of(tmp_path, *two(master, worker))
    assert replayed(run) == 10
    assert gain(run, 50, "Implicit", "Wait at Barrier") == 2


def test_whose_turn_it_is_comes_sooner_when_the_other_one_is(tmp_path: Path) -> None:
    """The worker waits from 2 to 4 for its turn in the ordered construct. The master gives it the
    turn after a flush from 2 to 3."""
    master = [
        opened(1, Kind.WORK, LOOP), opened(2, Kind.SIMPLE, FLUSH), leave(3, FLUSH),
        *critical(ORDERED, 3, 3, 4, 4), waits(4, LOOP), phase(6, LOOP, 0), leave(6, LOOP),
    ]  # fmt: skip
    worker = [
        opened(1, Kind.WORK, LOOP), *critical(ORDERED, 2, 4, 6, 6), waits(6, LOOP), phase(6, LOOP, 0),
        leave(6, LOOP),
    ]  # fmt: skip
    run = run_of(tmp_path, *two(master, worker))
    assert replayed(run) == 10
    assert gain(run, 100, "Flush") == 1
    assert gain(run, 80, "Ordered") == 2


def test_the_last_of_several_processes_is_the_end(rich: Run, tmp_path: Path) -> None:
    """One process gains 0.975 s only up to the amount by which the other one is shorter. An
    inefficiency of both gains as much as in the longer process, in which a third of 2.5 s is
    left."""
    other = run_of(
        tmp_path / "other",
        [fork(1, PARALLEL, TEAM), begin(1, PARALLEL), *ending(PARALLEL, TEAM, 5, 5, 5)],
        [member(1, PARALLEL, TEAM, 1), *departing(PARALLEL, 3, 5)],
    )
    other = replace(other, end=other.start + round(9.5 * other.second))
    paths, _ = of_all([rich.paths, other.paths])
    program = ProgramPrediction((rich, other))

    def gains(line: int, kind: type[Property]) -> float:
        path = next(row for row, place in enumerate(paths) if place.line == line)
        gain = program.gain_of(kind, path)
        assert gain is not None
        return round(gain, 9)

    assert gains(40, openmp.ExplicitWait) == 0.5
    assert gains(0, threads.IdleThreads) == round(2.5 * 2 / 3, 9)
    assert program.gain_of(time.Time, 0) is None


def test_what_measuring_takes_is_a_part_of_the_work(rich: Run) -> None:
    """Each critical takes half a second from the computing around it: from the master's 1.9 s, and
    from the worker's 4.9 s. The end waits for the worker's 2.9 s before the barrier and for the
    master's 0.1 s before the critical. It also waits for the worker's 1.15 s after the critical."""
    run = costing(rich, critical=0.5)
    assert gain(run, 10, "Overhead") == pytest.approx(0.5 * ((2.9 + 1.15) / 4.9 + 0.1 / 1.9))
    assert gain(run, 40, "Overhead") == 0


def test_what_cannot_be_told_is_none(rich: Run) -> None:
    assert gain(rich, 40, "Time") is None


def test_a_lock_that_is_got_twice_is_given_up_when_it_is_for_the_last_time(tmp_path: Path) -> None:
    """The master has the lock from 1.5 to 5, and once more from 2.5, asked for at 2, to 3. The
    worker waits for it from 2 to 5, and has it up to 7. Without the wait, the worker would be at
    the end at 4.5: then the master is later."""
    master = [
        fork(1, PARALLEL, TEAM), begin(1, PARALLEL), *held(LOCK, 7, 1.5, 1.5),
        *held(LOCK, 7, 2, 2.5, Op.HOLDS_MORE), let_go(LOCK, 7, 3), let_go(LOCK, 7, 5),
        *ending(PARALLEL, TEAM, 5.5, 7.5, 7.5),
    ]  # fmt: skip
    worker = [member(1, PARALLEL, TEAM, 1), *lock(7, 2, 5, 7), *departing(PARALLEL, 7.5, 7.5)]
    run = run_of(tmp_path, master, worker)
    assert replayed(run) == 10
    assert gain(run, 70, "Lock API", "Contention") == 2


def test_who_was_cancelled_is_at_the_end_before_it_runs_tasks_there(tmp_path: Path) -> None:
    """The master is at 4, and runs a task from 5 to 6; the worker comes at 8.  A flush before is
    no longer than that."""
    master = [
        fork(1, PARALLEL, TEAM), begin(1, PARALLEL), opened(2, Kind.SIMPLE, FLUSH), leave(4, FLUSH),
        phase(4, PARALLEL, Column.SHUTDWN_T), *task(5, 6), phase(6, PARALLEL, Column.SHUTDWN_T),
        leave(9, PARALLEL), event(9, Op.JOINED, 0, TEAM),
    ]  # fmt: skip
    worker = [member(1, PARALLEL, TEAM, 1), *departing(PARALLEL, 8, 9)]
    run = run_of(tmp_path, master, worker)
    at_end = run.instances.of[0][-1]
    assert run.timelines[0].arrivals.enter.tolist() == [run.start + 4 * run.second]
    assert run.timelines[0].arrivals.final.tolist() == [run.start + 6 * run.second]
    assert run.instances.last[at_end] == run.start + 8 * run.second
    assert replayed(run) == 10
    assert gain(run, 10, "Implicit", "Wait at Barrier") == 0
