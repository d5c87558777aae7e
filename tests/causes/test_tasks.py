"""Severities of tasks, of what the measurement takes, and of sums, computed by hand."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from pomp_clang.causes.critical import critical_time
from pomp_clang.causes.cube import Cube, compute
from pomp_clang.causes.properties import PROPERTIES
from pomp_clang.causes.registry import properties
from pomp_clang.experiment.layout import Column
from pomp_clang.trace.layout import Enter, Kind, enter
from tests.causes.scripts import (
    BARRIER,
    CREATED,
    CRITICAL,
    PARALLEL,
    SINGLE,
    TASK,
    TASKWAIT,
    Stream,
    Words,
    at,
    barrier,
    begin,
    cells,
    critical,
    cube_of,
    departing,
    ending,
    fork,
    leave,
    loop,
    member,
    opened,
    phase,
    run_of,
    task,
    total,
    waits,
)
from tests.trace.handmade import word

TEAM, UNTIED = 1 << 40 | 1, 5
HERE = Path(__file__).parent
BY_HAND = (
    "test_openmp.py",
    "test_threads.py",
    "test_critical.py",
    "test_delays.py",
    "test_tasks.py",
    "test_mpi_job.py",
)


def two(master: Stream, worker: Stream) -> tuple[Stream, Stream]:
    """A region from 1 to 9 at both; nobody waits at its end."""
    return (
        [fork(1, PARALLEL, TEAM), begin(1, PARALLEL), *master, *ending(PARALLEL, TEAM, 9, 9, 9)],
        [member(1, PARALLEL, TEAM, 1), *worker, *departing(PARALLEL, 9, 9)],
    )


def untied(when: float, how: int = 0) -> Words:
    return word(enter(Kind.TASK, how), TASK, at(when), UNTIED)


def migrating() -> tuple[Stream, Stream]:
    """The master begins an untied task in its taskwait from 3 to 4, the worker ends it from 5 to 7
    in the single's barrier, to which the master comes at 8."""
    master = [
        opened(1, Kind.WORK, SINGLE), opened(2, Kind.CREATE, CREATED), leave(2.5, CREATED),
        opened(3, Kind.WAIT, TASKWAIT), phase(3, TASKWAIT, Column.TASK_T),
        untied(3), leave(4, TASK), phase(4, TASKWAIT, 0), leave(8, TASKWAIT),
        waits(8, SINGLE), phase(8.25, SINGLE, 0), leave(8.25, SINGLE),
    ]  # fmt: skip
    worker = [
        opened(1, Kind.WORK, SINGLE), waits(1, SINGLE), phase(5, SINGLE, Column.TASK_T),
        untied(5, Enter.RESUMES), leave(7, TASK), waits(7, SINGLE),
        phase(8.25, SINGLE, 0), leave(8.25, SINGLE),
    ]  # fmt: skip
    return two(master, worker)


def test_an_untied_task_that_moves_is_visited_once(tmp_path: Path) -> None:
    cube = cube_of(tmp_path, *migrating())
    assert {key: n for key, n in cells(cube, "Visits").items() if key[0] == 60} == {(60, 0): 1}
    assert cells(cube, "Task Creation") == {(60, 0): 0.5}
    execution = cells(cube, "Execution")
    assert (execution[60, 0], execution[60, 1]) == (0.5 + 1, 2)
    assert cells(cube, "Taskwait") == {(90, 0): 4}
    assert cells(cube, "Implicit", "Wait at Barrier") == {(50, 1): 4 + 1}
    assert total(cube, "Implicit", "Wait for Tasks") == 0
    assert cells(cube, "Implicit") == {(50, 0): 0.25, (50, 1): 5.25}
    assert total(cube, "Time") == 20


def test_the_critical_path_goes_where_an_untied_task_goes(tmp_path: Path) -> None:
    """From the taskwait to the worker, who waited for a task until the master had created one."""
    run = run_of(tmp_path, *migrating())
    time = critical_time(run)
    found: dict[tuple[int, int], float] = {}
    for row, place in enumerate(run.paths):
        for thread in range(2):
            if time[row, thread] > 1e-9:
                key = place.line, thread
                found[key] = round(found.get(key, 0.0) + float(time[row, thread]), 9)
    assert found == {
        (0, 0): 2, (10, 0): 0.75, (50, 0): 1 + 0.25, (60, 0): 0.5, (50, 1): 2.5, (60, 1): 2,
        (90, 0): 1,
    }  # fmt: skip


