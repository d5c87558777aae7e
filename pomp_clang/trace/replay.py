"""A stream -> what its location went through, as columns: the exclusive time line, the visits
on it, locks, tasks, teams and values."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from pomp_clang.experiment.errors import ExperimentError
from pomp_clang.experiment.layout import COLUMNS, Column
from pomp_clang.experiment.reader import open_until
from pomp_clang.trace import kernel
from pomp_clang.trace.layout import Kind, Op, Type, enter
from pomp_clang.trace.model import Ints, Ops, Paths, Stream, Trace
from pomp_clang.trace.parts import Parts, whole
from pomp_clang.trace.tables import Table, Tables

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
    none.  `ordinal` is for barriers, what has an implied one that it came to (the last of several),
    and parallel regions: how many barriers of its team the member has met before; otherwise -1.
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
class Earlier:
    """Barriers that a construct met before its last one, or a region before that at its end, in
    the order in which that was known: from `begin` on, and before `until`, when the visit came to
    the next.  `ordinal` is as in `Visits`."""

    visit: Rows
    ordinal: Rows
    begin: Ints
    until: Ints


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
    """What variables had when the program told it.  `path` and `visit` are of the region that it
    told it for; `type` is a `layout.Type`, and `value` a double's bits where that is REAL."""

    path: Paths
    time: Ints
    visit: Rows
    type: Ops
    value: Ints


@dataclass(frozen=True, slots=True)
class Replay:
    """`joined` and `assembled` (all were in the barrier at the region's end) are what this
    location's thread, as a master, saw of its teams.  `sums` are by call path and
    `layout.Column`, without what `departures` tell together with the teams' masters."""

    location: int
    stretches: Stretches
    visits: Visits
    earlier: Earlier
    locks: Locks
    numbered: Numbered
    departures: Departures
    joined: Moments
    assembled: Moments
    values: Values
    sums: Ints


_MOST_PATHS = 1 << 16
"""That an event can name."""


def _opening(*kinds: Kind) -> list[int]:
    return [enter(kind, how) for kind in kinds for how in range(8)]


_MEETING = [op + Column.EXIT_BAR_T for op in (Op.PHASE, Op.COUNTED, Op.PHASE_AGAIN)]

STRETCHES = [Op.LEAVE, Op.BEGIN, *range(Op.PHASE, kernel.OPERATIONS)]
"""Operations after which another one begins."""

TABLES = {
    "stretches": Table(Stretches, "i8 u2 u1 i4", STRETCHES),
    "visits": Table(Visits, "i8 i8 u2 u1 u1 i4 i8 i4", range(Op.ENTER, kernel.OPERATIONS)),
    "earlier": Table(Earlier, "i4 i4 i8 i8", [*_MEETING, Op.WAITS]),
    "locks": Table(
        Locks, "u2 i8 i8 i8 i8 i4", [Op.HOLDS, Op.HOLDS_MORE], _opening(Kind.SYNC)
    ),
    "numbered": Table(Numbered, "i4 i8", _opening(Kind.TASK)),
    "departures": Table(Departures, "i4 i8 i8 i8 i8 i8", [Op.DEPARTS]),
    "joined": Table(Moments, "i8 i8", [Op.JOINED]),
    "assembled": Table(Moments, "i8 i8", [Op.ASSEMBLED]),
    "values": Table(Values, "u2 i8 i4 u1 i8", [Op.TELLS | of for of in Type]),
}  # fmt: skip


_ALL = Tables(TABLES)


def replay(stream: Stream, trace: Trace) -> Replay:
    """Raises ExperimentError where what is closed was not open."""
    return replay_parts(whole(stream), trace)


def replay_parts(parts: Parts, trace: Trace) -> Replay:
    """The same, with a piece of it in memory at a time."""
    run = kernel.Replaying()
    sums = np.zeros((paths_of(parts, trace), COLUMNS), np.int64)
    kernel.point(run, "sums", sums)
    filled = run_through(run, parts, trace, _ALL)
    return Replay(parts.location, sums=sums, **filled)


def run_through(
    run: kernel.Replaying, parts: Parts, trace: Trace, tables: Tables
) -> dict[str, Any]:
    """The tables, filled.  Raises ExperimentError."""
    library = kernel.load()
    run.end = open_until(trace.records, parts.location, trace.end)
    run.paths = paths_of(parts, trace)
    critical = np.zeros(run.paths, np.int64)
    for path, number in critical_numbers(trace).items():
        critical[path] = number
    kernel.point(run, "critical", critical)
    rooms = tables.rooms(run, parts.counts)
    try:
        for piece in parts.pieces:
            if error := piece.through(run):
                raise _refusal(parts, error, run.wrong)
    finally:
        library.pomp_replay_end(ctypes.byref(run))
    return {room.name: room.filled(run) for room in rooms}


def paths_of(parts: Parts, trace: Trace) -> int:
    """More than any call path that an event of them has."""
    return 1 + max([parts.largest, *(path for path in trace.records.paths if path < _MOST_PATHS)])


def _refusal(parts: Parts, error: int, event: int) -> ExperimentError:
    place = f"trace of location {parts.location}"
    if error == kernel.NO_VISIT:
        said = f"is damaged (event {event} is of no visit): run the program again for a new trace"
    else:
        said = f"does not fit the memory ({parts.counts.sum()} events): record less of the program"
    return ExperimentError(f"{place}: {said}")


def critical_numbers(trace: Trace) -> dict[int, int]:
    """Call paths of criticals -> a number for each name, which is less than 0."""
    regions = trace.records.regions
    named = {key: each.strings[1] for key, each in regions.items() if each.strings[0] == "critical"}
    number = {name: -1 - place for place, name in enumerate(sorted(set(named.values())))}
    return {
        path: number[named[raw.region]]
        for path, raw in trace.records.paths.items()
        if raw.region in named and path < _MOST_PATHS
    }
