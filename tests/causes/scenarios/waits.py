"""Waits that make others wait, and time that OpenMP takes."""

from __future__ import annotations

from pomp_clang.trace.layout import Kind
from tests.causes.scenarios.scenario import BOTH, Cells, Scenario
from tests.causes.scripts import (
    ATOMIC,
    BARRIER,
    CREATED,
    CRITICAL,
    FLUSH,
    LOCK,
    ORDERED,
    PARALLEL,
    SINGLE,
    TARGET_IN_TEAM,
    TEAM,
    barrier,
    begin,
    critical,
    departing,
    ending,
    fork,
    leave,
    lock,
    member,
    opened,
    phase,
    two,
    waits,
)


def a_wait_that_is_passed_on() -> Scenario:
    """Return a wait of 3 s at a barrier, of which 2 are due to an earlier wait.

    The worker waits from 2 to 5 for the critical of the master, which then goes to the barrier. The
    worker is in the critical from 5 to 8. The master had waited one second itself.
    """
    master = [*critical(CRITICAL, 1, 2, 5, 5), *barrier(BARRIER, 5, 8)]
    worker = [*critical(CRITICAL, 2, 5, 8, 8), *barrier(BARRIER, 8, 8)]
    meetings = {**BOTH, (30, 0): 1, (30, 1): 1, (40, 0): 1, (40, 1): 1}
    sizes: dict[tuple[str, ...], Cells] = {
        ("Time",): {
            (0, 0): 2, (10, 0): 1, (30, 0): 4, (40, 0): 3, (0, 1): 2, (10, 1): 2, (30, 1): 6,
        },
        ("Visits",): {**meetings},
        ("Synchronizations",): {**meetings},
        ("Explicit",): {(40, 0): 3},
        ("Explicit", "Wait at Barrier"): {(40, 0): 3},
        ("Critical",): {(30, 0): 1, (30, 1): 3},
        ("Critical", "Contention"): {(30, 1): 3},
        ("Idle Threads",): {(0, 1): 2},
        ("Overload",): {(10, 1): 0.5},
        ("Underload",): {(10, 0): 0.5},
        ("Critical path",): {(0, 0): 2, (10, 0): 1, (30, 0): 4, (30, 1): 3},
        ("Critical-path imbalance",): {(0, 0): 1, (30, 0): 2, (30, 1): 1.5},
        ("Short-term",): {(10, 1): 1},
        ("Long-term",): {(30, 0): 2},
        ("Contention delay",): {(30, 0): 3},
        ("Thread idleness delay",): {(0, 0): 2},
        ("Direct",): {(30, 1): 3, (40, 0): 1},
        ("Indirect",): {(40, 0): 2},
        ("Propagating",): {(30, 1): 3},
        ("Terminal",): {(40, 0): 3},
    }  # fmt: skip
    return Scenario(two(master, worker), sizes)


