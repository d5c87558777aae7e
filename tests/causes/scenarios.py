"""Traces of ten seconds, written by hand, with the severities of all properties, computed by hand: by line
and thread, in seconds.  What is not there is 0; what follows from others by definition is left out."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from pomp_clang.causes.run import Run
from pomp_clang.experiment.layout import Column
from pomp_clang.trace.layout import Enter, Kind, enter
from tests.causes.scripts import (
    ATOMIC,
    BARRIER,
    CANCEL,
    CREATED,
    CRITICAL,
    FLUSH,
    INNER,
    MAIN,
    ORDERED,
    PARALLEL,
    SECOND_REGION,
    SINGLE,
    TASK,
    TASKWAIT,
    Stream,
    Words,
    at,
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
    run_of,
    task,
    waits,
)
from tests.trace.handmade import word

Cells = dict[tuple[int, int], float]

TEAM, INNER_TEAM, OTHER, NEXT = (1 << 40 | number for number in range(1, 5))


@dataclass(frozen=True)
class Scenario:
    """`sizes` are by the last names of the property; `cost` is what each visit takes of itself."""

    streams: tuple[Stream, ...]
    sizes: dict[tuple[str, ...], Cells]
    levels: tuple[int, ...] | None = None
    cost: float = 0.0


def analysed(scenario: Scenario, folder: Path) -> Run:
    run = run_of(folder, *scenario.streams, levels=scenario.levels)
    costs = (scenario.cost * run.second, *(0.0 for _ in range(16)))
    return replace(run, records=replace(run.records, costs=costs))


def two(master: Stream, worker: Stream) -> tuple[Stream, Stream]:
    """A region from 1 to 9 at both; nobody waits at its end."""
    return (
        [fork(1, PARALLEL, TEAM), begin(1, PARALLEL), *master, *ending(PARALLEL, TEAM, 9, 9, 9)],
        [member(1, PARALLEL, TEAM, 1), *worker, *departing(PARALLEL, 9, 9)],
    )


def untied(when: float, how: int = 0) -> Words:
    return word(enter(Kind.TASK, how), TASK, at(when), 5)


BOTH: Cells = {(10, 0): 1, (10, 1): 1}


def nested_teams() -> Scenario:
    """Both members have a team of their own, from 3 to 6 and from 3 to 7, the first one's with a
    third thread.  The first waits 1 and 1.5 s for the second at the outer team's barriers, and 2 s
    for the third; that had 1.5 s more to do, and came half a second late."""
    master = [
        fork(1, PARALLEL, TEAM), begin(1, PARALLEL), *barrier(BARRIER, 2, 3),
        fork(3, INNER, INNER_TEAM), begin(3, INNER), *ending(INNER, INNER_TEAM, 4, 6, 6),
        *barrier(BARRIER, 6.5, 8), *ending(PARALLEL, TEAM, 9, 9, 9),
    ]  # fmt: skip
    worker = [
        member(1, PARALLEL, TEAM, 1), *barrier(BARRIER, 3, 3),
        fork(3, INNER, OTHER), begin(3, INNER), *ending(INNER, OTHER, 7, 7, 7),
        *barrier(BARRIER, 8, 8), *departing(PARALLEL, 9, 9),
    ]  # fmt: skip
    inner = [member(3.5, INNER, INNER_TEAM, 3), *departing(INNER, 6, 6)]
    # At the second barrier it has 3 s more in its own region and half a second in the outer one.
    of_region, of_outer = 1.5 * 3 / 3.5, 1.5 * 0.5 / 3.5
    sizes: dict[tuple[str, ...], Cells] = {
        ("Time",): {
            (0, 0): 2, (10, 0): 2.5, (40, 0): 2.5, (110, 0): 3,
            (0, 1): 2, (10, 1): 4, (110, 1): 4, (0, 2): 2, (10, 2): 5, (110, 2): 3,
        },
        ("Visits",): {**BOTH, (40, 0): 2, (40, 1): 2, (110, 0): 1, (110, 1): 1, (110, 2): 1},
        ("Synchronizations",): {
            **BOTH, (40, 0): 2, (40, 1): 2, (110, 0): 1, (110, 1): 1, (110, 2): 1,
        },
        ("Fork",): {(110, 2): 0.5},
        ("Explicit",): {(40, 0): 2.5},
        ("Explicit", "Wait at Barrier"): {(40, 0): 2.5},
        ("Implicit",): {(110, 0): 2},
        ("Implicit", "Wait at Barrier"): {(110, 0): 2},
        ("Idle Threads",): {(0, 1): 2, (0, 2): 2, (10, 2): 5},
        ("Limited Parallelism",): {(10, 2): 5},
        ("Overload",): {(10, 1): 0.75, (110, 1): 1.5},
        ("Underload",): {(10, 0): 0.75, (10, 2): 3.25, (110, 0): 1.5},
        ("Non-participation",): {(10, 2): 3.25},
        ("Critical path",): {(0, 0): 2, (10, 0): 1, (10, 1): 3, (110, 1): 4},
        ("Critical-path imbalance",): {
            (0, 0): 2 - 2 / 3, (10, 0): (4 - 6.5 / 3) / 4, (10, 1): (4 - 6.5 / 3) * 3 / 4,
            (110, 1): 4 - 8 / 3,
        },
        ("Short-term",): {(10, 1): 1 + of_outer, (110, 1): of_region, (110, 2): 1.5 + 0.5},
        ("Thread idleness delay",): {(0, 0): 4, (10, 0): 5},
        ("Direct",): {(40, 0): 2.5, (110, 0): 2},
        ("Terminal",): {(40, 0): 2.5, (110, 0): 2},
    }  # fmt: skip
    return Scenario((master, worker, inner), sizes, levels=(0, 1, 2))


def tasks_in_an_implied_barrier() -> Scenario:
    """The master comes at 2 and runs a task from 3 to 4; the worker comes at 6 and runs one from
    6.5 to 7.5, for which the master waits, but not for its coming."""
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


def cancelled() -> Scenario:
    """The worker cancels at 4 and meets the end's barrier at once; the master is till then in one
    that the worker never comes to, and computes up to 7: no longer than the worker did before."""
    master = [fork(1, PARALLEL, TEAM), begin(1, PARALLEL), *barrier(BARRIER, 2, 4)]
    worker = [member(1, PARALLEL, TEAM, 1), opened(4, Kind.CANCEL, CANCEL), leave(4, CANCEL)]
    streams = [*master, *ending(PARALLEL, TEAM, 7, 7, 7)], [*worker, *departing(PARALLEL, 4, 7)]
    sizes: dict[tuple[str, ...], Cells] = {
        ("Time",): {(0, 0): 4, (10, 0): 4, (40, 0): 2, (0, 1): 4, (10, 1): 6},
        ("Visits",): {**BOTH, (40, 0): 1, (140, 1): 1},
        ("Synchronizations",): {**BOTH, (40, 0): 1},
        ("Explicit",): {(40, 0): 2},
        ("Implicit",): {(10, 1): 3},
        ("Implicit", "Wait at Barrier"): {(10, 1): 3},
        ("Idle Threads",): {(0, 1): 4},
        ("Overload",): {(10, 0): 0.5},
        ("Underload",): {(10, 1): 0.5},
        ("Critical path",): {(0, 0): 4, (10, 0): 4, (40, 0): 2},
        ("Critical-path imbalance",): {(0, 0): 2, (10, 0): 0.5, (40, 0): 1},
        ("Short-term",): {(10, 0): 3},
        ("Thread idleness delay",): {(0, 0): 4},
        ("Direct",): {(10, 1): 3},
        ("Terminal",): {(10, 1): 3},
    }
    return Scenario(streams, sizes)


def an_untied_task_that_moves() -> Scenario:
    """The master begins it in its taskwait from 3 to 4, the worker ends it from 5 to 7 in the
    single's barrier, to which the master comes at 8.  Of what made it come 7 s later 4 were a wait:
    so are 4/7 of the worker's five seconds."""
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


