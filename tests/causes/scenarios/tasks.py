"""Tasks that run in barriers, and one that moves."""

from __future__ import annotations

from pomp_clang.experiment.layout import Column
from pomp_clang.trace.layout import Enter, Kind
from tests.causes.scenarios.scenario import BOTH, Cells, Scenario
from tests.causes.scripts import (
    BARRIER,
    CREATED,
    SINGLE,
    TASK,
    TASKWAIT,
    leave,
    opened,
    phase,
    task,
    two,
    untied,
    waits,
)


def tasks_in_an_implied_barrier() -> Scenario:
    """Return a single whose barrier the master enters at 2, with a task from 3 to 4.

    The worker comes at 6 and runs a task from 6.5 to 7.5. The master waits up to 6 for the worker's
    arrival, and then for this task.
    """
    master = [
        opened(1, Kind.WORK, SINGLE), waits(2, SINGLE), phase(3, SINGLE, Column.TASK_T),
        *task(3, 4), waits(4, SINGLE), phase(8, SINGLE, 0), leave(8, SINGLE),
    ]  # fmt: skip
    worker = [
        opened(1, Kind.WORK, SINGLE), waits(6, SINGLE), phase(6.5, SINGLE, Column.TASK_T),
        *task(6.5, 7.5), waits(7.5, SINGLE), phase(8, SINGLE, 0), leave(8, SINGLE),
    ]  # fmt: skip
    sizes: dict[tuple[str, ...], Cells] = {
        ("Time",): {
            (0, 0): 2, (10, 0): 1, (50, 0): 6, (60, 0): 1,
            (0, 1): 2, (10, 1): 1, (50, 1): 6, (60, 1): 1,
        },
        ("Visits",): {**BOTH, (50, 0): 1, (50, 1): 1, (60, 0): 1, (60, 1): 1},
        ("Synchronizations",): {**BOTH, (50, 0): 1, (50, 1): 1},
        ("Implicit",): {(50, 0): 5, (50, 1): 1},
        ("Implicit", "Wait at Barrier"): {(50, 0): 3},
        ("Implicit", "Wait for Tasks"): {(50, 0): 1.5, (50, 1): 0.5},
        ("Implicit", "Barrier Completion"): {(50, 0): 0.5, (50, 1): 0.5},
        ("Idle Threads",): {(0, 1): 2},
        ("Overload",): {(50, 1): 2},
        ("Underload",): {(50, 0): 2},
        ("Critical path",): {(0, 0): 2, (10, 0): 1, (50, 0): 0.5, (60, 1): 1, (50, 1): 5.5},
        ("Critical-path imbalance",): {
            (0, 0): 1, (50, 0): (6 - 3.5) * 0.5 / 6, (50, 1): (6 - 3.5) * 5.5 / 6,
        },
        ("Short-term",): {(50, 1): 3},
        ("Thread idleness delay",): {(0, 0): 2},
        ("Direct",): {(50, 0): 3},
        ("Terminal",): {(50, 0): 3},
    }  # fmt: skip
    return Scenario(two(master, worker), sizes)


