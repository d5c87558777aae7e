"""Hand-written traces and the sums that follow from them, worked out by hand."""

from __future__ import annotations

from pathlib import Path

from pomp_clang.experiment.layout import Column
from pomp_clang.trace.layout import Enter, Kind, Op, enter
from pomp_clang.trace.reader import read
from tests.experiment.test_reader import END
from tests.trace.handmade import (
    CREATED,
    CRITICAL,
    LOCK,
    LOOP,
    PARALLEL,
    TASK,
    experiment,
    word,
)
from tests.trace.sums import sums

TEAM = 1 << 40 | 1


def sums_of(folder: Path, *streams: list[list[int]]) -> dict[tuple[int, int], dict[str, int]]:
    """Return the columns that are not 0, by name."""
    result = sums(read(experiment(folder, *streams)))
    return {
        key: {column.name: row[column] for column in Column if row[column]}
        for key, row in result.items()
    }


def test_a_critical_waits_works_and_leaves(tmp_path: Path) -> None:
    stream = [
        word(enter(Kind.SYNC), CRITICAL, 100),
        word(Op.PHASE | Column.BODY_T, CRITICAL, 130),
        word(Op.PHASE | Column.EXIT_T, CRITICAL, 170),
        word(Op.LEAVE, CRITICAL, 175),
    ]
    assert sums_of(tmp_path, stream) == {
        (CRITICAL, 0): {"EXEC_C": 1, "EXEC_T": 75, "ENTER_T": 30, "BODY_T": 40, "EXIT_T": 5}
    }


def test_a_team_forks_waits_and_is_joined(tmp_path: Path) -> None:
    master = [
        word(enter(Kind.FORK), PARALLEL, 1000, TEAM),
        word(Op.BEGIN, PARALLEL, 1010),
        word(enter(Kind.WORK, Enter.SPECIAL), LOOP, 1020),
        word(Op.PHASE | Column.EXIT_BAR_T, LOOP, 1050),
        word(Op.PHASE, LOOP, 1080),
        word(Op.LEAVE, LOOP, 1081),
        word(Op.PHASE | Column.SHUTDWN_T, PARALLEL, 1090),
        word(Op.LEAVE, PARALLEL, 1100),
        word(Op.JOINED, 0, 1100, TEAM),
    ]
    worker = [
        word(enter(Kind.PARALLEL), PARALLEL, 1015, TEAM, 15),
        word(enter(Kind.WORK, Enter.SPECIAL), LOOP, 1025),
        word(Op.PHASE | Column.EXIT_BAR_T, LOOP, 1079),
        word(Op.PHASE, LOOP, 1081),
        word(Op.LEAVE, LOOP, 1082),
        word(Op.DEPARTS, PARALLEL, 1092),
        word(Op.LEAVE, PARALLEL, 1092),
    ]
    assert sums_of(tmp_path, master, worker) == {
        (PARALLEL, 0): {
            "EXEC_C": 1, "EXEC_T": 100, "STARTUP_T": 10, "BODY_T": 80, "SHUTDWN_T": 10
        },
        (LOOP, 0): {"EXEC_C": 1, "EXEC_T": 61, "BODY_T": 30, "EXIT_BAR_T": 30},
        (PARALLEL, 1): {
            "EXEC_C": 1, "EXEC_T": 100, "STARTUP_T": 15, "BODY_T": 77, "SHUTDWN_T": 8
        },
        (LOOP, 1): {"EXEC_C": 1, "EXEC_T": 57, "BODY_T": 54, "EXIT_BAR_T": 2},
    }  # fmt: skip


def test_a_task_in_a_barrier_is_no_waiting(tmp_path: Path) -> None:
    stream = [
        word(enter(Kind.WORK, Enter.SPECIAL), LOOP, 100),
        word(Op.PHASE | Column.EXIT_BAR_T, LOOP, 120),
        word(Op.PHASE | Column.TASK_T, LOOP, 130),
        word(enter(Kind.TASK, Enter.SWITCHES), TASK, 130),
        word(Op.LEAVE, TASK, 150),
        word(Op.PHASE | Column.EXIT_BAR_T, LOOP, 150),
        word(Op.PHASE, LOOP, 155),
        word(Op.LEAVE, LOOP, 155),
    ]
    assert sums_of(tmp_path, stream) == {
        (LOOP, 0): {"EXEC_C": 1, "EXEC_T": 55, "BODY_T": 20, "EXIT_BAR_T": 15, "TASK_T": 20},
        (TASK, 0): {"EXEC_C": 1, "EXEC_T": 20},
    }


