"""A location's replayed stream as columns: its exclusive intervals, visits, locks, tasks, teams and
values."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from pomp_clang.experiment import ExperimentError
from pomp_clang.experiment.layout import COLUMNS, Column
from pomp_clang.experiment.open_regions import open_until
from pomp_clang.shared_dataclass import dataclass
from pomp_clang.trace import kernel
from pomp_clang.trace.layout import Kind, Op, Type, enter
from pomp_clang.trace.model import Ints, Ops, Paths, Stream, Trace
from pomp_clang.trace.replay_buffers import KernelTable, KernelTables, LocationEvents, in_one_piece

Rows = npt.NDArray[np.int32]


@dataclass(frozen=True, slots=True)
class IntervalColumns:
    """The newest open frame of each interval, which ends where the next begins, the last with the
    trace.

    Intervals have no gaps or overlaps. `phase` is the time column that the frame was in (startupT
    for a fork), 0 for none. `visit` is its row in `VisitColumns`, -1 where no frame was open, which
    includes a thread's time between its regions.
    """

    begin: Ints
    path: Paths
    phase: Ops
    visit: Rows


@dataclass(frozen=True, slots=True)
class VisitColumns:
    """Frames in the order of their opening; open frames end with the trace.

    `kind` is a `layout.Kind`; a fork that became its master's region is PARALLEL, from the fork on.
    `how` are the bits of `layout.Enter`, `outer` the newest frame at the opening (-1 for none).
    `team` is the team of the innermost parallel region, of a fork or region its own, 0 for none.
    `ordinal` is the number of the team's barriers that the member met before this visit's (last)
    barrier; -1 for frames without a barrier.
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
class EarlierBarriers:
    """Barriers that a construct met before its last one, or a region before the one at its end.

    Rows are in the order in which the events showed it. A barrier lasts from `begin` until, before
    `until`, the visit came to the next. `ordinal` is as in `VisitColumns`.
    """

    visit: Rows
    ordinal: Rows
    begin: Ints
    until: Ints


@dataclass(frozen=True, slots=True)
class LockColumns:
    """Acquisitions of locks, by address, and of criticals, by a negative number for each name.

    `released` is the thread's or the trace's end where nothing released it. `visit` is the
    visit of the critical or of the lock routine, -1 where events were off; `path` is the visit's.
    """

    path: Paths
    lock: Ints
    requested: Ints
    acquired: Ints
    released: Ints
    visit: Rows


@dataclass(frozen=True, slots=True)
class Departures:
    """Workers that left their teams; each waits from `since` to the team's join.

    `visit` is the region's. `waits` is when the worker was in the barrier at the region's end, 0 if
    not recorded; `ends` when it took the team for joined itself, 0 if it did not. `tasks` is the
    ticks of tasks that it ran meanwhile.
    """

    visit: Rows
    team: Ints
    since: Ints
    waits: Ints
    ends: Ints
    tasks: Ints


@dataclass(frozen=True, slots=True)
class TeamMoments:
    """A moment of each of some teams."""

    team: Ints
    time: Ints

    @classmethod
    def merged(cls, tables: Sequence[TeamMoments]) -> TeamMoments:
        """Return the moments of several locations, sorted by team."""
        team = np.concatenate([np.zeros(0, np.int64), *(moments.team for moments in tables)])
        time = np.concatenate([np.zeros(0, np.int64), *(moments.time for moments in tables)])
        order = np.argsort(team, kind="stable")
        return cls(team[order], time[order])

    def at(self, teams: Ints) -> Ints:
        """Return the moment of each team, 0 where there is none; `team` must be sorted."""
        if not len(self.team):
            return np.zeros(len(teams), np.int64)
        at = np.minimum(np.searchsorted(self.team, teams), len(self.team) - 1)
        return np.where(self.team[at] == teams, self.time[at], 0)


@dataclass(frozen=True, slots=True)
class UntiedTasks:
    """The numbers of untied tasks, whose visits may be on several locations."""

    visit: Rows
    number: Ints


@dataclass(frozen=True, slots=True)
class ValueColumns:
    """Values of variables that the program recorded. `path` and `visit` are of the region recorded
    for, `type` is a `layout.Type`, and `value` the bits of a double where that is REAL."""

    path: Paths
    time: Ints
    visit: Rows
    type: Ops
    value: Ints


