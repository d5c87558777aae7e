"""A stream -> what its location went through, as columns: the exclusive time line, the visits
on it, locks, tasks, teams and values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from pomp_clang.trace import machine
from pomp_clang.trace.model import Ints, Ops, Paths, Stream, Trace

Rows = npt.NDArray[np.int32]


@dataclass(frozen=True, slots=True)
class Stretches:
    """Which frame was the newest from `begin` to the next row's, and of the last row to the end
    of the trace: no gaps, no overlaps, none before the first.

    `phase` is the column of time that it was in (a fork: startupT), 0 none; `visit` is its row
    in `Visits`, -1 where none was open, which a thread's time between its regions is, too.
    """

    begin: Ints
    path: Paths
    phase: Ops
    visit: Rows


@dataclass(frozen=True, slots=True)
class Visits:
    """Frames in the order of their opening; those that are open end with the trace.

    `kind` is a `layout.Kind` (a fork that became the region's at its master: PARALLEL, from its
    fork on), `how` the bits of `layout.Enter`.  `outer` is the newest when it was opened, -1 for
    none.  `team` is that of the innermost parallel region, its own of a fork or region, 0 for
    none.  `ordinal` is for barriers, what has an implied one that it came to, and parallel
    regions: how many barriers of its team the member has met before; otherwise -1.
    """

    begin: Ints
    end: Ints
    path: Paths
    kind: Ops
    how: Ops
    outer: Rows
    team: Ints
    ordinal: Rows


@dataclass(frozen=True, slots=True)
class Locks:
    """What was got: locks, by their address, and criticals, which have a negative number for
    each name.  What is not given up is `released` at the thread's end or the trace's.

    `visit` is that of the critical, or of the routine that got the lock; -1 where events were
    off.  `path` is the visit's.
    """

    path: Paths
    lock: Ints
    asked: Ints
    got: Ints
    released: Ints
    visit: Rows


@dataclass(frozen=True, slots=True)
class Departures:
    """Workers that have left their teams.  Each waits from `since` on to the team's join.

    `visit` is that of the region.  `waits` is when it was in the barrier at the region's end, 0
    where that was not told; `ends` when it took the team for joined itself, 0 where not.
    `tasks` is ticks of those that it ran meanwhile.
    """

    visit: Rows
    team: Ints
    since: Ints
    waits: Ints
    ends: Ints
    tasks: Ints


@dataclass(frozen=True, slots=True)
class Moments:
    """When something became of some teams."""

    team: Ints
    time: Ints


@dataclass(frozen=True, slots=True)
class Numbered:
    """The numbers of untied tasks: visits of one may be on several locations."""

    visit: Rows
    number: Ints


@dataclass(frozen=True, slots=True)
class Values:
    """What the program told of its variables.  `visit` is that of the region that it is of;
    `value` is an integer's, or a double's bits where `is_real`."""

    path: Paths
    time: Ints
    visit: Rows
    is_real: npt.NDArray[np.bool_]
    value: Ints


@dataclass(frozen=True, slots=True)
class Replay:
    """`joined` and `assembled` (all were in the barrier at the region's end) are what this
    location's thread, as a master, saw of its teams."""

    location: int
    stretches: Stretches
    visits: Visits
    locks: Locks
    numbered: Numbered
    departures: Departures
    joined: Moments
    assembled: Moments
    values: Values


def replay(stream: Stream, trace: Trace) -> Replay:
    """Raises ExperimentError where what is closed was not open."""
    ran = machine.Machine(stream, trace.end, critical_numbers(trace))
    ran.run()
    return Replay(
        stream.location,
        Stretches(*_columns(ran.stretches, "i8", "u2", "u1", "i4")),
        Visits(*_columns(ran.visits, "i8", "i8", "u2", "u1", "u1", "i4", "i8", "i4")),
        Locks(*_columns(ran.locks, "u2", "i8", "i8", "i8", "i8", "i4")),
        Numbered(*_columns(ran.numbered, "i4", "i8")),
        Departures(*_columns(ran.departures, "i4", "i8", "i8", "i8", "i8", "i8")),
        Moments(*_columns(ran.joined, "i8", "i8")),
        Moments(*_columns(ran.assembled, "i8", "i8")),
        Values(*_columns([], "u2", "i8", "i4", "?", "i8")),
    )


def critical_numbers(trace: Trace) -> dict[int, int]:
    """Call paths of criticals -> a number for each name, which is less than 0."""
    regions = trace.records.regions
    names = sorted({each.strings[1] for each in regions.values() if each.strings[0] == "critical"})
    number = {name: -1 - place for place, name in enumerate(names)}
    return {
        path: number[regions[raw.region].strings[1]]
        for path, raw in trace.records.paths.items()
        if raw.region in regions and regions[raw.region].strings[0] == "critical"
    }


def _columns(rows: list[list[int]], *types: str) -> list[npt.NDArray[Any]]:
    columns = list(zip(*rows, strict=True)) or [()] * len(types)
    return [np.array(column, kind) for column, kind in zip(columns, types, strict=True)]