def test_a_task_stands_still_while_another_runs_in_its_wait(tmp_path: Path) -> None:
    """The outer task works 10 + 10, of which its critical has 5 + 5 around the wait. The inner task
    runs for 30 in the wait; only the wait's own taskT includes that time."""
    stream = [
        word(enter(Kind.TASK), TASK, 100),
        word(enter(Kind.SYNC), CRITICAL, 105),
        word(Op.PHASE | Column.BODY_T, CRITICAL, 105),
        word(enter(Kind.CREATE), CREATED, 110),
        word(Op.PHASE, CREATED, 112),
        word(enter(Kind.TASK, Enter.SPECIAL | Enter.SWITCHES), TASK, 112),
        word(Op.LEAVE, TASK, 142),
        word(Op.PHASE | Column.CREATE_T, CREATED, 142),
        word(Op.LEAVE, CREATED, 143),
        word(Op.PHASE | Column.EXIT_T, CRITICAL, 148),
        word(Op.LEAVE, CRITICAL, 148),
        word(Op.LEAVE, TASK, 153),
    ]
    assert sums_of(tmp_path, stream) == {
        (TASK, 0): {"EXEC_C": 2, "EXEC_T": 30 + 23},
        (CRITICAL, 0): {"EXEC_C": 1, "EXEC_T": 13, "BODY_T": 13},
        (CREATED, 0): {"CREATE_C": 1, "CREATE_T": 3},
    }


def test_what_is_open_ends_with_the_run(tmp_path: Path) -> None:
    stream = [
        word(enter(Kind.WORK, Enter.SPECIAL), LOOP, 100),
        word(enter(Kind.SYNC), CRITICAL, 200),
    ]
    assert sums_of(tmp_path, stream) == {
        (LOOP, 0): {"EXEC_C": 1, "EXEC_T": END - 100, "BODY_T": END - 100},
        (CRITICAL, 0): {"EXEC_C": 1, "EXEC_T": END - 200, "ENTER_T": END - 200},
    }


def test_locks_are_held_from_the_call_that_gets_them(tmp_path: Path) -> None:
    """A nestable one twice; a plain one that was given up elsewhere; another thread's."""
    stream = [
        word(Op.HOLDS_MORE, LOCK, 100, 0xA0),
        word(Op.HOLDS_MORE, LOCK, 110, 0xA0),
        word(Op.RELEASES, LOCK, 130, 0xA0),
        word(Op.RELEASED, LOCK, 131),
        word(Op.RELEASES, LOCK, 150, 0xA0),
        word(Op.RELEASED, LOCK, 153),
        word(Op.HOLDS, CRITICAL, 200, 0xB0),
        word(Op.HOLDS, CRITICAL, 300, 0xB0),
        word(Op.RELEASES, CRITICAL, 307, 0xB0),
        word(Op.HANDS_OVER, LOOP, 400, 0xC0),
        word(Op.RELEASED, LOOP, 402),
    ]
    assert sums_of(tmp_path, stream) == {
        (LOCK, 0): {"EXEC_T": 20 + 50 + 4, "BODY_T": 70, "EXIT_T": 4},
        (CRITICAL, 0): {"EXEC_T": 7, "BODY_T": 7},
        (LOOP, 0): {"EXEC_C": 1, "EXEC_T": 2, "EXIT_T": 2},
    }


def test_a_visit_that_goes_on_elsewhere_is_counted_once(tmp_path: Path) -> None:
    first = [
        word(enter(Kind.TASK), TASK, 100, 2),
        word(enter(Kind.USER), LOOP, 110),
        word(Op.LEAVE, LOOP, 120),
        word(Op.LEAVE, TASK, 120),
    ]
    then = [
        word(enter(Kind.TASK, Enter.RESUMES), TASK, 200, 2),
        word(enter(Kind.USER, Enter.RESUMES), LOOP, 200),
        word(Op.PHASE_AGAIN, LOOP, 200),
        word(Op.LEAVE, LOOP, 205),
        word(Op.LEAVE, TASK, 230),
    ]
    assert sums_of(tmp_path, first, then) == {
        (TASK, 0): {"EXEC_C": 1, "EXEC_T": 20},
        (LOOP, 0): {"EXEC_C": 1, "EXEC_T": 10},
        (TASK, 1): {"EXEC_T": 30},
        (LOOP, 1): {"EXEC_T": 5},
    }