def teams_that_change() -> Scenario:
    """Three threads from 1 to 3, two from 4 to 8, one alone from 8 to 9."""
    master = [
        fork(1, PARALLEL, TEAM), begin(1, PARALLEL), *ending(PARALLEL, TEAM, 3, 3, 3),
        fork(4, SECOND_REGION, NEXT), begin(4, SECOND_REGION),
        *ending(SECOND_REGION, NEXT, 8, 8, 8),
        fork(8, SECOND_REGION, OTHER), begin(8, SECOND_REGION),
        *ending(SECOND_REGION, OTHER, 9, 9, 9),
    ]  # fmt: skip
    workers = (
        [
            member(1, PARALLEL, TEAM, 1), *departing(PARALLEL, 3, 3),
            member(4, SECOND_REGION, NEXT, 4), *departing(SECOND_REGION, 7, 8),
        ],
        [member(1, PARALLEL, TEAM, 1), *departing(PARALLEL, 2, 3)],
    )  # fmt: skip
    met = {(10, 0): 1, (10, 1): 1, (10, 2): 1, (130, 0): 2, (130, 1): 1}
    sizes: dict[tuple[str, ...], Cells] = {
        ("Time",): {
            (0, 0): 3, (10, 0): 2, (130, 0): 5, (0, 1): 3, (10, 1): 2, (130, 1): 5,
            (0, 2): 3, (10, 2): 2, (130, 2): 5,
        },
        ("Visits",): {**met},
        ("Synchronizations",): {**met},
        ("Implicit",): {(10, 2): 1, (130, 1): 1},
        ("Implicit", "Wait at Barrier"): {(10, 2): 1, (130, 1): 1},
        ("Idle Threads",): {(0, 1): 3, (0, 2): 3, (130, 1): 1, (130, 2): 5},
        ("Limited Parallelism",): {(130, 1): 1, (130, 2): 5},
        ("Overload",): {(10, 0): 1 / 3, (10, 1): 1 / 3, (130, 0): 1},
        ("Underload",): {(10, 2): 2 / 3, (130, 1): 1, (130, 2): 4},
        ("Non-participation",): {(130, 2): 4},
        ("Critical path",): {(0, 0): 3, (10, 0): 2, (130, 0): 5},
        ("Critical-path imbalance",): {(0, 0): 2, (10, 0): 1 / 3, (130, 0): 5 - 8 / 3},
        ("Short-term",): {(10, 0): 1, (130, 0): 1},
        ("Thread idleness delay",): {(0, 0): 6, (130, 0): 6},
        ("Direct",): {(10, 2): 1, (130, 1): 1},
        ("Terminal",): {(10, 2): 1, (130, 1): 1},
    }  # fmt: skip
    return Scenario((master, *workers), sizes)


