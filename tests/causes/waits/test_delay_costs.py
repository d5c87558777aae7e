"""Causes of waits, worked out by hand."""

from __future__ import annotations

from pathlib import Path

import pytest

from pomp_clang.experiment.layout import Column
from pomp_clang.trace.layout import Kind, Op
from tests.causes.scripts import (
    BARRIER,
    CRITICAL,
    FLUSH,
    INNER,
    INNER_TEAM,
    LOCK,
    LOOP,
    OTHER_LOCK,
    PARALLEL,
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
    event,
    fork,
    held,
    leave,
    let_go,
    lock,
    member,
    opened,
    phase,
    total,
    waits,
)


def three(master: Stream, *workers: Stream, begins: float = 1.0) -> tuple[Stream, ...]:
    """Return a region of all threads from 1 to 9, without a wait at its end."""
    return (
        [fork(1, PARALLEL, TEAM), begin(1, PARALLEL), *master, *ending(PARALLEL, TEAM, 9, 9, 9)],
        *(
            [member(begins, PARALLEL, TEAM, 1), *worker, *departing(PARALLEL, 9, 9)]
            for worker in workers
        ),
    )


def test_what_who_comes_last_does_beyond_the_others(tmp_path: Path) -> None:
    """The last thread comes to the barrier at 7, the others at 3 and 5: they wait 6. It works 6
    seconds: 2 in the region, 3 in the loop, and 1 in a flush. The others work 1 and 3 in the
    region, and 1 in the loop. So its excess is 2 in the loop and 1 in the flush."""
    last = [
        opened(3, Kind.WORK, LOOP), leave(6, LOOP), opened(6, Kind.SIMPLE, FLUSH),
        leave(7, FLUSH), *barrier(BARRIER, 7, 7),
    ]  # fmt: skip
    one = [opened(2, Kind.WORK, LOOP), leave(3, LOOP), *barrier(BARRIER, 3, 7)]
    other = [opened(4, Kind.WORK, LOOP), leave(5, LOOP), *barrier(BARRIER, 5, 7)]
    cube = cube_of(tmp_path, *three(one, last, other))
    assert total(cube, "Explicit", "Wait at Barrier") == 6
    assert cells(cube, "Short-term") == {(20, 1): 4, (100, 1): 2}
    assert total(cube, "Long-term") == 0
    assert cells(cube, "Direct") == {(40, 0): 4, (40, 2): 2}
    assert cells(cube, "Terminal") == cells(cube, "Direct")
    assert cells(cube, "Thread idleness delay") == {(0, 0): 4}


def test_who_comes_last_had_waited_itself(tmp_path: Path) -> None:
    """The worker waits from 2 to 5 for the critical of the master, which then goes to the barrier.
    The worker is in the critical from 5 to 8. The master waits 3, all due to that wait."""
    master = [*critical(CRITICAL, 1, 2, 5, 5), *barrier(BARRIER, 5, 8)]
    worker = [*critical(CRITICAL, 2, 5, 8, 8), *barrier(BARRIER, 8, 8)]
    cube = cube_of(tmp_path, *three(master, worker))
    assert total(cube, "Explicit", "Wait at Barrier") == 3
    assert cells(cube, "Critical", "Contention") == {(30, 1): 3}
    assert cells(cube, "Contention delay") == {(30, 0): 3}
    assert cells(cube, "Long-term") == {(30, 0): pytest.approx(2)}
    assert cells(cube, "Short-term") == {(10, 1): pytest.approx(1)}
    assert cells(cube, "Indirect") == {(40, 0): pytest.approx(2)}
    assert cells(cube, "Direct") == {(30, 1): 3, (40, 0): pytest.approx(1)}
    assert cells(cube, "Propagating") == {(30, 1): 3}
    assert cells(cube, "Terminal") == {(40, 0): 3}


def test_who_begins_late_comes_late(tmp_path: Path) -> None:
    """The late thread has no more work: the barrier is charged, at the thread that was late."""
    cube = cube_of(tmp_path, *three(barrier(BARRIER, 2, 5), barrier(BARRIER, 5, 5), begins=4))
    assert total(cube, "Explicit", "Wait at Barrier") == 3
    assert cells(cube, "Short-term") == {(40, 1): 3}


