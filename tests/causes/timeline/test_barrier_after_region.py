"""A thread is in the barrier at a region's end after it has left the region.

The runtime reports this if barriers are not made explicit.
"""

from __future__ import annotations

from pathlib import Path

from pomp_clang.experiment.layout import Column
from pomp_clang.trace.layout import Op
from tests.causes.scripts import (
    OTHER_TEAM,
    PARALLEL,
    SECOND_REGION,
    TEAM,
    Stream,
    begin,
    cells,
    cube_of,
    departing,
    ending,
    event,
    fork,
    leave,
    member,
    phase,
    task,
    total,
    waits,
)


def master(assembled: float, joined: float) -> Stream:
    """Return a master that is in the barrier at 2."""
    return [
        fork(1, PARALLEL, TEAM), begin(1.5, PARALLEL), waits(2, PARALLEL),
        phase(assembled, PARALLEL, Column.SHUTDWN_T), event(assembled, Op.ASSEMBLED, 0, TEAM),
        leave(joined, PARALLEL), event(joined, Op.JOINED, 0, TEAM),
    ]  # fmt: skip


def worker() -> Stream:
    """Return a worker that leaves the region at 3, and is in the barrier at once."""
    return [
        member(1, PARALLEL, TEAM, 1), event(3, Op.DEPARTS, PARALLEL), leave(3, PARALLEL),
        event(3, Op.WAITS, 0),
    ]  # fmt: skip


def test_tasks_there_are_run_when_they_are(tmp_path: Path) -> None:
    """From 5 to 7: all have come at 3, and are done at 7."""
    cube = cube_of(tmp_path, master(8, 9), [*worker(), *task(5, 7)])
    assert cells(cube, "Implicit") == {(10, 0): 6, (10, 1): 3}
    assert cells(cube, "Implicit", "Wait at Barrier") == {(10, 0): 1}
    assert cells(cube, "Implicit", "Wait for Tasks") == {(10, 0): 4, (10, 1): 2}
    assert cells(cube, "Join") == {(10, 0): 1, (10, 1): 1}
    assert total(cube, "Time") == 20


def test_a_region_within_such_a_task_is_the_thread_s_own(tmp_path: Path) -> None:
    """The region is from 4 to 6, in a task without events; the thread is in the barrier before and
    after."""
    inner = [
        fork(4, SECOND_REGION, OTHER_TEAM), begin(4.5, SECOND_REGION),
        *ending(SECOND_REGION, OTHER_TEAM, 6, 6, 6),
    ]  # fmt: skip
    cube = cube_of(tmp_path, master(8, 9), [*worker(), *inner])
    assert cells(cube, "Implicit") == {(10, 0): 6, (10, 1): 3}
    assert cells(cube, "Join") == {(10, 0): 1, (10, 1): 1}
    assert total(cube, "Time") == 20


def test_it_is_not_there_any_more_when_it_is_on_its_way_to_another_team(tmp_path: Path) -> None:
    """The other team's master forks at 5, before the first team's master reports that all have
    come."""
    other = [
        fork(5, SECOND_REGION, OTHER_TEAM), begin(5, SECOND_REGION),
        *ending(SECOND_REGION, OTHER_TEAM, 7, 7, 7),
    ]  # fmt: skip
    both = [*worker(), member(5.5, SECOND_REGION, OTHER_TEAM, 5), *departing(SECOND_REGION, 7, 7)]
    cube = cube_of(tmp_path, master(6, 6), both, other, levels=(0, 1, 0))
    tid = 2
    assert cells(cube, "Implicit") == {(10, 0): 4, (10, tid): 2}
    assert cells(cube, "Fork") == {(10, 0): 0.5, (130, tid): 0.5}
    assert total(cube, "Join") == 0
    assert total(cube, "Time") == 30