def what_openmp_takes() -> Scenario:
    """Return threads whose time goes into OpenMP's own operations.

    The master waits a quarter of a second at the end, of which 1/6 is due to work. The worker had
    0.25 s more work, and 1.25 s more waits, including its wait for the lock. Each visit's events
    take 0.01 s; in an ordered, half of this lies in its turn. A lock has two pairs of events.
    """
    master = [
        fork(1, PARALLEL, TEAM), begin(1.25, PARALLEL),
        opened(1.5, Kind.SIMPLE, FLUSH), leave(2, FLUSH),
        opened(2, Kind.SIMPLE, ATOMIC), leave(2.25, ATOMIC),
        *critical(ORDERED, 2.5, 3, 3.5, 3.5), *lock(8, 4, 4, 5),
        opened(5, Kind.CREATE, CREATED), leave(5.5, CREATED),
        *ending(PARALLEL, TEAM, 7, 7.5, 8),
    ]  # fmt: skip
    worker = [
        member(1.5, PARALLEL, TEAM, 1), *critical(ORDERED, 3, 3.75, 4, 4),
        *lock(8, 4.25, 5.25, 6), *departing(PARALLEL, 7.25, 7.5),
    ]  # fmt: skip
    sizes: dict[tuple[str, ...], Cells] = {
        ("Time",): {
            (0, 0): 3, (10, 0): 4.75, (100, 0): 0.5, (170, 0): 0.25, (80, 0): 1, (60, 0): 0.5,
            (0, 1): 3, (10, 1): 5, (80, 1): 1, (70, 1): 1,
        },
        ("Overhead",): {
            (100, 0): 0.01, (170, 0): 0.01, (80, 0): 0.01, (80, 1): 0.01, (70, 1): 0.02,
        },
        ("Visits",): {
            **BOTH, (100, 0): 1, (170, 0): 1, (80, 0): 1, (80, 1): 1, (70, 0): 1, (70, 1): 1,
        },
        ("Synchronizations",): {**BOTH, (70, 0): 1, (70, 1): 1},
        ("Fork",): {(10, 0): 0.25, (10, 1): 0.5},
        ("Join",): {(10, 0): 0.5, (10, 1): 0.5},
        ("Task Creation",): {(60, 0): 0.5},
        ("Flush",): {(100, 0): 0.49},
        ("Atomic",): {(170, 0): 0.24},
        ("Ordered",): {(80, 0): 0.495, (80, 1): 0.745},
        ("Lock API",): {(70, 1): 0.98},
        ("Lock API", "Contention"): {(70, 1): 0.75},
        ("Implicit",): {(10, 0): 0.5, (10, 1): 0.25},
        ("Implicit", "Wait at Barrier"): {(10, 0): 0.25},
        ("Implicit", "Barrier Completion"): {(10, 0): 0.25, (10, 1): 0.25},
        ("Idle Threads",): {(0, 1): 3},
        ("Overload",): {(10, 1): 0.125, (80, 0): 0.125},
        ("Underload",): {(10, 0): 0.125, (80, 1): 0.125},
        ("Critical path",): {
            (0, 0): 3, (10, 0): 3, (10, 1): 2, (70, 1): 0.25, (80, 0): 1, (170, 0): 0.25,
            (100, 0): 0.5,
        },
        ("Critical-path imbalance",): {
            (0, 0): 1.5, (10, 0): 0.25 * 3 / 5, (10, 1): 0.25 * 2 / 5, (70, 1): 0.125,
            (170, 0): 0.125, (100, 0): 0.25,
        },
        ("Short-term",): {(10, 1): 0.25 / 6},
        ("Long-term",): {(70, 0): 0.25 * 5 / 6},
        ("Contention delay",): {(70, 0): 0.75},
        ("Thread idleness delay",): {(0, 0): 3},
        ("Direct",): {(70, 1): 0.75, (10, 0): 0.25 / 6},
        ("Indirect",): {(10, 0): 0.25 * 5 / 6},
        ("Propagating",): {(70, 1): 0.75},
        ("Terminal",): {(10, 0): 0.25},
    }  # fmt: skip
    return Scenario((master, worker), sizes, cost=0.01)