def tasks_in_a_barrier_that_is_spelt() -> Scenario:
    """Return a barrier that the master enters at 2, with a task from 3 to 4.

    The worker comes at 5, and runs a task from 5.5 to 7.
    """
    master = [
        opened(2, Kind.BARRIER, BARRIER), phase(3, BARRIER, Column.TASK_T), *task(3, 4),
        phase(4, BARRIER, 0), leave(8, BARRIER),
    ]  # fmt: skip
    worker = [
        opened(5, Kind.BARRIER, BARRIER), phase(5.5, BARRIER, Column.TASK_T), *task(5.5, 7),
        phase(7, BARRIER, 0), leave(8, BARRIER),
    ]  # fmt: skip
    sizes: dict[tuple[str, ...], Cells] = {
        ("Time",): {
            (0, 0): 2, (10, 0): 2, (40, 0): 5, (60, 0): 1,
            (0, 1): 2, (10, 1): 5, (40, 1): 1.5, (60, 1): 1.5,
        },
        ("Visits",): {**BOTH, (40, 0): 1, (40, 1): 1, (60, 0): 1, (60, 1): 1},
        ("Synchronizations",): {**BOTH, (40, 0): 1, (40, 1): 1},
        ("Explicit",): {(40, 0): 5, (40, 1): 1.5},
        ("Explicit", "Wait at Barrier"): {(40, 0): 2},
        ("Explicit", "Wait for Tasks"): {(40, 0): 2, (40, 1): 0.5},
        ("Explicit", "Barrier Completion"): {(40, 0): 1, (40, 1): 1},
        ("Idle Threads",): {(0, 1): 2},
        ("Overload",): {(10, 1): 1.5, (60, 1): 0.25},
        ("Underload",): {(10, 0): 1.5, (60, 0): 0.25},
        ("Critical path",): {
            (0, 0): 2, (10, 0): 1, (40, 0): 1, (60, 1): 1.5, (40, 1): 0.5, (10, 1): 4,
        },
        ("Critical-path imbalance",): {
            (0, 0): 1, (10, 0): 1.5 / 5, (10, 1): 1.5 * 4 / 5, (40, 0): 0.5 * 1 / 1.5,
            (40, 1): 0.5 * 0.5 / 1.5, (60, 1): 0.25,
        },
        ("Short-term",): {(10, 1): 2},
        ("Thread idleness delay",): {(0, 0): 2},
        ("Direct",): {(40, 0): 2},
        ("Terminal",): {(40, 0): 2},
    }  # fmt: skip
    return Scenario(two(master, worker), sizes)


def an_untied_task_that_moves() -> Scenario:
    """Return an untied task that the master begins in its taskwait from 3 to 4.

    The worker ends it from 5 to 7 in the single's barrier, to which the master comes at 8. The
    master comes 7 s later, of which 4 were a wait. So 4/7 of the worker's five seconds are due to a
    wait.
    """
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
    sizes: dict[tuple[str, ...], Cells] = {
        ("Time",): {
            (0, 0): 2, (10, 0): 0.75, (50, 0): 1.75, (60, 0): 1.5, (90, 0): 4,
            (0, 1): 2, (10, 1): 0.75, (50, 1): 5.25, (60, 1): 2,
        },
        ("Visits",): {**BOTH, (50, 0): 1, (50, 1): 1, (60, 0): 1, (90, 0): 1},
        ("Synchronizations",): {**BOTH, (50, 0): 1, (50, 1): 1},
        ("Task Creation",): {(60, 0): 0.5},
        ("Taskwait",): {(90, 0): 4},
        ("Implicit",): {(50, 0): 0.25, (50, 1): 5.25},
        ("Implicit", "Wait at Barrier"): {(50, 1): 5},
        ("Implicit", "Barrier Completion"): {(50, 0): 0.25, (50, 1): 0.25},
        ("Idle Threads",): {(0, 1): 2},
        ("Overload",): {(50, 0): 0.75, (60, 1): 0.5},
        ("Underload",): {(50, 1): 0.75, (60, 0): 0.5},
        ("Critical path",): {
            (0, 0): 2, (10, 0): 0.75, (50, 0): 1.25, (60, 0): 0.5, (50, 1): 2.5, (60, 1): 2,
            (90, 0): 1,
        },
        ("Critical-path imbalance",): {
            (0, 0): 1, (50, 0): 2.75 / 3, (50, 1): 2.75 * 2 / 3, (60, 0): 0.25, (60, 1): 0.5,
        },
        ("Short-term",): {(50, 0): 5 * 1.5 / 7, (60, 0): 5 * 1.5 / 7},
        ("Long-term",): {(50, 0): 5 * 4 / 7},
        ("Thread idleness delay",): {(0, 0): 2},
        ("Direct",): {(50, 1): 5 * 3 / 7},
        ("Indirect",): {(50, 1): 5 * 4 / 7},
        ("Terminal",): {(50, 1): 5},
    }  # fmt: skip
    return Scenario(two(master, worker), sizes)
