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
from tests.causes.reference.reference_run import ReferenceRun
from tests.causes.reference.states import is_made_by_openmp


@dataclass(frozen=True)
class Release:
    """A wait that was over at `after`, because of what the location `cause` had done by `since`."""

    after: int
    cause: int
    since: int


def critical_path(reference: ReferenceRun) -> dict[tuple[Chain, int], int]:
    """Return ticks by call path and thread; together they are the program's duration."""
    result: dict[tuple[Chain, int], int] = defaultdict(int)
    for number, begin, end in steps(reference):
        tid, rest = reference.thread[number], end - begin
        for interval, ticks in during(reference.intervals[tid], begin, end):
            if interval.frame is None or reference.location[id(interval.frame)] == number:
                result[reference.program.chains[interval.path], tid] += ticks
                rest -= ticks
        result[_before_all(reference, number), tid] += rest
    return result


def _before_all(reference: ReferenceRun, number: int) -> Chain:
    """Return the call path of a thread that has not done anything: a worker on its way to its first
    region."""
    (location,) = (location for location in reference.locations if location.number == number)
    members = [frame for frame in location.frames if frame.kind == PARALLEL and not frame.is_master]
    if members and is_made_by_openmp(location, reference.program):
        return reference.program.chains[members[0].path]
    return ()


def steps(reference: ReferenceRun) -> Iterator[tuple[int, int, int]]:
    """Yield location, begin and end of each step; the last step comes first."""
    releases = releases_of(reference)
    number, moment, before = reference.program.threads[0][0], reference.program.end, False
    while True:
        own_releases = releases[number]
        find = bisect_left if before else bisect_right
        at = find(own_releases, moment, key=lambda item: item.after)
        if not at:
            yield number, reference.program.begin, moment
            return
        release = own_releases[at - 1]
        yield number, release.since, moment
        number, moment, before = release.cause, release.since, release.since == release.after


def releases_of(reference: ReferenceRun) -> dict[int, list[Release]]:
    """Return each location's releases in the order of time."""
    releases: dict[int, list[Release]] = {location.number: [] for location in reference.locations}
    for location in reference.locations:
        every = (
            *_forks(reference, location), *_barriers(reference, location), *_locks(reference, location),
            *(Release(e.end, e.cause, e.since) for e in awaited_by(reference, location)),
        )  # fmt: skip
        others = (e for e in every if e.cause != location.number and e.since <= e.after)
        releases[location.number] = sorted(others, key=lambda other: other.after)
    return releases


def _forks(reference: ReferenceRun, location: Location) -> Iterator[Release]:
    for frame in location.frames:
        if frame.kind == PARALLEL and frame.team in reference.masters:
            master, region = reference.masters[frame.team]
            yield Release(frame.begin, master, region.forked)


def _barriers(reference: ReferenceRun, location: Location) -> Iterator[Release]:
    """Yield the releases by the last to come to a barrier, or to have run a task in it."""
    for arrival in reference.arrivals:
        if arrival.location == location.number and is_met(arrival):
            assert arrival.meeting is not None
            late = max(arrival.meeting.arrivals, key=lambda other: other.final)
            yield Release(arrival.leave, late.location, min(late.final, arrival.leave))


def _locks(reference: ReferenceRun, location: Location) -> Iterator[Release]:
    for lock in reference.locks:
        if lock.location == location.number and contention(lock, reference.releases):
            freed, holder = holder_of(lock, reference.releases)
            yield Release(lock.acquired, holder, freed)
