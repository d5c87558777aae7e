"""What must be known of all locations before the events of one can be written: which threads
were a team, which locks there are and in which order they were got, which tasks ran."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pomp_clang.experiment.layout import Column
from pomp_clang.experiment.reader import open_until
from pomp_clang.trace.departures import together
from pomp_clang.trace.layout import KIND_SHIFT, Kind, Op, Type
from pomp_clang.trace.model import Ints, Ops, Stream, Trace
from pomp_clang.trace.replay import Moments, critical_numbers


@dataclass(frozen=True, slots=True)
class Survey:
    """Columns that end in a name of the plural are sorted.

    `comms` has for each of `teams` the row in `members`, which are ranks: places in `locations`.
    `locks` are addresses, of criticals the numbers below 0.  `got` has for each of `locations`
    the order of what it got, in its own order.  `tied` counts the tasks that are not numbered
    before each location's; `numbers` are those of the others.  `variables` are call paths << 2 |
    layout.Type of the values that were told.  `until` is for each of `locations` when
    what it has open ends, `end` when the trace does.  `joined` and `assembled` are as in `Replay`,
    of all locations, in the order of the teams' numbers.
    """

    locations: tuple[int, ...]
    teams: Ints
    comms: Ints
    members: tuple[tuple[int, ...], ...]
    locks: Ints
    got: tuple[Ints, ...]
    tied: tuple[int, ...]
    numbers: Ints
    variables: Ints
    criticals: Ints
    until: tuple[int, ...]
    end: int
    joined: Moments
    assembled: Moments


def kind_of(op: Ops) -> Ops:
    """Of what an ENTER opens; of other operations nothing."""
    kind: Ops = np.where(op >= Op.ENTER, (op & 0x7F) >> KIND_SHIFT, 0).astype(np.uint8)
    return kind


def survey(trace: Trace) -> Survey:
    """Reads every stream once."""
    criticals = _criticals(trace)
    locations: list[int] = []
    teams: list[tuple[Ints, Ints]] = []
    got: list[tuple[Ints, Ints]] = []
    tied = [0]
    numbers: list[Ints] = []
    variables: list[Ints] = []
    joined: list[Moments] = []
    assembled: list[Moments] = []
    for rank, stream in enumerate(trace.streams):
        locations.append(stream.location)
        here = _teams(stream)
        teams.append((here, np.full(len(here), rank)))
        rows = acquisitions(stream, criticals)
        got.append((locks_of(stream, rows, criticals), stream.time[rows]))
        number, is_numbered = _tasks(stream)
        tied.append(tied[-1] + int((~is_numbered).sum()))
        numbers.append(number[is_numbered])
        variables.append(np.unique(variables_of(stream, values_told(stream))))
        joined.append(_moments(stream, Op.JOINED))
        assembled.append(_moments(stream, Op.ASSEMBLED))
    locks = _unique([each for each, _ in got])
    team, comms, members = _comms(teams)
    return Survey(
        tuple(locations), team, comms, members, locks, _orders(got, locks),
        tuple(tied), _unique(numbers), _unique(variables), criticals,
        tuple(open_until(trace.records, each, trace.end) for each in locations), trace.end,
        together(joined), together(assembled),
    )  # fmt: skip


def acquisitions(stream: Stream, criticals: Ints) -> Ints:
    """The events by which a lock or a critical is got."""
    is_critical = criticals[stream.path] < 0
    begins = (stream.op == Op.PHASE | Column.BODY_T) & is_critical
    return np.flatnonzero(begins | (stream.op == Op.HOLDS) | (stream.op == Op.HOLDS_MORE))


def locks_of(stream: Stream, rows: Ints, criticals: Ints) -> Ints:
    """The lock that each of some events is of."""
    number, has = stream.values_of(rows)
    return np.where(has, number, criticals[stream.path[rows]])


def values_told(stream: Stream) -> Ints:
    """The events by which the program told a variable's value."""
    return np.flatnonzero((stream.op >= Op.TELLS) & (stream.op < Op.TELLS + len(Type)))


def variables_of(stream: Stream, rows: Ints) -> Ints:
    """Which variable, and of what type, each of these events is of."""
    of: Ints = stream.path[rows].astype(np.int64) << 2 | stream.op[rows] - np.uint8(Op.TELLS)
    return of


def _criticals(trace: Trace) -> Ints:
    found = np.zeros(max(trace.records.paths, default=0) + 1, np.int64)
    for path, number in critical_numbers(trace).items():
        found[path] = number
    return found


def _unique(pieces: list[Ints]) -> Ints:
    return np.unique(np.concatenate([np.zeros(0, np.int64), *pieces]))


def _teams(stream: Stream) -> Ints:
    kind = kind_of(stream.op)
    rows = np.flatnonzero((kind == Kind.FORK) | (kind == Kind.PARALLEL))
    team, has = stream.values_of(rows)
    return np.unique(team[has])


def _moments(stream: Stream, op: Op) -> Moments:
    rows = np.flatnonzero(stream.op == op)
    return Moments(stream.values_of(rows)[0], stream.time[rows])


def _tasks(stream: Stream) -> tuple[Ints, np.typing.NDArray[np.bool_]]:
    rows = np.flatnonzero(kind_of(stream.op) == Kind.TASK)
    return stream.values_of(rows)


def _comms(pieces: list[tuple[Ints, Ints]]) -> tuple[Ints, Ints, tuple[tuple[int, ...], ...]]:
    """Teams of the same members are one communicator."""
    team = np.concatenate([np.zeros(0, np.int64), *(each for each, _ in pieces)])
    rank = np.concatenate([np.zeros(0, np.int64), *(each for _, each in pieces)])
    order = np.lexsort((rank, team))
    team, rank = team[order], rank[order]
    teams, first, count = np.unique(team, return_index=True, return_counts=True)
    known: dict[bytes, int] = {}
    comms = np.zeros(len(teams), np.int64)
    for row, (begin, size) in enumerate(zip(first.tolist(), count.tolist(), strict=True)):
        comms[row] = known.setdefault(rank[begin : begin + size].tobytes(), len(known))
    members = tuple(tuple(np.frombuffer(each, np.int64).tolist()) for each in known)
    return teams, comms, members


def _orders(got: list[tuple[Ints, Ints]], locks: Ints) -> tuple[Ints, ...]:
    """Each lock's acquisitions are numbered from 1, by the clock."""
    lock = np.concatenate([np.zeros(0, np.int64), *(each for each, _ in got)])
    time = np.concatenate([np.zeros(0, np.int64), *(each for _, each in got)])
    sorted_ = np.lexsort((time, lock))
    first = np.searchsorted(lock[sorted_], locks)
    order = np.empty(len(lock), np.int64)
    place = np.searchsorted(locks, lock[sorted_])
    order[sorted_] = np.arange(1, len(lock) + 1) - first[place]
    return tuple(np.split(order, np.cumsum([len(each) for each, _ in got])[:-1]))