def attempts_to_get_a_lock() -> Scenario:
    """Return a worker that tries twice from 2 to 2.9 to get a lock, and gives up.

    From 4 on the worker tries until it gets the lock at 6.2; the master has the lock until 6.
    """
    tries = [
        opened(2, Kind.SYNC, LOCK), leave(2.5, LOCK), opened(2.505, Kind.SYNC, LOCK), leave(2.9, LOCK),
        opened(4, Kind.SYNC, LOCK), leave(4.5, LOCK), *lock(5, 4.505, 6.2, 7),
    ]  # fmt: skip
    sizes: dict[tuple[str, ...], Cells] = {
        ("Time",): {(0, 0): 2, (0, 1): 2, (10, 0): 8, (10, 1): 4.9, (70, 1): 3.1},
        ("Visits",): {**BOTH, (70, 0): 1, (70, 1): 4},
        ("Synchronizations",): {**BOTH, (70, 0): 1, (70, 1): 1},
        ("Lock API",): {(70, 1): 3.1},
        ("Lock API", "Contention"): {(70, 1): 2},
        ("Failed Attempts",): {(70, 1): 0.9},
        ("Idle Threads",): {(0, 1): 2},
        ("Overload",): {(10, 0): 1.55},
        ("Underload",): {(10, 1): 1.55},
        ("Critical path",): {(0, 0): 2, (10, 0): 8},
        ("Critical-path imbalance",): {(0, 0): 1, (10, 0): 1.55},
        ("Thread idleness delay",): {(0, 0): 2},
        ("Contention delay",): {(70, 0): 2},
        ("Direct",): {(70, 1): 2},
        ("Terminal",): {(70, 1): 2},
    }  # fmt: skip
    return Scenario(two(lock(5, 1.5, 1.5, 6), tries), sizes)


def a_team_that_waits_for_kernels() -> Scenario:
    """Return a master that is in a target construct from 2 to 5 and from 6 to 8.

    The worker is at a barrier from 3 on, to which the master comes at 6, and from 6.5 on at the end of
    a single, to which the master comes at 8.
    """
    master = [
        opened(2, Kind.SIMPLE, TARGET_IN_TEAM), leave(5, TARGET_IN_TEAM), *barrier(BARRIER, 6, 6),
        opened(6, Kind.SIMPLE, TARGET_IN_TEAM), leave(8, TARGET_IN_TEAM),
        opened(8, Kind.WORK, SINGLE), waits(8, SINGLE), phase(8, SINGLE, 0), leave(8, SINGLE),
    ]  # fmt: skip
    worker = [
        *barrier(BARRIER, 3, 6),
        opened(6.5, Kind.WORK, SINGLE), waits(6.5, SINGLE), phase(8, SINGLE, 0), leave(8, SINGLE),
    ]  # fmt: skip
    meetings = {**BOTH, (40, 0): 1, (40, 1): 1, (50, 0): 1, (50, 1): 1}
    sizes: dict[tuple[str, ...], Cells] = {
        ("Time",): {
            (0, 0): 2, (10, 0): 3, (200, 0): 5, (0, 1): 2, (10, 1): 3.5, (40, 1): 3, (50, 1): 1.5,
        },
        ("Target",): {(200, 0): 5},
        ("Visits",): {**meetings, (200, 0): 2},
        ("Synchronizations",): {**meetings},
        ("Explicit",): {(40, 1): 3},
        ("Explicit", "Wait at Barrier"): {(40, 1): 1},
        ("Explicit", "Wait for Kernels"): {(40, 1): 2},
        ("Implicit",): {(50, 1): 1.5},
        ("Implicit", "Wait for Kernels"): {(50, 1): 1.5},
        ("Idle Threads",): {(0, 1): 2},
        ("Overload",): {(10, 1): 0.25, (200, 0): 2.5},
        ("Single participant",): {(200, 0): 2.5},
        ("Underload",): {(10, 0): 0.25, (200, 1): 2.5},
        ("Non-participation",): {(200, 1): 2.5},
        ("Singularity",): {(200, 1): 2.5},
        ("Critical path",): {(0, 0): 2, (10, 0): 3, (200, 0): 5},
        ("Critical-path imbalance",): {(0, 0): 1, (200, 0): 2.5},
        ("Short-term",): {(200, 0): 4.5},
        ("Thread idleness delay",): {(0, 0): 2},
        ("Direct",): {(40, 1): 3, (50, 1): 1.5},
        ("Terminal",): {(40, 1): 3, (50, 1): 1.5},
    }  # fmt: skip
    return Scenario(two(master, worker), sizes)