def test_tasks_in_a_barrier_that_is_spelt(tmp_path: Path) -> None:
    """The master is there from 2 on and runs one from 3 to 4; the worker comes at 5, and runs one
    from 5.5 to 7."""
    master = [
        opened(2, Kind.BARRIER, BARRIER), phase(3, BARRIER, Column.TASK_T), *task(3, 4),
        phase(4, BARRIER, 0), leave(8, BARRIER),
    ]  # fmt: skip
    worker = [
        opened(5, Kind.BARRIER, BARRIER), phase(5.5, BARRIER, Column.TASK_T), *task(5.5, 7),
        phase(7, BARRIER, 0), leave(8, BARRIER),
    ]  # fmt: skip
    cube = cube_of(tmp_path, *two(master, worker))
    assert cells(cube, "Explicit") == {(40, 0): 5, (40, 1): 1.5}
    assert cells(cube, "Explicit", "Wait at Barrier") == {(40, 0): 2}
    assert cells(cube, "Explicit", "Wait for Tasks") == {(40, 0): 2, (40, 1): 0.5}
    assert cells(cube, "OpenMP", "Synchronization", "Barrier") == cells(cube, "Explicit")


def test_a_tied_task_that_was_suspended_by_another(tmp_path: Path) -> None:
    """In its taskwait, from 4 to 6, another task runs; what follows is its own again."""
    inner = [
        opened(4, Kind.WAIT, TASKWAIT), phase(4, TASKWAIT, Column.TASK_T),
        opened(4, Kind.TASK, TASK, Enter.SPECIAL | Enter.SWITCHES), leave(6, TASK),
        phase(6, TASKWAIT, 0), leave(6.5, TASKWAIT),
    ]  # fmt: skip
    master = [
        opened(2, Kind.BARRIER, BARRIER), phase(3, BARRIER, Column.TASK_T),
        opened(3, Kind.TASK, TASK, Enter.SWITCHES), *inner, leave(7, TASK),
        phase(7, BARRIER, 0), leave(8, BARRIER),
    ]  # fmt: skip
    cube = cube_of(tmp_path, *two(master, barrier(BARRIER, 8, 8)))
    assert cells(cube, "Taskwait") == {(90, 0): 0.5}
    assert cells(cube, "Explicit", "Wait at Barrier") == {(40, 0): 2}
    execution = cells(cube, "Execution")
    assert (execution[60, 0], execution[90, 0], execution[40, 0]) == (1 + 2 + 0.5, 0.5, 2)
    assert cells(cube, "Visits")[60, 0] == 2


def test_sums_are_those_of_their_parts(tmp_path: Path) -> None:
    """The master waits 3 at the barrier and the worker 2 for the critical after it, at which it is
    the master that computes up to the end."""
    master = [*barrier(BARRIER, 2, 5), *critical(CRITICAL, 5, 5, 7, 7)]
    worker = [*barrier(BARRIER, 5, 5), *critical(CRITICAL, 5, 7, 8, 8)]
    cube = cube_of(tmp_path, *two(master, worker))
    assert cells(cube, "OpenMP", "Synchronization") == {(40, 0): 3, (30, 1): 2}
    assert cells(cube, "OpenMP") == cells(cube, "OpenMP", "Synchronization")
    assert cells(cube, "Delay costs", "Barrier delay") == {(10, 1): 3}
    assert cells(cube, "Delay costs") == {(10, 1): 3, (30, 0): 2, (0, 0): 2}
    assert cells(cube, "Wait states") == {(40, 0): 3, (30, 1): 2}
    assert cells(cube, "Wait states by effect") == {(40, 0): 3, (30, 1): 2}
    assert cells(cube, "Critical path") == {(0, 0): 2, (10, 1): 4, (30, 0): 2, (10, 0): 2}
    assert total(cube, "MPI") == 0


def test_overhead_is_that_of_the_visits(tmp_path: Path) -> None:
    """A hundredth of a second each, and no more than was computed there."""
    master, worker = loop(2, 1, 3, 9), [*loop(2, 1, 1.005, 9)]
    run = run_of(tmp_path, *two(master, worker))
    costs = (run.second / 100, *(0.0 for _ in range(16)))
    costly: Cube = compute(replace(run, records=replace(run.records, costs=costs)), properties())
    assert cells(costly, "Overhead") == {(20, 0): 0.01, (20, 1): 0.005}
    assert cells(costly, "Execution")[20, 0] == 8 - 0.01


def test_each_property_is_computed_by_hand_somewhere() -> None:
    tested = "".join((HERE / name).read_text() for name in BY_HAND)
    assert [kind.name for kind in PROPERTIES if f'"{kind.name}"' not in tested] == []