@dataclass(frozen=True, slots=True)
class Replay:
    """A location's tables. `joined` and `assembled` (all members in the barrier at the region's
    end) are what this location, as a master, recorded of its teams.

    `sums` are by call path and `layout.Column`, without the time after `departures`, which needs
    the masters' moments too.
    """

    location: int
    intervals: IntervalColumns
    visits: VisitColumns
    earlier: EarlierBarriers
    locks: LockColumns
    numbered: UntiedTasks
    departures: Departures
    joined: TeamMoments
    assembled: TeamMoments
    values: ValueColumns
    sums: Ints


_MOST_PATHS = 1 << 16
"""The number of call paths that an event can name."""


def _opening(*kinds: Kind) -> list[int]:
    return [enter(kind, how) for kind in kinds for how in range(8)]


_MEETING = [op + Column.EXIT_BAR_T for op in (Op.PHASE, Op.COUNTED, Op.PHASE_AGAIN)]

INTERVALS = [Op.LEAVE, Op.BEGIN, *range(Op.PHASE, kernel.OPERATIONS)]
"""Operations after which another one begins."""

TABLES = {
    "intervals": KernelTable(IntervalColumns, "i8 u2 u1 i4", INTERVALS),
    "visits": KernelTable(VisitColumns, "i8 i8 u2 u1 u1 i4 i8 i4", range(Op.ENTER, kernel.OPERATIONS)),
    "earlier": KernelTable(EarlierBarriers, "i4 i4 i8 i8", [*_MEETING, Op.WAITS]),
    "locks": KernelTable(
        LockColumns, "u2 i8 i8 i8 i8 i4", [Op.HOLDS, Op.HOLDS_MORE], _opening(Kind.SYNC)
    ),
    "numbered": KernelTable(UntiedTasks, "i4 i8", _opening(Kind.TASK)),
    "departures": KernelTable(Departures, "i4 i8 i8 i8 i8 i8", [Op.DEPARTS]),
    "joined": KernelTable(TeamMoments, "i8 i8", [Op.JOINED]),
    "assembled": KernelTable(TeamMoments, "i8 i8", [Op.ASSEMBLED]),
    "values": KernelTable(ValueColumns, "u2 i8 i4 u1 i8", [Op.TELLS | of for of in Type]),
}  # fmt: skip


_ALL = KernelTables(TABLES)


def replay(stream: Stream, trace: Trace) -> Replay:
    """Replay a stream. Raises ExperimentError if it closes a frame that was not open."""
    return replay_parts(in_one_piece(stream), trace)


def replay_parts(parts: LocationEvents, trace: Trace) -> Replay:
    """Replay events like `replay`, with one piece in memory at a time."""
    run = kernel.Replaying()
    sums = np.zeros((paths_of(parts, trace), COLUMNS), np.int64)
    kernel.point(run, "sums", sums)
    filled = run_through(run, parts, trace, _ALL)
    return Replay(parts.location, sums=sums, **filled)


def run_through(
    run: kernel.Replaying, parts: LocationEvents, trace: Trace, tables: KernelTables
) -> dict[str, Any]:
    """Replay events into tables; return the filled tables by name. Raises ExperimentError."""
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


def paths_of(parts: LocationEvents, trace: Trace) -> int:
    """Return a number above every call path of the events."""
    return 1 + max([parts.largest, *(path for path in trace.records.paths if path < _MOST_PATHS)])


def _refusal(parts: LocationEvents, error: int, event: int) -> ExperimentError:
    place = f"trace of location {parts.location}"
    if error == kernel.NO_VISIT:
        refusal = (
            f"is damaged (event {event} is of no visit): run the program again for a new trace"
        )
    else:
        refusal = (
            f"does not fit the memory ({parts.counts.sum()} events): record less of the program"
        )
    return ExperimentError(f"{place}: {refusal}")


def critical_numbers(trace: Trace) -> dict[int, int]:
    """Map call paths of criticals to negative numbers, one for each name."""
    regions = trace.records.regions
    named = {
        key: region.strings[1] for key, region in regions.items() if region.strings[0] == "critical"
    }
    number = {name: -1 - place for place, name in enumerate(sorted(set(named.values())))}
    return {
        path: number[named[raw.region]]
        for path, raw in trace.records.paths.items()
        if raw.region in named and path < _MOST_PATHS
    }
