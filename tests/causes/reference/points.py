"""Points where threads wait for each other, and the replay of the trace from point to point."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field

from tests.causes.reference.awaited import awaited_by
from tests.causes.reference.frames import PARALLEL, Location
from tests.causes.reference.holding import has_it, holder_of
from tests.causes.reference.meeting import Arrival, is_met
from tests.causes.reference.reference_run import ReferenceRun

FORK, BEGIN, ARRIVE, PASS, GOT, RELEASE = "fork", "begin", "arrive", "pass", "got", "release"
DONE, WAITED = "done", "waited"
"""Tasks that were run in a barrier, or what another location waits for; and such a wait."""


@dataclass(eq=False)
class Point:
    """A location comes to it at `before`, and goes on `after`: `lag` behind what it `needs`, where
    it does; others need what it `gives`.  `work` is that since the point before, which it left at
    `since`."""

    kind: str
    path: int
    before: int
    after: int
    place: float
    needs: tuple[str, object] | None = None
    gives: tuple[str, object] | None = None
    lag: float = 0.0
    team: int = 0
    arrival: Arrival | None = None
    since: int = 0
    work: float = 0.0


Points = dict[int, list[Point]]
"""Points of each location in the order of time."""


def points_of(reference: ReferenceRun) -> Points:
    points = {}
    for location in reference.locations:
        every = [
            *_of_teams(reference, location),
            *_of_barriers(reference, location),
            *_of_locks(reference, location),
            *_of_waits(reference, location),
        ]
        every.sort(key=lambda item: (item.after, item.place))
        moment = reference.program.begin
        for point in every:
            point.since = moment
            if point.kind not in (BEGIN, PASS):
                point.work = max(0, point.before - moment)
            moment = point.after
        points[location.number] = every
    return points


def _of_teams(reference: ReferenceRun, location: Location) -> Iterator[Point]:
    for frame in location.frames:
        if frame.kind != PARALLEL or frame.team not in reference.masters:
            continue
        forked, region_begin = reference.masters[frame.team][1].forked, frame.begin
        fork = FORK, frame.team
        if frame.is_master:
            yield Point(FORK, frame.path, forked, forked, frame.number, gives=fork)
        begin = Point(BEGIN, frame.path, region_begin, region_begin, frame.number, needs=fork)
        begin.lag, begin.team = region_begin - forked, frame.team
        yield begin


def _of_barriers(reference: ReferenceRun, location: Location) -> Iterator[Point]:
    for arrival in reference.arrivals:
        if arrival.location != location.number or not is_met(arrival):
            continue
        assert arrival.region is not None and arrival.meeting is not None
        meeting, left = (ARRIVE, id(arrival.meeting)), _left(arrival)
        arrive = Point(
            ARRIVE, arrival.path, arrival.begin, arrival.begin, arrival.place, gives=meeting
        )
        leave = Point(PASS, arrival.path, left, left, arrival.place, needs=meeting)
        finals = [other.final for other in arrival.meeting.arrivals if _has_run(other)]
        leave.lag = left - max([arrival.meeting.last, *finals])
        points = [arrive]
        if _has_run(arrival):
            points.append(
                Point(
                    DONE, arrival.path, arrival.final, arrival.final, arrival.place, gives=meeting
                )
            )
        for point in (*points, leave):
            point.team, point.arrival = arrival.region.team, arrival
            yield point


def _left(arrival: Arrival) -> int:
    assert arrival.meeting is not None
    return max(arrival.leave, arrival.meeting.last)


def _has_run(arrival: Arrival) -> bool:
    """Return true if the thread has run tasks before any thread left the barrier."""
    assert arrival.meeting is not None
    return arrival.begin < arrival.final <= min(_left(other) for other in arrival.meeting.arrivals)


def _of_waits(reference: ReferenceRun, location: Location) -> Iterator[Point]:
    for other in reference.locations:
        for wait in awaited_by(reference, other):
            object_ = WAITED, (other.number, wait)
            if other is location:
                lag = wait.end - wait.since
                yield Point(WAITED, 0, wait.begin, wait.end, -1, needs=object_, lag=lag)
            if wait.cause == location.number:
                yield Point(DONE, 0, wait.since, wait.since, -2, gives=object_)


def _of_locks(reference: ReferenceRun, location: Location) -> Iterator[Point]:
    for lock_held in reference.locks:
        if lock_held.location == location.number:
            acquired = Point(
                GOT,
                lock_held.path,
                lock_held.requested,
                lock_held.acquired,
                -1,
                lag=lock_held.acquired - lock_held.requested,
            )
            was_held = any(at <= lock_held.acquired for at, _ in reference.releases[lock_held.lock])
            if was_held and not has_it(lock_held, reference.locks, reference.releases):
                freed, holder = holder_of(lock_held, reference.releases)
                acquired.lag = lock_held.acquired - max(lock_held.requested, freed)
                acquired.needs = RELEASE, (lock_held.lock, freed, holder)
            yield acquired
    for lock, releases in reference.releases.items():
        for at, holder in releases:
            if holder == location.number:
                yield Point(RELEASE, 0, at, at, -2, gives=(RELEASE, (lock, at, holder)))


@dataclass
class Changed:
    """A change of the program: `work` and `lag` of some points, the free points, and the time that
    the main thread saves after its last point."""

    work: dict[Point, float] = field(default_factory=dict)
    lag: dict[Point, float] = field(default_factory=dict)
    is_free: set[Point] = field(default_factory=set)
    """points that need nothing any more, or that no other point needs"""
    spared: float = 0.0


def end_of(reference: ReferenceRun, points: Points, changed: Changed) -> float:
    """Return the ticks from the program's begin to its end."""
    givers: dict[object, list[Point]] = defaultdict(list)
    for point in (point for every in points.values() for point in every if point.gives):
        if point.kind not in (ARRIVE, DONE) or point not in changed.is_free:
            givers[point.gives].append(point)
    ends: dict[Point, float] = {}
    moments = dict.fromkeys(points, 0.0)
    left = {number: every[::-1] for number, every in points.items()}
    while any(left.values()):
        moved = 0
        for number, every in left.items():
            while every and all(point in ends for point in givers.get(every[-1].needs, ())):
                point = every.pop()
                needed = max((ends[e] for e in givers.get(point.needs, ())), default=None)
                moments[number] = ends[point] = _passed(point, moments[number], needed, changed)
                moved += 1
        assert moved, "all wait for each other"
    main = reference.program.threads[0][0]
    since = points[main][-1].after if points[main] else reference.program.begin
    return moments[main] + reference.program.end - since - changed.spared


def _passed(point: Point, moment: float, needed: float | None, changed: Changed) -> float:
    """Return when the point is done with; `moment` is when the previous one was."""
    moment += changed.work.get(point, point.work)
    lag = changed.lag.get(point, point.lag)
    if point.kind == BEGIN and needed is not None:
        return needed + lag
    if point.kind == PASS and needed is not None:
        return needed + lag if point in changed.is_free else max(moment, needed + lag)
    if point.kind == WAITED and needed is not None and point not in changed.is_free:
        return max(moment, needed + lag)
    if point.kind == GOT and needed is not None and point not in changed.is_free:
        moment = max(moment, needed)
    return moment + (lag if point.kind == GOT else 0)
