"""Idle threads, and threads that have more or less to do than others."""

from __future__ import annotations

from pathlib import Path

from pomp_clang.trace.layout import Kind
from tests.causes.scripts import (
    FLUSH,
    MAIN,
    PARALLEL,
    SECTIONS,
    TEAM,
    begin,
    cells,
    cube_of,
    departing,
    ending,
    fork,
    leave,
    loop,
    member,
    opened,
    total,
)


def test_idle_threads_are_on_the_master_s_call_path(tmp_path: Path) -> None:
    """Within main from 1 to 9, and outside it; of that the region takes 4 to 6."""
    cube = cube_of(
        tmp_path,
        [
            opened(1, Kind.USER, MAIN),
            fork(4, PARALLEL, TEAM), begin(4, PARALLEL), *ending(PARALLEL, TEAM, 6, 6, 6),
            leave(9, MAIN),
        ],
        [member(4, PARALLEL, TEAM, 4), *departing(PARALLEL, 6, 6)],
        [member(4, PARALLEL, TEAM, 4), *departing(PARALLEL, 6, 6)],
    )  # fmt: skip
    assert cells(cube, "Idle Threads") == {
        (0, 1): 2, (0, 2): 2, (150, 1): 6, (150, 2): 6,
    }  # fmt: skip
    assert total(cube, "Limited Parallelism") == 0
    assert total(cube, "Time") == 30


def test_imbalance_is_from_the_mean_of_those_that_came(tmp_path: Path) -> None:
    """Two of three threads come to the loop, with 4 and 2 seconds of work."""
    cube = cube_of(
        tmp_path,
        [
            fork(1, PARALLEL, TEAM), begin(1, PARALLEL), *loop(2, 1, 5, 6),
            *ending(PARALLEL, TEAM, 6, 9, 9),
        ],
        [member(1, PARALLEL, TEAM, 1), *loop(2, 1, 3, 6), *departing(PARALLEL, 6, 9)],
        [member(1, PARALLEL, TEAM, 1), *departing(PARALLEL, 1, 9)],
    )  # fmt: skip
    assert cells(cube, "Overload") == {(20, 0): 1}
    assert cells(cube, "Underload") == {(20, 1): 1, (20, 2): 3}
    assert cells(cube, "Non-participation") == {(20, 2): 3}
    assert total(cube, "Singularity") == 0
    assert total(cube, "Single participant") == 0


def test_one_thread_alone_computes(tmp_path: Path) -> None:
    """The mean is over all three threads: shared by all, the work would take a third."""
    cube = cube_of(
        tmp_path,
        [
            fork(1, PARALLEL, TEAM), begin(1, PARALLEL), *loop(SECTIONS, 1, 7, 7),
            *ending(PARALLEL, TEAM, 7, 7, 7),
        ],
        [member(1, PARALLEL, TEAM, 1), *departing(PARALLEL, 1, 7)],
        [member(1, PARALLEL, TEAM, 1), *departing(PARALLEL, 1, 7)],
    )  # fmt: skip
    assert cells(cube, "Single participant") == {(120, 0): 4}
    assert cells(cube, "Singularity") == {(120, 1): 2, (120, 2): 2}
    assert cells(cube, "Computational imbalance") == {(120, 0): 4, (120, 1): 2, (120, 2): 2}


def test_who_was_in_another_s_team_is_a_thread_of_openmp(tmp_path: Path) -> None:
    """The thread was first seen outside regions, from 2 to 3. It is idle up to the fork at 4 and
    after the join at 7, and its time is the program's."""
    cube = cube_of(
        tmp_path,
        [fork(4, PARALLEL, TEAM), begin(4, PARALLEL), *ending(PARALLEL, TEAM, 6, 6, 7)],
        [
            opened(2, Kind.SIMPLE, FLUSH), leave(3, FLUSH),
            member(5, PARALLEL, TEAM, 4), *departing(PARALLEL, 6, 6),
        ],
        levels=(0, 0),
    )  # fmt: skip
    assert cells(cube, "Flush") == {(100, 1): 1}
    assert cells(cube, "Fork") == {(10, 1): 1}
    assert cells(cube, "Join") == {(10, 0): 1, (10, 1): 1}
    assert cells(cube, "Idle Threads") == {(0, 1): 6}
    assert total(cube, "Time") == 20
