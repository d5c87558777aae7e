"""Severities of OpenMP's properties, computed by hand."""

from __future__ import annotations

from pathlib import Path

from pomp_clang.experiment.layout import Column
from pomp_clang.trace.layout import Kind, Op
from tests.causes.scripts import (
    ATOMIC,
    BARRIER,
    CREATED,
    CRITICAL,
    FLUSH,
    INNER,
    INNER_TEAM,
    LOCK,
    LOOP,
    ORDERED,
    OTHER_CRITICAL,
    PARALLEL,
    TASKWAIT,
    TEAM,
    barrier,
    begin,
    cells,
    critical,
    cube_of,
    departing,
    ending,
    event,
    fork,
    leave,
    lock,
    loop,
    member,
    opened,
    phase,
    task,
    told_to_wait,
    total,
    two,
)


def test_a_region_begins_and_ends(tmp_path: Path) -> None:
    """The worker begins later than the master and is done sooner."""
    cube = cube_of(
        tmp_path,
        [fork(1, PARALLEL, TEAM), begin(1.1, PARALLEL), *ending(PARALLEL, TEAM, 5, 5, 5.5)],
        [member(1.2, PARALLEL, TEAM, 1), *departing(PARALLEL, 4, 5.2)],
    )
    assert total(cube, "Time") == 20
    assert cells(cube, "Fork") == {(10, 0): 0.1, (10, 1): 0.2}
    assert cells(cube, "Join") == {(10, 0): 0.5, (10, 1): 0.3}
    assert cells(cube, "Management") == {(10, 0): 0.6, (10, 1): 0.5}
    assert cells(cube, "Implicit") == {(10, 1): 1.2}
    assert cells(cube, "Implicit", "Wait at Barrier") == {(10, 1): 1.0}
    assert cells(cube, "Idle Threads") == {(0, 1): 5.5}
    assert cells(cube, "OpenMP") == {(10, 0): 0.6, (10, 1): 1.7}
    assert total(cube, "Execution") == 14.5
    assert cells(cube, "Visits") == {(10, 0): 1, (10, 1): 1}


def test_barriers_are_told_apart_and_matched_in_order(tmp_path: Path) -> None:
    """The loop's implied barrier is the first, then the explicit barrier follows twice."""
    master = [*loop(LOOP, 1, 2, 4), *barrier(BARRIER, 5, 5.5), *barrier(BARRIER, 6, 8)]
    worker = [*loop(LOOP, 1, 3.5, 4), *barrier(BARRIER, 4.5, 5.5), *barrier(BARRIER, 7.75, 8)]
    cube = cube_of(tmp_path, *two(master, worker))
    assert cells(cube, "Implicit", "Wait at Barrier") == {(20, 0): 1.5}
    assert cells(cube, "Implicit") == {(20, 0): 2, (20, 1): 0.5}
    assert cells(cube, "Explicit", "Wait at Barrier") == {(40, 0): 1.75, (40, 1): 0.5}
    assert cells(cube, "Explicit") == {(40, 0): 2.5, (40, 1): 1.25}
    assert cells(cube, "Synchronizations") == {
        (10, 0): 1, (10, 1): 1, (20, 0): 1, (20, 1): 1, (40, 0): 2, (40, 1): 2,
    }  # fmt: skip


def test_a_barrier_within_a_task_within_a_barrier(tmp_path: Path) -> None:
    """The task that the master runs has a region of its own."""
    master = [
        opened(1, Kind.BARRIER, BARRIER), phase(2, BARRIER, Column.TASK_T),
        opened(2, Kind.TASK, 7),
        fork(2, INNER, INNER_TEAM), begin(2, INNER), *ending(INNER, INNER_TEAM, 2.5, 3, 3),
        leave(3, 7), phase(3, BARRIER, 0), leave(8, BARRIER),
    ]  # fmt: skip
    cube = cube_of(tmp_path, *two(master, barrier(BARRIER, 6, 8)))
    assert cells(cube, "Explicit") == {(40, 0): 6, (40, 1): 2}
    assert cells(cube, "Explicit", "Wait at Barrier") == {(40, 0): 4}
    assert cells(cube, "Implicit") == {(110, 0): 0.5}
    assert total(cube, "Implicit", "Wait at Barrier") == 0


def test_contention_of_criticals_of_one_name(tmp_path: Path) -> None:
    """Two places, of the same name: from the request to when the other has left."""
    master = [*critical(CRITICAL, 2, 2, 4, 4.1), *critical(CRITICAL, 6, 6, 7, 7)]
    worker = [*critical(OTHER_CRITICAL, 3, 4.2, 5, 5), *critical(OTHER_CRITICAL, 6.5, 7.25, 8, 8)]
    cube = cube_of(tmp_path, *two(master, worker))
    assert cells(cube, "Critical") == {(30, 0): 0.1, (160, 1): 1.95}
    assert cells(cube, "Critical", "Contention") == {(160, 1): 1.5}
    assert total(cube, "Lock API") == 0


def test_contention_of_locks(tmp_path: Path) -> None:
    """Each lock by itself; one that may be got again is free when it was given up as often."""
    more = Op.HOLDS_MORE
    nested = [
        *lock(9, 4, 4, 4.5, more)[:3], *lock(9, 4.5, 4.5, 5, more), event(7, Op.RELEASES, LOCK, 9),
    ]  # fmt: skip
    master = [*lock(8, 2, 2, 3.5), *nested]
    worker = [*lock(7, 2, 2.25, 2.5), *lock(8, 3, 3.75, 4), *lock(9, 6, 7.5, 8, more)]
    cube = cube_of(tmp_path, *two(master, worker))
    assert cells(cube, "Lock API") == {(70, 1): 2.5}
    assert cells(cube, "Lock API", "Contention") == {(70, 1): 1.5}
    assert total(cube, "Critical") == 0


def test_flush_ordered_atomic_and_waits_for_tasks(tmp_path: Path) -> None:
    master = [
        opened(1, Kind.SIMPLE, FLUSH), leave(1.5, FLUSH),
        opened(1.5, Kind.SIMPLE, ATOMIC), leave(1.75, ATOMIC),
        *critical(ORDERED, 2, 3, 4, 4.25),
        opened(5, Kind.CREATE, CREATED), leave(5.5, CREATED),
        opened(6, Kind.WAIT, TASKWAIT), phase(7, TASKWAIT, Column.TASK_T), *task(7, 8),
        phase(8, TASKWAIT, 0), leave(8.5, TASKWAIT),
    ]  # fmt: skip
    cube = cube_of(tmp_path, *two(master, []))
    assert cells(cube, "Flush") == {(100, 0): 0.5}
    assert cells(cube, "Atomic") == {(170, 0): 0.25}
    assert cells(cube, "Ordered") == {(80, 0): 1.25}
    assert cells(cube, "Task Creation") == {(60, 0): 0.5}
    assert cells(cube, "Taskwait") == {(90, 0): 1.5}
    assert total(cube, "OpenMP") == 4


def test_who_left_the_region_and_was_told_to_wait(tmp_path: Path) -> None:
    """The runtime tells that the worker is in the end's barrier, when it has left the region."""
    cube = cube_of(tmp_path, *told_to_wait())
    assert cells(cube, "Implicit", "Wait at Barrier") == {(10, 1): 1.5}
    assert cells(cube, "Implicit") == {(10, 0): 0.5, (10, 1): 2}
    assert cells(cube, "Management") == {(10, 0): 0.5, (10, 1): 1}
    assert cells(cube, "Idle Threads") == {(0, 1): 4}
    assert total(cube, "Time") == 20
