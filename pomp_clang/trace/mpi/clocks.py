"""Ticks of each process -> ns of the job: by what they measured of each other's clocks.

Processes of one machine have one clock.  Between machines each has asked another process what its
clock said, at the job's beginning and at its end; a line through both is the offset and the drift.
Where nothing was measured the time of day tells the offset.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from pomp_clang.experiment.records import Records
from pomp_clang.trace.mpi.columns import Clock
from pomp_clang.trace.mpi.scale import Scale

_SECOND = 1_000_000_000
_DIGITS = 18
"""Of ticks: thirty years of ns."""
_FASTEST = 2
"""Beside another one no clock goes faster, or slower."""
_KEYS = ("mpi_clock_begin", "mpi_clock_end")


@dataclass(frozen=True, slots=True)
class Comparison:
    """With another process: `own` when that one's clock said `theirs`; all in ticks."""

    rank: int
    own: int
    theirs: int
    round_trip: int


@dataclass(frozen=True, slots=True)
class Member:
    """A process; `machine` is the same for those that have one clock."""

    rank: int
    machine: str
    start: int
    wall: int
    second: int
    comparisons: tuple[Comparison, ...]


def member_of(rank: int, records: Records) -> Member:
    """Processes that do not say where they ran have a clock of their own each."""
    header, texts = records.header, records.texts
    boot = texts.get("boot", "")
    machine = f"{boot} {texts.get('clock', '')}" if boot else f"of {rank}"
    comparisons = tuple(_comparisons(texts))
    return Member(
        rank, machine, header.start, header.start_wall, header.ticks_per_second, comparisons
    )


def _comparisons(texts: Mapping[str, str]) -> Iterator[Comparison]:
    """At the beginning and at the end, as far as there are any."""
    for key in _KEYS:
        words = texts.get(key, "").split()
        if len(words) == 4 and all(word.isdecimal() and len(word) <= _DIGITS for word in words):
            yield Comparison(*map(int, words))


def measured_offset(member: Member, other: Member, comparison: Comparison) -> float:
    """ns that a process's clock was behind the other one's, both since they were set."""
    return comparison.theirs * (_SECOND / other.second) - comparison.own * (_SECOND / member.second)


def scales_of(members: Sequence[Member]) -> list[Scale]:
    """Of each: ns since the first began."""
    by_rank = {member.rank: member for member in members}
    machines: dict[str, Scale] = {}
    first = _nobodys(members)
    machines[first.machine] = Scale(first.start, 0, _SECOND / first.second, Clock(0.0, 0.0, 0.0))
    waiting = [m for m in members if m.comparisons]
    while found := next(_told(waiting, by_rank, machines), None):
        machines[found[0]] = found[1]
    for member in members:
        if member.machine not in machines:
            machines[member.machine] = _by_day(member, first)
    scales = [machines[member.machine] for member in members]
    begin = min(_moment(s, m.start) for s, m in zip(scales, members, strict=True))
    return [replace(scale, start=scale.start - begin) for scale in scales]


def _nobodys(members: Sequence[Member]) -> Member:
    """Whom others have asked, and who has asked nobody."""
    asked = {member.comparisons[0].rank for member in members if member.comparisons}
    told = (m for m in members if m.rank in asked and not m.comparisons)
    return next(told, members[0])


def _told(
    waiting: Sequence[Member], by_rank: Mapping[int, Member], machines: Mapping[str, Scale]
) -> Iterator[tuple[str, Scale]]:
    """Machines that are not known yet, by one that is."""
    for member in waiting:
        other = by_rank.get(member.comparisons[0].rank)
        if other and other.machine in machines and member.machine not in machines:
            yield member.machine, _by_comparison(member, other, machines[other.machine])


def _moment(scale: Scale, ticks: int) -> int:
    return int(scale.straight(np.array(ticks, np.int64)))


def _by_comparison(member: Member, other: Member, scale: Scale) -> Scale:
    at = [_moment(scale, c.theirs) for c in member.comparisons]
    first, last = member.comparisons[0], member.comparisons[-1]
    nominal = _SECOND / member.second
    passed = last.own - first.own
    pace = (at[-1] - at[0]) / passed if passed > 0 else nominal
    if not nominal / _FASTEST < pace < nominal * _FASTEST:
        pace = nominal
    offset = measured_offset(member, other, first) + scale.clock.offset
    drift = (pace / nominal - 1) * _SECOND
    error = max(c.round_trip for c in member.comparisons) * nominal / 2 + scale.clock.error
    return Scale(first.own, at[0], pace, Clock(offset, drift, error))


def _by_day(member: Member, first: Member) -> Scale:
    later = member.wall - first.wall
    clock = Clock(float(later), 0.0, float("inf"))
    return Scale(member.start, later, _SECOND / member.second, clock)
