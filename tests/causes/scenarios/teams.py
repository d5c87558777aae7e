"""Regions within each other, teams of other sizes, and what ends before its time."""

from __future__ import annotations

from pomp_clang.experiment.layout import Column
from pomp_clang.trace.layout import Kind
from tests.causes.scenarios.scenario import BOTH, Cells, Scenario
from tests.causes.scripts import (
    BARRIER,
    CANCEL,
    INNER,
    INNER_TEAM,
    LOOP_CANCEL,
    MAIN,
    MAY_BE_CANCELLED,
    NEXT_TEAM,
    OTHER_TEAM,
    PARALLEL,
    SECOND_REGION,
    TARGET,
    TARGET_DATA,
    TEAM,
    barrier,
    begin,
    departing,
    ending,
    fork,
    leave,
    member,
    opened,
    phase,
)


def nested_teams() -> Scenario:
    """Return two threads with a team each, from 3 to 6 and from 3 to 7, the first with a third
    thread.

    The first thread waits 1 and 1.5 s for the second at the outer team's barriers, and 2 s for the
    third. The third thread had 1.5 s more to do, and came half a second late.
    """
    master = [
        fork(1, PARALLEL, TEAM), begin(1, PARALLEL), *barrier(BARRIER, 2, 3),
        fork(3, INNER, INNER_TEAM), begin(3, INNER), *ending(INNER, INNER_TEAM, 4, 6, 6),
        *barrier(BARRIER, 6.5, 8), *ending(PARALLEL, TEAM, 9, 9, 9),
    ]  # fmt: skip
    worker = [
        member(1, PARALLEL, TEAM, 1), *barrier(BARRIER, 3, 3),
        fork(3, INNER, OTHER_TEAM), begin(3, INNER), *ending(INNER, OTHER_TEAM, 7, 7, 7),
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


def a_nested_team_in_place_of_the_pool() -> Scenario:
    """Return a team of two from 1 to 3, and a team of one from 4 to 9 that forks a team of two at 5.

    The third thread is in this team while the second waits for work: two work at a time. When only
    one does, each of the two others counts as idle for half of the time.
    """
    master = [
        fork(1, SECOND_REGION, TEAM), begin(1, SECOND_REGION),
        *ending(SECOND_REGION, TEAM, 3, 3, 3),
        fork(4, PARALLEL, OTHER_TEAM), begin(4, PARALLEL),
        fork(5, INNER, INNER_TEAM), begin(5, INNER), *ending(INNER, INNER_TEAM, 8, 8, 8),
        *ending(PARALLEL, OTHER_TEAM, 9, 9, 9),
    ]  # fmt: skip
    of_pool = [member(1, SECOND_REGION, TEAM, 1), *departing(SECOND_REGION, 2.5, 3)]
    inner = [member(5, INNER, INNER_TEAM, 5), *departing(INNER, 7, 8)]
    meetings: Cells = {(130, 0): 1, (130, 1): 1, (10, 0): 1, (110, 0): 1, (110, 2): 1}
    waits: Cells = {(130, 1): 0.5, (110, 2): 1}
    sizes: dict[tuple[str, ...], Cells] = {
        ("Time",): {
            (0, 0): 3, (10, 0): 2, (110, 0): 3, (130, 0): 2, (0, 1): 1.5, (10, 1): 1, (130, 1): 2,
            (0, 2): 1.5, (10, 2): 1, (110, 2): 3,
        },
        ("Visits",): meetings,
        ("Synchronizations",): meetings,
        ("Implicit",): waits,
        ("Implicit", "Wait at Barrier"): waits,
        ("Idle Threads",): {(0, 1): 1.5, (0, 2): 1.5, (10, 1): 1, (10, 2): 1},
        ("Limited Parallelism",): {(10, 1): 1, (10, 2): 1},
        ("Overload",): {(10, 0): 4 / 3, (110, 0): 0.5, (130, 0): 0.25},
        ("Single participant",): {(10, 0): 4 / 3},
        ("Underload",): {
            (10, 1): 2 / 3, (10, 2): 2 / 3, (110, 1): 2.5, (110, 2): 0.5, (130, 1): 0.25,
            (130, 2): 1.75,
        },
        ("Non-participation",): {(10, 1): 2 / 3, (10, 2): 2 / 3, (110, 1): 2.5, (130, 2): 1.75},
        ("Singularity",): {(10, 1): 2 / 3, (10, 2): 2 / 3},
        ("Critical path",): {(0, 0): 3, (10, 0): 2, (110, 0): 3, (130, 0): 2},
        ("Critical-path imbalance",): {(0, 0): 1.5, (10, 0): 1, (110, 0): 0.5, (130, 0): 0.25},
        ("Short-term",): {(110, 0): 1, (130, 0): 0.5},
        ("Thread idleness delay",): {(0, 0): 3, (10, 0): 2},
        ("Direct",): waits,
        ("Terminal",): waits,
    }  # fmt: skip
    return Scenario((master, of_pool, inner), sizes, levels=(0, 1, 2), threads_at_once=2)


def a_cancelled_loop() -> Scenario:
    """Return a loop that the master cancels at 2.

    The master waits for the worker, which does not see the cancellation and computes up to 6. The
    loop's barrier has no events.
    """
    master = [
        opened(1, Kind.WORK, MAY_BE_CANCELLED), opened(2, Kind.CANCEL, LOOP_CANCEL), leave(6, LOOP_CANCEL),
        leave(6, MAY_BE_CANCELLED),
    ]  # fmt: skip
    worker = [opened(1, Kind.WORK, MAY_BE_CANCELLED), leave(6, MAY_BE_CANCELLED)]
    meetings = {**BOTH, (190, 0): 1, (190, 1): 1}
    streams = (
        [fork(1, PARALLEL, TEAM), begin(1, PARALLEL), *master, *ending(PARALLEL, TEAM, 8, 8, 8)],
        [member(1, PARALLEL, TEAM, 1), *worker, *departing(PARALLEL, 8, 8)],
    )
    sizes: dict[tuple[str, ...], Cells] = {
        ("Time",): {(0, 0): 3, (10, 0): 2, (190, 0): 5, (0, 1): 3, (10, 1): 2, (190, 1): 5},
        ("Visits",): {**meetings, (140, 0): 1},
        ("Synchronizations",): {**meetings},
        ("Implicit",): {(190, 0): 4},
        ("Implicit", "Wait at Barrier"): {(190, 0): 4},
        ("Wait after Cancellation",): {(190, 0): 4},
        ("Idle Threads",): {(0, 1): 3},
        ("Overload",): {(190, 1): 2},
        ("Underload",): {(190, 0): 2},
        ("Critical path",): {(0, 0): 3, (10, 0): 2, (190, 1): 5},
        ("Critical-path imbalance",): {(0, 0): 1.5, (190, 1): 2},
        ("Short-term",): {(190, 1): 4},
        ("Thread idleness delay",): {(0, 0): 3},
        ("Direct",): {(190, 0): 4},
        ("Terminal",): {(190, 0): 4},
    }
    return Scenario(streams, sizes)


def cancelled() -> Scenario:
    """Return a region that the worker cancels at 4, when it meets the end's barrier at once.

    Until then, the master is in a barrier that the worker never comes to. The master computes up to
    7: no longer than the worker did before.
    """
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


def teams_that_change() -> Scenario:
    """Return three threads from 1 to 3, two from 4 to 8, one alone from 8 to 9."""
    master = [
        fork(1, PARALLEL, TEAM), begin(1, PARALLEL), *ending(PARALLEL, TEAM, 3, 3, 3),
        fork(4, SECOND_REGION, NEXT_TEAM), begin(4, SECOND_REGION),
        *ending(SECOND_REGION, NEXT_TEAM, 8, 8, 8),
        fork(8, SECOND_REGION, OTHER_TEAM), begin(8, SECOND_REGION),
        *ending(SECOND_REGION, OTHER_TEAM, 9, 9, 9),
    ]  # fmt: skip
    workers = (
        [
            member(1, PARALLEL, TEAM, 1), *departing(PARALLEL, 3, 3),
            member(4, SECOND_REGION, NEXT_TEAM, 4), *departing(SECOND_REGION, 7, 8),
        ],
        [member(1, PARALLEL, TEAM, 1), *departing(PARALLEL, 2, 3)],
    )  # fmt: skip
    meetings = {(10, 0): 1, (10, 1): 1, (10, 2): 1, (130, 0): 2, (130, 1): 1}
    sizes: dict[tuple[str, ...], Cells] = {
        ("Time",): {
            (0, 0): 3, (10, 0): 2, (130, 0): 5, (0, 1): 3, (10, 1): 2, (130, 1): 5,
            (0, 2): 3, (10, 2): 2, (130, 2): 5,
        },
        ("Visits",): {**meetings},
        ("Synchronizations",): {**meetings},
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
    """Return a thread that is there from 3 to 7, and has a team of its own from 4 to 6.

    The main thread's team is from 5 to 9.
    """
    streams = (
        [fork(5, PARALLEL, TEAM), begin(5, PARALLEL), *ending(PARALLEL, TEAM, 9, 9, 9)],
        [
            opened(3, Kind.USER, MAIN), fork(4, SECOND_REGION, NEXT_TEAM), begin(4, SECOND_REGION),
            *ending(SECOND_REGION, NEXT_TEAM, 6, 6, 6), leave(7, MAIN),
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


def threads_that_are_waited_for() -> Scenario:
    """Return a main thread without events from 1 to 9, and two threads that it made.

    These have a region each, from 3 to 7 and from 3 to 5. The second thread is idle from 5 on, and
    the main thread goes on at 7.
    """
    main = [opened(1, Kind.USER, MAIN), leave(9, MAIN)]
    long = [fork(3, PARALLEL, TEAM), begin(3, PARALLEL), *ending(PARALLEL, TEAM, 7, 7, 7)]
    short = [
        fork(3, SECOND_REGION, NEXT_TEAM), begin(3, SECOND_REGION),
        *ending(SECOND_REGION, NEXT_TEAM, 5, 5, 5),
    ]  # fmt: skip
    alone_long, alone_short = 4 / 3, 2 / 3
    of_others = {
        (10, 0): alone_long, (10, 2): alone_long, (130, 0): alone_short, (130, 1): alone_short,
    }  # fmt: skip
    of_own = {(10, 1): 4 - alone_long, (130, 2): 2 - alone_short}
    idle: Cells = {(0, 1): 2, (150, 1): 4, (0, 2): 2, (150, 2): 4}
    sizes: dict[tuple[str, ...], Cells] = {
        ("Time",): {
            (0, 0): 2, (150, 0): 8, (10, 1): 4, (130, 2): 2, **idle, (150, 2): 4 + 2,
        },
        ("Visits",): {(150, 0): 1, (10, 1): 1, (130, 2): 1},
        ("Synchronizations",): {(10, 1): 1, (130, 2): 1},
        ("Idle Threads",): idle,
        ("Idle Beside Other Teams",): {(150, 2): 2},
        ("Overload",): of_own,
        ("Single participant",): of_own,
        ("Underload",): of_others,
        ("Non-participation",): of_others,
        ("Singularity",): of_others,
        ("Critical path",): {(0, 0): 2, (150, 0): 4, (10, 1): 4},
        ("Critical-path imbalance",): {
            (0, 0): 2 - 2 / 3, (150, 0): 4 - 8 / 3, (10, 1): 4 - 4 / 3,
        },
        ("Thread idleness delay",): {(0, 0): 4, (150, 0): 8},
    }  # fmt: skip
    return Scenario((main, long, short), sizes, levels=(0, 0, 0))


def a_target_construct_outside_teams() -> Scenario:
    """Return a target construct that the master is in from 2 to 6; the team from 8 to 9 has no
    waits."""
    master = [
        opened(2, Kind.SIMPLE, TARGET), leave(6, TARGET),
        fork(8, PARALLEL, TEAM), begin(8, PARALLEL), *ending(PARALLEL, TEAM, 9, 9, 9),
    ]  # fmt: skip
    worker = [member(8, PARALLEL, TEAM, 8), *departing(PARALLEL, 9, 9)]
    sizes: dict[tuple[str, ...], Cells] = {
        ("Time",): {(0, 0): 5, (200, 0): 4, (10, 0): 1, (0, 1): 5, (200, 1): 4, (10, 1): 1},
        ("Target",): {(200, 0): 4},
        ("Visits",): {(200, 0): 1, (10, 0): 1, (10, 1): 1},
        ("Synchronizations",): {(10, 0): 1, (10, 1): 1},
        ("Idle Threads",): {(0, 1): 5, (200, 1): 4},
        ("Idle During Target",): {(200, 1): 4},
        ("Critical path",): {(0, 0): 5, (200, 0): 4, (10, 0): 1},
        ("Critical-path imbalance",): {(0, 0): 2.5, (200, 0): 2, (10, 0): 0},
        ("Thread idleness delay",): {(0, 0): 5, (200, 0): 4},
    }
    return Scenario((master, worker), sizes)


def a_target_data_construct_outside_teams() -> Scenario:
    """Return a target data construct that the master is in from 2 to 7, in its block from 3 to 5.5;
    the team from 8 to 9 has no waits."""
    master = [
        opened(2, Kind.SIMPLE, TARGET_DATA), phase(3, TARGET_DATA, Column.BODY_T),
        phase(5.5, TARGET_DATA, 0), leave(7, TARGET_DATA),
        fork(8, PARALLEL, TEAM), begin(8, PARALLEL), *ending(PARALLEL, TEAM, 9, 9, 9),
    ]  # fmt: skip
    worker = [member(8, PARALLEL, TEAM, 8), *departing(PARALLEL, 9, 9)]
    sizes: dict[tuple[str, ...], Cells] = {
        ("Time",): {(0, 0): 4, (210, 0): 5, (10, 0): 1, (0, 1): 4, (210, 1): 5, (10, 1): 1},
        ("Target",): {(210, 0): 2.5},
        ("Visits",): {(210, 0): 1, (10, 0): 1, (10, 1): 1},
        ("Synchronizations",): {(10, 0): 1, (10, 1): 1},
        ("Idle Threads",): {(0, 1): 4, (210, 1): 5},
        ("Idle During Target",): {(210, 1): 2.5},
        ("Critical path",): {(0, 0): 4, (210, 0): 5, (10, 0): 1},
        ("Critical-path imbalance",): {(0, 0): 2, (210, 0): 2.5, (10, 0): 0},
        ("Thread idleness delay",): {(0, 0): 4, (210, 0): 5},
    }
    return Scenario((master, worker), sizes)