def test_a_wait_is_passed_on_over_a_team_within(tmp_path: Path) -> None:
    """The worker waits from 2 to 5 for the critical of the master, and has a team of its own from 6
    to 7. Then the worker comes to the barrier, where the master waits from 5 to 8. Beyond the
    master, the worker has 2 s of waits, and 2 and 1 s of work in the regions."""
    inner = [fork(6, INNER, INNER_TEAM), begin(6, INNER), *ending(INNER, INNER_TEAM, 7, 7, 7)]
    master = [*critical(CRITICAL, 1, 2, 5, 5), *barrier(BARRIER, 5, 8)]
    worker = [*critical(CRITICAL, 2, 5, 6, 6), *inner, *barrier(BARRIER, 8, 8)]
    cube = cube_of(tmp_path, *three(master, worker))
    assert cells(cube, "Indirect") == {(40, 0): 1.2}
    assert cells(cube, "Long-term") == {(30, 0): 1.2}
    assert cells(cube, "Propagating") == {(30, 1): 3}


def test_a_wait_before_the_region_is_not_passed_on(tmp_path: Path) -> None:
    """A taskwait in the inner team makes the last thread late at that team's barrier; the thread
    had waited for a critical before."""
    inner = [
        fork(6, INNER, INNER_TEAM), begin(6, INNER), opened(6, Kind.WAIT, TASKWAIT),
        leave(8, TASKWAIT), *ending(INNER, INNER_TEAM, 8, 8, 8),
    ]  # fmt: skip
    member_of_it = [member(6, INNER, INNER_TEAM, 6), *departing(INNER, 6, 8)]
    master = critical(CRITICAL, 1, 2, 5, 5)
    worker = [*critical(CRITICAL, 2, 5, 5, 5), *inner]
    streams = *three(master, worker), member_of_it
    cube = cube_of(tmp_path, *streams, levels=(0, 1, 2))
    assert cells(cube, "Indirect") == {(110, 2): 2}
    assert cells(cube, "Long-term") == {(110, 1): 2}
    assert total(cube, "Propagating") == 0


def test_a_lock_that_was_got_twice_is_held_where_it_was_got_first(tmp_path: Path) -> None:
    """From 1 to 5, and elsewhere once more from 2 to 3; the worker asks at 2.5."""
    again = [*held(OTHER_LOCK, 7, 2, 2, Op.HOLDS_MORE), let_go(OTHER_LOCK, 7, 3)]
    master = [*held(LOCK, 7, 1, 1), *again, let_go(LOCK, 7, 5)]
    cube = cube_of(tmp_path, *three(master, lock(7, 2.5, 5, 6)))
    assert cells(cube, "Contention delay") == {(70, 0): 2.5}


def test_who_is_told_to_be_in_the_barrier_had_not_waited_longer_than_till_then(
    tmp_path: Path,
) -> None:
    """The worker leaves the region at 5 and is reported in the barrier at 6, where the master is
    from 2 to 8. Beyond the master's second of work, the worker has had 3, and waited one."""
    master = [
        fork(1, PARALLEL, TEAM), begin(1, PARALLEL), waits(2, PARALLEL),
        phase(8, PARALLEL, Column.SHUTDWN_T), event(8, Op.ASSEMBLED, 0, TEAM),
        leave(9, PARALLEL), event(9, Op.JOINED, 0, TEAM),
    ]  # fmt: skip
    worker = [
        member(1, PARALLEL, TEAM, 1), event(5, Op.DEPARTS, PARALLEL), leave(5, PARALLEL),
        event(6, Op.WAITS, 0),
    ]  # fmt: skip
    cube = cube_of(tmp_path, master, worker)
    assert cells(cube, "Implicit", "Wait at Barrier") == {(10, 0): 4}
    assert cells(cube, "Short-term") == {(10, 1): 3}
    assert cells(cube, "Long-term") == {(10, 1): 1}
