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
        now = reference.program.begin
        for each in every:
            each.since = now
            if each.kind not in (BEGIN, PASS):
                each.work = max(0, each.before - now)
            now = each.after
        points[location.number] = every
    return points


def _of_teams(reference: ReferenceRun, location: Location) -> Iterator[Point]:
    for frame in location.frames:
        if frame.kind != PARALLEL or frame.team not in reference.masters:
            continue
        forked, begun = reference.masters[frame.team][1].forked, frame.begin
        fork = FORK, frame.team
        if frame.is_master:
            yield Point(FORK, frame.path, forked, forked, frame.number, gives=fork)
        begin = Point(BEGIN, frame.path, begun, begun, frame.number, needs=fork)
        begin.lag, begin.team = begun - forked, frame.team
        yield begin


def _of_barriers(reference: ReferenceRun, location: Location) -> Iterator[Point]:
    for arrival in reference.arrivals:
        if arrival.location != location.number or not is_met(arrival):
            continue
        assert arrival.region is not None and arrival.meeting is not None
        met, left = (ARRIVE, id(arrival.meeting)), _left(arrival)
        arrive = Point(ARRIVE, arrival.path, arrival.begin, arrival.begin, arrival.place, gives=met)
        leave = Point(PASS, arrival.path, left, left, arrival.place, needs=met)
        ran = [other.final for other in arrival.meeting.arrivals if _has_run(other)]
        leave.lag = left - max([arrival.meeting.last, *ran])
        points = [arrive]
        if _has_run(arrival):
            points.append(
                Point(DONE, arrival.path, arrival.final, arrival.final, arrival.place, gives=met)
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
            of = WAITED, (other.number, wait)
            if other is location:
                lag = wait.end - wait.since
                yield Point(WAITED, 0, wait.begin, wait.end, -1, needs=of, lag=lag)
            if wait.cause == location.number:
                yield Point(DONE, 0, wait.since, wait.since, -2, gives=of)


def _of_locks(reference: ReferenceRun, location: Location) -> Iterator[Point]:
    for held in reference.held:
        if held.location == location.number:
            got = Point(GOT, held.path, held.asked, held.got, -1, lag=held.got - held.asked)
            was_held = any(at <= held.got for at, _ in reference.given[held.lock])
            if was_held and not has_it(held, reference.held, reference.given):
                freed, who = holder_of(held, reference.given)
                got.lag = held.got - max(held.asked, freed)
                got.needs = RELEASE, (held.lock, freed, who)
            yield got
    for lock, several in reference.given.items():
        for at, who in several:
            if who == location.number:
                yield Point(RELEASE, 0, at, at, -2, gives=(RELEASE, (lock, at, who)))


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
    done: dict[Point, float] = {}
    now = dict.fromkeys(points, 0.0)
    left = {number: every[::-1] for number, every in points.items()}
    while any(left.values()):
        moved = 0
        for number, every in left.items():
            while every and all(point in done for point in givers.get(every[-1].needs, ())):
                point = every.pop()
                needed = max((done[e] for e in givers.get(point.needs, ())), default=None)
                now[number] = done[point] = _passed(point, now[number], needed, changed)
                moved += 1
        assert moved, "all wait for each other"
    main = reference.program.threads[0][0]
    since = points[main][-1].after if points[main] else reference.program.begin
    return now[main] + reference.program.end - since - changed.spared


def _passed(point: Point, now: float, needed: float | None, changed: Changed) -> float:
    """Return when the point is done with; `now` is when the previous one was."""
    now += changed.work.get(point, point.work)
    lag = changed.lag.get(point, point.lag)
    if point.kind == BEGIN and needed is not None:
        return needed + lag
    if point.kind == PASS and needed is not None:
        return needed + lag if point in changed.is_free else max(now, needed + lag)
    if point.kind == WAITED and needed is not None and point not in changed.is_free:
        return max(now, needed + lag)
    if point.kind == GOT and needed is not None and point not in changed.is_free:
        now = max(now, needed)
    return now + (lag if point.kind == GOT else 0)
