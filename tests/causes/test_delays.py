"""Whom waits come from, worked out by hand."""

from __future__ import annotations

from pathlib import Path

import pytest

from pomp_clang.trace.layout import Kind
from tests.causes.scripts import (
    BARRIER,
    CRITICAL,
    FLUSH,
    LOOP,
    PARALLEL,
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
    total,
)


def three(master: Stream, *workers: Stream, begins: float = 1.0) -> tuple[Stream, ...]:
    """A region from 1 to 9 at all, at whose end nobody waits."""
    return (
        [fork(1, PARALLEL, TEAM), begin(1, PARALLEL), *master, *ending(PARALLEL, TEAM, 9, 9, 9)],
        *(
            [member(begins, PARALLEL, TEAM, 1), *each, *departing(PARALLEL, 9, 9)]
            for each in workers
        ),
    )


def test_what_who_comes_last_does_beyond_the_others(tmp_path: Path) -> None:
    """It is at 7 at the barrier, the others at 3 and 5: they wait 6.  Of its 6 seconds of work 2 are
    in the region, 3 in the loop and one is a flush; of theirs 1 and 3 in the region, 1 in
    the loop: so its excess is 2 in the loop and 1 in the flush."""
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
    """The worker waits from 2 to 5 for the critical of the master, which goes to the barrier then;
    it is in there itself from 5 to 8.  The master waits 3, all for that wait."""
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
    """Without more work: it is the barrier's, of who was late."""
    cube = cube_of(tmp_path, *three(barrier(BARRIER, 2, 5), barrier(BARRIER, 5, 5), begins=4))
    assert total(cube, "Explicit", "Wait at Barrier") == 3
    assert cells(cube, "Short-term") == {(40, 1): 3}
