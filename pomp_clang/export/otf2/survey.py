"""Facts about all locations that the events of each one need: teams, the order of lock
acquisitions, tasks."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pomp_clang.experiment.layout import Column
from pomp_clang.experiment.open_regions import open_until
from pomp_clang.trace.layout import KIND_SHIFT, Kind, Op, Type
from pomp_clang.trace.model import Ints, Ops, Stream, Trace
from pomp_clang.trace.replay import TeamMoments, critical_numbers


@dataclass(frozen=True, slots=True)
class Survey:
    """Facts about all locations; columns with a plural name are sorted.

    `comms` has for each of `teams` a row of `members`, which are ranks: places in `locations`.
    `locks` are addresses, negative numbers for criticals. `lock_orders` has for each location
    the order of each acquisition, in the location's order.

    `tied` counts the tasks without a number before each location's; `numbers` are those of the
    others. `variables` are call paths << 2 | layout.Type of recorded values. `until` is when each
    location's open frames end, `end` when the trace ends. `joined` and `assembled` are as in
    `Replay`, of all locations, sorted by team.
    """

    locations: tuple[int, ...]
    teams: Ints
    comms: Ints
    members: tuple[tuple[int, ...], ...]
    locks: Ints
    lock_orders: tuple[Ints, ...]
    tied: tuple[int, ...]
    numbers: Ints
    variables: Ints
    criticals: Ints
    until: tuple[int, ...]
    end: int
    joined: TeamMoments
    assembled: TeamMoments


def kind_of(op: Ops) -> Ops:
    """Return the kind of frame that each operation opens, 0 for other operations."""
    kind: Ops = np.where(op >= Op.ENTER, (op & 0x7F) >> KIND_SHIFT, 0).astype(np.uint8)
    return kind


def survey(trace: Trace) -> Survey:
    """Collect the facts; every stream is read once."""
    criticals = _criticals(trace)
    locations: list[int] = []
    teams: list[tuple[Ints, Ints]] = []
    lock_orders: list[tuple[Ints, Ints]] = []
    tied = [0]
    numbers: list[Ints] = []
    variables: list[Ints] = []
    joined: list[TeamMoments] = []
    assembled: list[TeamMoments] = []
    for rank, stream in enumerate(trace.streams):
        locations.append(stream.location)
        team_columns = _teams(stream)
        teams.append((team_columns, np.full(len(team_columns), rank)))
        rows = acquisitions(stream, criticals)
        lock_orders.append((locks_of(stream, rows, criticals), stream.time[rows]))
        number, is_numbered = _tasks(stream)
        tied.append(tied[-1] + int((~is_numbered).sum()))
        numbers.append(number[is_numbered])
        variables.append(np.unique(variables_of(stream, values_told(stream))))
        joined.append(_moments(stream, Op.JOINED))
        assembled.append(_moments(stream, Op.ASSEMBLED))
    locks = _unique([rows for rows, _ in lock_orders])
    team, comms, members = _comms(teams)
    return Survey(
        tuple(locations), team, comms, members, locks, _orders(lock_orders, locks),
        tuple(tied), _unique(numbers), _unique(variables), criticals,
        tuple(open_until(trace.records, location, trace.end) for location in locations), trace.end,
        TeamMoments.merged(joined), TeamMoments.merged(assembled),
    )  # fmt: skip


def acquisitions(stream: Stream, criticals: Ints) -> Ints:
    """Return the events that acquire a lock or a critical."""
    is_critical = criticals[stream.path] < 0
    begins = (stream.op == Op.PHASE | Column.BODY_T) & is_critical
    return np.flatnonzero(begins | (stream.op == Op.HOLDS) | (stream.op == Op.HOLDS_MORE))


def locks_of(stream: Stream, rows: Ints, criticals: Ints) -> Ints:
    """Return the lock of each event."""
    number, has = stream.values_of(rows)
    return np.where(has, number, criticals[stream.path[rows]])


def values_told(stream: Stream) -> Ints:
    """Return the events that record a variable's value."""
    return np.flatnonzero((stream.op >= Op.TELLS) & (stream.op < Op.TELLS + len(Type)))


def variables_of(stream: Stream, rows: Ints) -> Ints:
    """Return the variable of each event, and its type, as in `Survey.variables`."""
    variables: Ints = stream.path[rows].astype(np.int64) << 2 | stream.op[rows] - np.uint8(Op.TELLS)
    return variables


def _criticals(trace: Trace) -> Ints:
    criticals = np.zeros(max(trace.records.paths, default=0) + 1, np.int64)
    for path, number in critical_numbers(trace).items():
        criticals[path] = number
    return criticals


def _unique(pieces: list[Ints]) -> Ints:
    return np.unique(np.concatenate([np.zeros(0, np.int64), *pieces]))


def _teams(stream: Stream) -> Ints:
    kind = kind_of(stream.op)
    rows = np.flatnonzero((kind == Kind.FORK) | (kind == Kind.PARALLEL))
    team, has = stream.values_of(rows)
    return np.unique(team[has])


def _moments(stream: Stream, op: Op) -> TeamMoments:
    rows = np.flatnonzero(stream.op == op)
    return TeamMoments(stream.values_of(rows)[0], stream.time[rows])


def _tasks(stream: Stream) -> tuple[Ints, np.typing.NDArray[np.bool_]]:
    rows = np.flatnonzero(kind_of(stream.op) == Kind.TASK)
    return stream.values_of(rows)


def _comms(pieces: list[tuple[Ints, Ints]]) -> tuple[Ints, Ints, tuple[tuple[int, ...], ...]]:
    """Number the teams' communicators; teams of the same members share one."""
    team = np.concatenate([np.zeros(0, np.int64), *(column for column, _ in pieces)])
    rank = np.concatenate([np.zeros(0, np.int64), *(column for _, column in pieces)])
    order = np.lexsort((rank, team))
    team, rank = team[order], rank[order]
    teams, first, count = np.unique(team, return_index=True, return_counts=True)
    known: dict[bytes, int] = {}
    comms = np.zeros(len(teams), np.int64)
    for row, (begin, size) in enumerate(zip(first.tolist(), count.tolist(), strict=True)):
        comms[row] = known.setdefault(rank[begin : begin + size].tobytes(), len(known))
    members = tuple(tuple(np.frombuffer(ranks, np.int64).tolist()) for ranks in known)
    return teams, comms, members


def _orders(lock_orders: list[tuple[Ints, Ints]], locks: Ints) -> tuple[Ints, ...]:
    """Number each lock's acquisitions from 1, in the order of time."""
    lock = np.concatenate([np.zeros(0, np.int64), *(column for column, _ in lock_orders)])
    time = np.concatenate([np.zeros(0, np.int64), *(column for _, column in lock_orders)])
    sorted_ = np.lexsort((time, lock))
    first = np.searchsorted(lock[sorted_], locks)
    order = np.empty(len(lock), np.int64)
    place = np.searchsorted(locks, lock[sorted_])
    order[sorted_] = np.arange(1, len(lock) + 1) - first[place]
    return tuple(np.split(order, np.cumsum([len(column) for column, _ in lock_orders])[:-1]))
