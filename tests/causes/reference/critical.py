"""The critical path, step by step: back from the program's end, and at each wait on to the awaited
thread."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

from tests.causes.reference.awaited import awaited_by
from tests.causes.reference.during import during
from tests.causes.reference.frames import PARALLEL, Location
from tests.causes.reference.holding import contention, holder_of
from tests.causes.reference.meeting import is_met
from tests.causes.reference.program import Chain
from tests.causes.reference.states import is_made_by_openmp
from tests.causes.reference.whole import Whole


@dataclass(frozen=True)
class Release:
    """A wait that was over at `after`, because of what the location `cause` had done by `since`."""

    after: int
    cause: int
    since: int


def critical_path(whole: Whole) -> dict[tuple[Chain, int], int]:
    """Return ticks by call path and thread; together they are the program's duration."""
    result: dict[tuple[Chain, int], int] = defaultdict(int)
    for number, begin, end in steps(whole):
        tid, rest = whole.thread[number], end - begin
        for each, ticks in during(whole.intervals[tid], begin, end):
            if each.of is None or whole.location[id(each.of)] == number:
                result[whole.program.chains[each.path], tid] += ticks
                rest -= ticks
        result[_before_all(whole, number), tid] += rest
    return result


def _before_all(whole: Whole, number: int) -> Chain:
    """Return the call path of a thread that has not done anything: a worker on its way to its first
    region."""
    (location,) = (location for location in whole.locations if location.number == number)
    came = [frame for frame in location.frames if frame.kind == PARALLEL and not frame.is_master]
    if came and is_made_by_openmp(location, whole.program):
        return whole.program.chains[came[0].path]
    return ()


def steps(whole: Whole) -> Iterator[tuple[int, int, int]]:
    """Yield location, begin and end of each step; the last step comes first."""
    releases = releases_of(whole)
    number, now, before = whole.program.threads[0][0], whole.program.end, False
    while True:
        own = releases[number]
        find = bisect_left if before else bisect_right
        at = find(own, now, key=lambda item: item.after)
        if not at:
            yield number, whole.program.begin, now
            return
        met = own[at - 1]
        yield number, met.since, now
        number, now, before = met.cause, met.since, met.since == met.after


def releases_of(whole: Whole) -> dict[int, list[Release]]:
    """Return each location's releases in the order of time."""
    releases: dict[int, list[Release]] = {location.number: [] for location in whole.locations}
    for location in whole.locations:
        every = (
            *_forks(whole, location), *_barriers(whole, location), *_locks(whole, location),
            *(Release(e.end, e.cause, e.since) for e in awaited_by(whole, location)),
        )  # fmt: skip
        others = (e for e in every if e.cause != location.number and e.since <= e.after)
        releases[location.number] = sorted(others, key=lambda other: other.after)
    return releases


def _forks(whole: Whole, location: Location) -> Iterator[Release]:
    for frame in location.frames:
        if frame.kind == PARALLEL and frame.team in whole.masters:
            master, region = whole.masters[frame.team]
            yield Release(frame.begin, master, region.forked)


def _barriers(whole: Whole, location: Location) -> Iterator[Release]:
    """Yield the releases by the last to come to a barrier, or to have run a task in it."""
    for arrival in whole.arrivals:
        if arrival.location == location.number and is_met(arrival):
            assert arrival.meeting is not None
            late = max(arrival.meeting.arrivals, key=lambda other: other.final)
            yield Release(arrival.leave, late.location, min(late.final, arrival.leave))


def _locks(whole: Whole, location: Location) -> Iterator[Release]:
    for each in whole.held:
        if each.location == location.number and contention(each, whole.given):
            freed, holder = holder_of(each, whole.given)
            yield Release(each.got, holder, freed)
