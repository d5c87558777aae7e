"""Scales from each process's ticks to ns of the job, from the offsets that processes measured.

Processes of one machine share one clock. Between machines, each asked another process for its time,
at the job's beginning and at its end. A line through both is the offset and the drift. Without such
a measurement the time of day gives the offset.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from pomp_clang.experiment.records import Records
from pomp_clang.trace.model import Ints
from pomp_clang.trace.mpi.columns import Clock


def _no_shift() -> Ints:
    return np.zeros(1, np.int64)


@dataclass(frozen=True, slots=True, eq=False)
class Scale:
    """A line from ticks to ns: `start` ns at `origin` ticks, then `pace` ns each tick.

    The logical correction adds `shift` ns at some `ticks`, and linearly between them.
    """

    origin: int
    start: int
    pace: float
    clock: Clock
    ticks: Ints = field(default_factory=_no_shift)
    shift: Ints = field(default_factory=_no_shift)

    def straight(self, ticks: Ints) -> Ints:
        """Convert ticks to ns without the correction."""
        ns: Ints = self.start + np.rint((ticks - self.origin) * self.pace).astype(np.int64)
        return ns

    def at(self, ticks: Ints) -> Ints:
        """Convert ticks to ns with the correction."""
        first = self.ticks[0]
        shift = np.interp(ticks - first, self.ticks - first, self.shift)
        ns: Ints = self.straight(ticks) + np.rint(shift).astype(np.int64)
        return ns

    def bends(self, begin: int, end: int) -> tuple[Ints, Ints]:
        """Return two or more moments between which the scale is linear: their ticks and their ns."""
        ends = np.array([begin, max(end, begin + round(1e9 / self.pace))], np.int64)
        moments = self.ticks if self.shift.any() else ends
        ticks = np.unique(np.concatenate([ends, moments]))
        return ticks, self.at(ticks)


_SECOND = 1_000_000_000
_DIGITS = 18
"""The most digits of ticks: thirty years of ns."""
_FASTEST = 2
"""The largest ratio between the speeds of two clocks."""
_KEYS = ("mpi_clock_begin", "mpi_clock_end")


@dataclass(frozen=True, slots=True)
class ClockComparison:
    """A process's comparison with another one: at `local` the other clock showed `remote`, all in
    ticks."""

    rank: int
    local: int
    remote: int
    round_trip: int


@dataclass(frozen=True, slots=True)
class Member:
    """A process of the job; `machine` is the same for processes that share a clock."""

    rank: int
    machine: str
    start: int
    wall: int
    second: int
    comparisons: tuple[ClockComparison, ...]


def member_of(rank: int, records: Records) -> Member:
    """Return a process's member record; a process that does not say where it ran has a clock of its
    own."""
    header, texts = records.header, records.texts
    boot = texts.get("boot", "")
    machine = f"{boot} {texts.get('clock', '')}" if boot else f"of {rank}"
    comparisons = tuple(_comparisons(texts))
    return Member(
        rank, machine, header.start, header.start_wall, header.ticks_per_second, comparisons
    )


def _comparisons(texts: Mapping[str, str]) -> Iterator[ClockComparison]:
    """Yield the comparisons at the beginning and at the end, if they were made."""
    for key in _KEYS:
        values = texts.get(key, "").split()
        if len(values) == 4 and all(word.isdecimal() and len(word) <= _DIGITS for word in values):
            yield ClockComparison(*map(int, values))


def measured_offset(member: Member, other: Member, comparison: ClockComparison) -> float:
    """Return the ns that a process's clock was behind the other one's, each counted from its zero."""
    return comparison.remote * (_SECOND / other.second) - comparison.local * (
        _SECOND / member.second
    )


def scales_of(members: Sequence[Member]) -> list[Scale]:
    """Return each process's scale: ns since the first process began."""
    by_rank = {member.rank: member for member in members}
    machines: dict[str, Scale] = {}
    first = _reference(members)
    machines[first.machine] = Scale(first.start, 0, _SECOND / first.second, Clock(0.0, 0.0, 0.0))
    waiting = [m for m in members if m.comparisons]
    while comparison := next(_comparable(waiting, by_rank, machines), None):
        machines[comparison[0]] = comparison[1]
    for member in members:
        if member.machine not in machines:
            machines[member.machine] = _by_day(member, first)
    scales = [machines[member.machine] for member in members]
    begin = min(_moment(s, m.start) for s, m in zip(scales, members, strict=True))
    return [replace(scale, start=scale.start - begin) for scale in scales]


def _reference(members: Sequence[Member]) -> Member:
    """Return the process that others asked and that asked none."""
    ranks = {member.comparisons[0].rank for member in members if member.comparisons}
    compared = (m for m in members if m.rank in ranks and not m.comparisons)
    return next(compared, members[0])


def _comparable(
    waiting: Sequence[Member], by_rank: Mapping[int, Member], machines: Mapping[str, Scale]
) -> Iterator[tuple[str, Scale]]:
    """Yield machines without a scale that were compared with a machine that has one."""
    for member in waiting:
        other = by_rank.get(member.comparisons[0].rank)
        if other and other.machine in machines and member.machine not in machines:
            yield member.machine, _by_comparison(member, other, machines[other.machine])


def _moment(scale: Scale, ticks: int) -> int:
    return int(scale.straight(np.array(ticks, np.int64)))


def _by_comparison(member: Member, other: Member, scale: Scale) -> Scale:
    at = [_moment(scale, c.remote) for c in member.comparisons]
    first, last = member.comparisons[0], member.comparisons[-1]
    nominal = _SECOND / member.second
    elapsed = last.local - first.local
    pace = (at[-1] - at[0]) / elapsed if elapsed > 0 else nominal
    if not nominal / _FASTEST < pace < nominal * _FASTEST:
        pace = nominal
    offset = measured_offset(member, other, first) + scale.clock.offset
    drift = (pace / nominal - 1) * _SECOND
    error = max(c.round_trip for c in member.comparisons) * nominal / 2 + scale.clock.error
    return Scale(first.local, at[0], pace, Clock(offset, drift, error))


def _by_day(member: Member, first: Member) -> Scale:
    later = member.wall - first.wall
    clock = Clock(float(later), 0.0, float("inf"))
    return Scale(member.start, later, _SECOND / member.second, clock)
