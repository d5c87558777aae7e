"""Idle threads, and threads that have more or less to do than others."""

from __future__ import annotations

from pathlib import Path

from pomp_clang.trace.layout import Kind
from tests.causes.scripts import (
    MAIN,
    PARALLEL,
    SECOND_REGION,
    SECTIONS,
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

TEAM, NEXT, OTHER = 1 << 40 | 1, 1 << 40 | 2, 1 << 40 | 3


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


def test_teams_that_change_their_size(tmp_path: Path) -> None:
    """Three threads from 1 to 3, two from 4 to 8, one alone from 8 to 9."""
    cube = cube_of(
        tmp_path,
        [
            fork(1, PARALLEL, TEAM), begin(1, PARALLEL), *ending(PARALLEL, TEAM, 3, 3, 3),
            fork(4, SECOND_REGION, NEXT), begin(4, SECOND_REGION),
            *ending(SECOND_REGION, NEXT, 8, 8, 8),
            fork(8, SECOND_REGION, OTHER), begin(8, SECOND_REGION),
            *ending(SECOND_REGION, OTHER, 9, 9, 9),
        ],
        [
            member(1, PARALLEL, TEAM, 1), *departing(PARALLEL, 3, 3),
            member(4, SECOND_REGION, NEXT, 4), *departing(SECOND_REGION, 7, 8),
        ],
        [member(1, PARALLEL, TEAM, 1), *departing(PARALLEL, 2, 3)],
    )  # fmt: skip
    assert cells(cube, "Limited Parallelism") == {(130, 1): 1, (130, 2): 5}
    assert cells(cube, "Idle Threads") == {(0, 1): 3, (0, 2): 3, (130, 1): 1, (130, 2): 5}
    assert cells(cube, "Implicit", "Wait at Barrier") == {(10, 2): 1, (130, 1): 1}
    assert total(cube, "Time") == 30


def test_a_thread_that_the_program_made(tmp_path: Path) -> None:
    """It is there from 3 to 7, and has a team of its own from 4 to 6; the main thread's is from
    5 to 9."""
    cube = cube_of(
        tmp_path,
        [fork(5, PARALLEL, TEAM), begin(5, PARALLEL), *ending(PARALLEL, TEAM, 9, 9, 9)],
        [
            opened(3, Kind.USER, MAIN), fork(4, SECOND_REGION, NEXT), begin(4, SECOND_REGION),
            *ending(SECOND_REGION, NEXT, 6, 6, 6), leave(7, MAIN),
        ],
        levels=(0, 0),
    )  # fmt: skip
    assert cells(cube, "Idle Threads") == {(0, 1): 3 + 1, (10, 1): 2}
    assert cells(cube, "Limited Parallelism") == {(10, 1): 2}
    assert cells(cube, "Execution") == {
        (0, 0): 6, (10, 0): 4, (150, 1): 2, (130, 1): 2,
    }  # fmt: skip
    assert total(cube, "Time") == 20


def test_imbalance_is_from_the_mean_of_those_that_came(tmp_path: Path) -> None:
    """Of three, two come to the loop, with 4 and 2 seconds of work."""
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
    """The mean is that of all three: with all of them it would take a third."""
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
