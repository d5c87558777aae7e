"""Constructs with more than one barrier."""

from __future__ import annotations

from pomp_clang.experiment.layout import Column
from pomp_clang.trace.layout import Kind, Op
from tests.causes.scenarios.scenario import BOTH, Cells, Scenario
from tests.causes.scripts import (
    LOOP,
    PARALLEL,
    TEAM,
    Stream,
    begin,
    event,
    fork,
    leave,
    member,
    opened,
    phase,
    two,
    waits,
)


def a_loop_with_a_barrier_before_it() -> Scenario:
    """Return a loop with a barrier before the final one.

    The master waits in the first from 2 to 4, and the worker at the end from 5 to 7. Half a second of
    the master's work is in calls for chunks, and all of the worker's: what was sampled is longer.
    """
    sizes: dict[tuple[str, ...], Cells] = {
        ("Time",): {(0, 0): 2, (10, 0): 3, (20, 0): 5, (0, 1): 2, (10, 1): 3, (20, 1): 5},
        ("Visits",): {**BOTH, (20, 0): 1, (20, 1): 1},
        ("Synchronizations",): {**BOTH, (20, 0): 2, (20, 1): 2},
        ("Implicit",): {(20, 0): 2, (20, 1): 2},
        ("Implicit", "Wait at Barrier"): {(20, 0): 2, (20, 1): 2},
        ("Chunks",): {(20, 0): 0.5, (20, 1): 3},
        ("Idle Threads",): {(0, 1): 2},
        ("Critical path",): {(0, 0): 2, (10, 0): 2, (20, 0): 3, (20, 1): 2, (10, 1): 1},
        ("Critical-path imbalance",): {(0, 0): 1, (20, 0): 1.2, (20, 1): 0.8},
        ("Short-term",): {(20, 0): 2, (20, 1): 2},
        ("Thread idleness delay",): {(0, 0): 2},
        ("Direct",): {(20, 0): 2, (20, 1): 2},
        ("Terminal",): {(20, 0): 2, (20, 1): 2},
    }
    streams = two(_loop((2, 4), (7, 7)), _loop((4, 4), (5, 7)))
    return Scenario(streams, sizes, chunks={(LOOP, 0): 0.5, (LOOP, 1): 3.5})


def _loop(*barriers: tuple[float, float]) -> Stream:
    """Return a loop from 2 on."""
    meetings = [
        event for since, until in barriers for event in (waits(since, LOOP), phase(until, LOOP, 0))
    ]
    return [opened(2, Kind.WORK, LOOP), *meetings, leave(barriers[-1][1], LOOP)]


def a_region_with_a_barrier_before_that_at_its_end() -> Scenario:
    """Return a region that is combined with a loop.

    The runtime reports the barrier at the end for the worker after it has left the region, at 8.
    The master is there at 5, and was in the previous barrier from 2 to 4.
    """
    master = [
        fork(1, PARALLEL, TEAM), begin(1, PARALLEL),
        waits(2, PARALLEL), phase(4, PARALLEL, Column.BODY_T),
        waits(5, PARALLEL), phase(8, PARALLEL, Column.SHUTDWN_T),
        event(8, Op.ASSEMBLED, 0, TEAM), leave(9, PARALLEL), event(9, Op.JOINED, 0, TEAM),
    ]  # fmt: skip
    worker = [
        member(1, PARALLEL, TEAM, 1), waits(4, PARALLEL), phase(4, PARALLEL, Column.BODY_T),
        event(8, Op.DEPARTS, PARALLEL), leave(8, PARALLEL), event(8, Op.WAITS, 0),
    ]  # fmt: skip
    sizes: dict[tuple[str, ...], Cells] = {
        ("Time",): {(0, 0): 2, (10, 0): 8, (0, 1): 2, (10, 1): 8},
        ("Visits",): {**BOTH},
        ("Synchronizations",): {(10, 0): 2, (10, 1): 2},
        ("Join",): {**BOTH},
        ("Implicit",): {(10, 0): 5},
        ("Implicit", "Wait at Barrier"): {(10, 0): 5},
        ("Idle Threads",): {(0, 1): 2},
        ("Overload",): {(10, 1): 2.5},
        ("Underload",): {(10, 0): 2.5},
        ("Critical path",): {(0, 0): 2, (10, 0): 1, (10, 1): 7},
        ("Critical-path imbalance",): {(0, 0): 1, (10, 0): 0.3125, (10, 1): 2.1875},
        ("Short-term",): {(10, 1): 5},
        ("Thread idleness delay",): {(0, 0): 2},
        ("Direct",): {(10, 0): 5},
        ("Terminal",): {(10, 0): 5},
    }  # fmt: skip
    return Scenario((master, worker), sizes)
