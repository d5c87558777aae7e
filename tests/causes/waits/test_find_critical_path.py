"""The critical path, worked out by hand: the awaited threads, from the end backwards."""

from __future__ import annotations

from pathlib import Path

import pytest

from pomp_clang.causes.run.run import Run
from pomp_clang.causes.waits.find_critical_path import critical_time
from pomp_clang.experiment.layout import Column
from pomp_clang.trace.layout import Enter, Kind
from tests.causes.scripts import (
    BARRIER,
    CREATED,
    CRITICAL,
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
    cells,
    critical,
    cube_of,
    departing,
    ending,
    fork,
    leave,
    member,
    opened,
    phase,
    run_of,
    task,
    waits,
)


def critical_path(run: Run) -> dict[tuple[int, int], float]:
    """Return seconds by line and thread; all of them are the program's duration."""
    time = critical_time(run)
    assert time.sum() == pytest.approx(run.duration)
    result: dict[tuple[int, int], float] = {}
    for row, place in enumerate(run.paths):
        for thread in range(len(run.threads)):
            if time[row, thread] > 1e-9:
                key = place.line, thread
                result[key] = round(result.get(key, 0.0) + float(time[row, thread]), 9)
    return result


def two(master: Stream, worker: Stream) -> tuple[Stream, Stream]:
    """Return a region of both threads from 1 to 9; the worker needs half a second to begin it."""
    return (
        [fork(1, PARALLEL, TEAM), begin(1.1, PARALLEL), *master, *ending(PARALLEL, TEAM, 9, 9, 9)],
        [member(1.5, PARALLEL, TEAM, 1), *worker, *departing(PARALLEL, 8, 9)],
    )


def test_it_goes_over_the_last_at_a_barrier(tmp_path: Path) -> None:
    """The worker came at 5, and the master was out of the barrier at 5.25."""
    streams = two(barrier(BARRIER, 3, 5.25), barrier(BARRIER, 5, 5.5))
    assert critical_path(run_of(tmp_path, *streams)) == {
        (0, 0): 1 + 1,  # before the fork and after the join
        (10, 1): 4,  # from the fork to 5
        (40, 0): 0.25,  # the barrier, of the master
        (10, 0): 3.75,
    }


def test_imbalance_on_it(tmp_path: Path) -> None:
    """The critical path has 7.75 s of the region. Without the barrier, the threads are there for 8
    - 2.25 and 8 - 0.5. The second thread waits one second at the region's end, which gives a mean
    of 6.125."""
    streams = two(barrier(BARRIER, 3, 5.25), barrier(BARRIER, 5, 5.5))
    cube = cube_of(tmp_path, *streams)
    excess = 7.75 - (8 - 2.25 + 8 - 0.5 - 1) / 2
    actual = cells(cube, "Critical-path imbalance")
    assert actual[10, 0] == pytest.approx(excess * 3.75 / 7.75)
    assert actual[10, 1] == pytest.approx(excess * 4 / 7.75)
    assert actual[0, 0] == pytest.approx(1.0)
    assert sum(cells(cube, "Performance impact").values()) == pytest.approx(20)
    assert cells(cube, "Critical imbalance impact")[0, 0] == pytest.approx(2.0)


def test_it_goes_over_who_had_the_critical(tmp_path: Path) -> None:
    """The worker holds it from 2 to 6, the master waits from 3 on."""
    streams = two(critical(CRITICAL, 3, 6.1, 7, 7), critical(CRITICAL, 2, 2, 6, 6))
    assert critical_path(run_of(tmp_path, *streams)) == {
        (0, 0): 2, (10, 1): 1, (30, 1): 4, (30, 0): 1, (10, 0): 2,
    }  # fmt: skip


def test_it_goes_over_a_task_that_was_waited_for(tmp_path: Path) -> None:
    """Created by the master at 3 and run by the worker from 3.5 to 6; the master waits."""
    master = [
        opened(2, Kind.WORK, SINGLE),
        opened(2.5, Kind.CREATE, CREATED), leave(3, CREATED),
        opened(4, Kind.WAIT, TASKWAIT), leave(6.25, TASKWAIT),
        waits(6.5, SINGLE), phase(6.75, SINGLE, 0), leave(6.75, SINGLE),
    ]  # fmt: skip
    worker = [
        opened(2, Kind.WORK, SINGLE), waits(2, SINGLE),
        phase(3.5, SINGLE, Column.TASK_T), *task(3.5, 6), waits(6, SINGLE),
        phase(6.8, SINGLE, 0), leave(6.8, SINGLE),
    ]  # fmt: skip
    assert critical_path(run_of(tmp_path, *two(master, worker))) == {
        (0, 0): 2,
        (10, 0): 1 + 2.25,  # from the fork to 2, and from 6.75 to 9
        (50, 0): 0.5 + 0.25 + 0.25,
        (60, 0): 0.5,
        (50, 1): 0.5,  # the worker, until it has the task
        (60, 1): 2.5,
        (90, 0): 0.25,
    }