def a_thread_that_the_program_made() -> Scenario:
    """It is there from 3 to 7, and has a team of its own from 4 to 6; the main thread's is from
    5 to 9."""
    streams = (
        [fork(5, PARALLEL, TEAM), begin(5, PARALLEL), *ending(PARALLEL, TEAM, 9, 9, 9)],
        [
            opened(3, Kind.USER, MAIN), fork(4, SECOND_REGION, NEXT), begin(4, SECOND_REGION),
            *ending(SECOND_REGION, NEXT, 6, 6, 6), leave(7, MAIN),
        ],
    )  # fmt: skip
    sizes: dict[tuple[str, ...], Cells] = {
        ("Time",): {(0, 0): 6, (10, 0): 4, (0, 1): 4, (10, 1): 2, (150, 1): 2, (130, 1): 2},
        ("Visits",): {(10, 0): 1, (150, 1): 1, (130, 1): 1},
        ("Synchronizations",): {(10, 0): 1, (130, 1): 1},
        ("Idle Threads",): {(0, 1): 4, (10, 1): 2},
        ("Limited Parallelism",): {(10, 1): 2},
        ("Overload",): {(10, 0): 2, (130, 1): 1},
        ("Single participant",): {(10, 0): 2, (130, 1): 1},
        ("Underload",): {(10, 1): 2, (130, 0): 1},
        ("Non-participation",): {(10, 1): 2, (130, 0): 1},
        ("Singularity",): {(10, 1): 2, (130, 0): 1},
        ("Critical path",): {(0, 0): 6, (10, 0): 4},
        ("Critical-path imbalance",): {(0, 0): 3, (10, 0): 2},
        ("Thread idleness delay",): {(0, 0): 4, (10, 0): 2},
    }
    return Scenario(streams, sizes, levels=(0, 0))


def a_wait_that_is_passed_on() -> Scenario:
    """The worker waits from 2 to 5 for the critical of the master, which goes to the barrier then;
    it is in there itself from 5 to 8.  The master waits 3, of which 2 are for that wait: it had
    waited one itself."""
    master = [*critical(CRITICAL, 1, 2, 5, 5), *barrier(BARRIER, 5, 8)]
    worker = [*critical(CRITICAL, 2, 5, 8, 8), *barrier(BARRIER, 8, 8)]
    met = {**BOTH, (30, 0): 1, (30, 1): 1, (40, 0): 1, (40, 1): 1}
    sizes: dict[tuple[str, ...], Cells] = {
        ("Time",): {
            (0, 0): 2, (10, 0): 1, (30, 0): 4, (40, 0): 3, (0, 1): 2, (10, 1): 2, (30, 1): 6,
        },
        ("Visits",): {**met},
        ("Synchronizations",): {**met},
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
    """Of a quarter of a second that the master waits at the end 1/6 is for work: the worker had
    0.25 s more of it, and 1.25 s more of waits, among them that for the lock."""
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
        ("Overhead",): {(10, 0): 0.01, (10, 1): 0.01, (80, 0): 0.01, (80, 1): 0.01},
        ("Visits",): {
            **BOTH, (100, 0): 1, (170, 0): 1, (80, 0): 1, (80, 1): 1, (70, 0): 1, (70, 1): 1,
        },
        ("Synchronizations",): {**BOTH, (70, 0): 1, (70, 1): 1},
        ("Fork",): {(10, 0): 0.25, (10, 1): 0.5},
        ("Join",): {(10, 0): 0.5, (10, 1): 0.5},
        ("Task Creation",): {(60, 0): 0.5},
        ("Flush",): {(100, 0): 0.5},
        ("Atomic",): {(170, 0): 0.25},
        ("Ordered",): {(80, 0): 0.5, (80, 1): 0.75},
        ("Lock API",): {(70, 1): 1},
        ("Lock API", "Contention"): {(70, 1): 0.75},
        ("Implicit",): {(10, 0): 0.5, (10, 1): 0.25},
        ("Implicit", "Wait at Barrier"): {(10, 0): 0.25},
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


SCENARIOS = {
    "nested teams": nested_teams(),
    "tasks in an implied barrier": tasks_in_an_implied_barrier(),
    "tasks in a barrier that is spelt": tasks_in_a_barrier_that_is_spelt(),
    "a cancelled region": cancelled(),
    "an untied task that moves": an_untied_task_that_moves(),
    "teams that change": teams_that_change(),
    "a thread that the program made": a_thread_that_the_program_made(),
    "a wait that is passed on": a_wait_that_is_passed_on(),
    "what OpenMP takes": what_openmp_takes(),
}