def test_it_goes_over_who_created_what_was_run_meanwhile(tmp_path: Path) -> None:
    """The worker waits for its tasks from 2 on. From 5 to 8 it runs another task, which the master
    has created from 3 to 4. In that task the worker waits from 6 to 6.5, for no thread."""
    master = [opened(3, Kind.CREATE, CREATED), leave(4, CREATED), *barrier(BARRIER, 4.5, 8.5)]
    worker = [
        opened(2, Kind.WAIT, TASKWAIT), phase(5, TASKWAIT, Column.TASK_T),
        opened(5, Kind.TASK, TASK, Enter.SWITCHES),
        opened(6, Kind.WAIT, TASKWAIT), leave(6.5, TASKWAIT), leave(8, TASK),
        phase(8, TASKWAIT, 0), leave(8.25, TASKWAIT), *barrier(BARRIER, 8.5, 8.5),
    ]  # fmt: skip
    assert critical_path(run_of(tmp_path, *two(master, worker))) == {
        (0, 0): 2,
        (10, 0): 2 + 0.5,  # up to 3, and from 8.5 to 9
        (60, 0): 1,
        (90, 1): 1 + 0.5 + 0.25,  # from the task's creation to its begin
        (60, 1): 2.5,
        (10, 1): 0.25,
    }  # fmt: skip


def test_it_goes_over_whose_turn_it_was(tmp_path: Path) -> None:
    """The worker asks for its turn at 3 and has it from 6.25 on, which the master gave it at 6."""
    streams = two(critical(ORDERED, 2, 2, 6, 6), critical(ORDERED, 3, 6.25, 7, 7))
    assert critical_path(run_of(tmp_path, *streams)) == {
        (0, 0): 2, (10, 0): 1 + 3,  # up to 2, and from 6 to 9: the master is last
        (80, 0): 4,
    }  # fmt: skip
    late = [member(1.5, PARALLEL, TEAM, 1), *critical(ORDERED, 3, 6.25, 7, 7)]
    streams = streams[0][:-5] + ending(PARALLEL, TEAM, 7, 9, 9), late + departing(PARALLEL, 9, 9)
    assert critical_path(run_of(tmp_path / "late", *streams)) == {
        (0, 0): 2, (10, 0): 1, (80, 0): 4, (80, 1): 0.25 + 0.75, (10, 1): 2,
    }  # fmt: skip


def test_without_teams_it_is_the_main_thread(tmp_path: Path) -> None:
    run = run_of(tmp_path, [opened(2, Kind.SIMPLE, 11), leave(3, 11)])
    assert critical_path(run) == {(0, 0): 9, (100, 0): 1}


def test_a_wait_for_tasks_within_another(tmp_path: Path) -> None:
    """The worker runs a task up to 4 in the single's barrier. The master waits for this task in a
    taskwait from 2.5 to 3.5. Then the master runs a task there that waits from 3.75 to 4.25. In the
    first taskwait, the master goes on at 4.5."""
    master = [
        opened(2, Kind.WORK, SINGLE), opened(2.5, Kind.WAIT, TASKWAIT),
        phase(3.5, TASKWAIT, Column.TASK_T), opened(3.5, Kind.TASK, TASK),
        opened(3.75, Kind.WAIT, TASKWAIT), leave(4.25, TASKWAIT), leave(4.5, TASK),
        phase(4.5, TASKWAIT, 0), leave(5, TASKWAIT),
        waits(6.5, SINGLE), phase(6.75, SINGLE, 0), leave(6.75, SINGLE),
    ]  # fmt: skip
    worker = [
        opened(2, Kind.WORK, SINGLE), waits(2, SINGLE),
        phase(2, SINGLE, Column.TASK_T), *task(2, 3), *task(3, 4), waits(4, SINGLE),
        phase(6.8, SINGLE, 0), leave(6.8, SINGLE),
    ]  # fmt: skip
    assert critical_path(run_of(tmp_path, *two(master, worker))) == {
        (0, 0): 2, (10, 0): 2.25, (50, 0): 1.75, (60, 0): 0.25, (90, 0): 0.75,
        (10, 1): 1, (60, 1): 2,
    }  # fmt: skip


def test_it_goes_over_who_has_left_a_region(tmp_path: Path) -> None:
    """The worker leaves the second region at 4, in which the master is up to 8. From 6 to 6.5 the
    worker runs a task for which the master waits from 5 to 7. Until then the worker is on its way
    back from the region."""
    first = [
        fork(1, SECOND_REGION, NEXT_TEAM),
        begin(1, SECOND_REGION),
        *ending(SECOND_REGION, NEXT_TEAM, 2, 2, 2),
    ]
    second = [
        fork(2.5, PARALLEL, TEAM), begin(2.5, PARALLEL), opened(5, Kind.WAIT, TASKWAIT),
        leave(7, TASKWAIT), *ending(PARALLEL, TEAM, 8, 8, 8),
    ]  # fmt: skip
    worker = [
        member(1, SECOND_REGION, NEXT_TEAM, 1), *departing(SECOND_REGION, 2, 2),
        member(2.5, PARALLEL, TEAM, 2.5), *departing(PARALLEL, 4, 4), *task(6, 6.5),
    ]  # fmt: skip
    assert critical_path(run_of(tmp_path, [*first, *second], worker)) == {
        (0, 0): 1 + 0.5 + 2, (130, 0): 1, (90, 0): 0.5, (10, 0): 1.5 + 1,
        (10, 1): 2, (60, 1): 0.5,
    }  # fmt: skip
