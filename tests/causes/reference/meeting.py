"""Barriers: who met whom, for how long each waited for the last to come and for tasks."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field

from tests.causes.reference.frames import (
    BARRIER,
    CANCEL,
    EXIT_BAR,
    PARALLEL,
    SHUTDOWN,
    TASKS,
    WORK,
    Frame,
    Location,
)
from tests.causes.reference.states import EXPLICIT, IMPLICIT, StateInterval


@dataclass(eq=False)
class Arrival:
    """A thread in a barrier.  `region` is its team's at this thread, `waiting` what it did not
    run of tasks."""

    location: int
    path: int
    is_explicit: bool
    begin: int
    end: int
    region: Frame | None
    is_end: bool = False
    is_alone: bool = False
    """of a cancelled loop: who else is in it is not known"""
    is_cancelled: bool = False
    """since it cancelled the construct, or saw that it was"""
    is_open: bool = False
    """of a loop with a cancel: no event has the time of arrival"""
    waiting: list[StateInterval] = field(default_factory=list)
    tasks: list[Frame] = field(default_factory=list)
    meeting: Meeting | None = None
    place: float = 0.0
    """of what the location did at one moment, this is behind that with a lower one"""

    @property
    def final(self) -> int:
        """Return the time since which the thread has run all the tasks that it runs there."""
        return max([self.begin, *(task.end for task in self.tasks if task.end is not None)])

    @property
    def leave(self) -> int:
        return max(self.waiting[-1].end, self.final) if self.waiting else self.end


def is_met(arrival: Arrival) -> bool:
    """Return true if the arrival meets others of its team, which are known."""
    return arrival.region is not None and arrival.meeting is not None and not arrival.is_alone


@dataclass(eq=False)
class Meeting:
    """`last` is when the last one came, `done` when also the last task was."""

    arrivals: list[Arrival]
    last: int = 0
    done: int = 0
    last_arrival: Arrival | None = None
    done_arrival: Arrival | None = None


def arrivals_of(
    location: Location,
    stretches: list[StateInterval],
    end: int,
    joined: dict[int, int],
    assembled: dict[int, int],
    cancellable: set[int],
    copied: set[int],
) -> list[Arrival]:
    """Return the arrivals in the order of their begin.

    `cancellable` are the call paths of loops with a cancel, `copied` those of singles with copyprivate.
    """
    arrivals: list[tuple[Arrival, Frame]] = []
    cut = {id(frame.cancelled) for frame in location.frames}
    for frame in location.frames:
        arrivals += [(arrival, frame) for arrival in _at(frame, location.number, end, cancellable)]
        is_told = any(phase == EXIT_BAR for _, phase in frame.phases) or id(frame) in cut
        if frame.kind == WORK and frame.path in cancellable and not is_told and frame.region():
            until = end if frame.end is None else frame.end
            late = Arrival(location.number, frame.path, False, until, until, frame.region())
            late.is_open = True
            arrivals.append((late, frame))
        if frame.kind == WORK and frame.path in copied and frame.region():
            until = end if frame.end is None else frame.end
            begin = max([frame.begin, *(at for at, phase in frame.phases if not phase)])
            late = Arrival(location.number, frame.path, False, begin, until, frame.region())
            arrivals.append((late, frame))
        if frame.waits is not None:
            until = min(assembled.get(frame.team, end), joined.get(frame.team, end))
            late = Arrival(location.number, frame.path, False, frame.waits, until, frame, True)
            arrivals.append((late, frame))
    regions = {arrival.region for arrival, _ in arrivals if arrival.is_end}
    for frame in location.frames:
        if frame.kind == PARALLEL and frame.end is not None and frame not in regions:
            arrivals.append((_left(frame, location.number), frame))
    for arrival, frame in arrivals:
        arrival.place = frame.within - 0.5 if arrival.is_end else frame.number
        arrival.waiting = [
            stretch
            for stretch in stretches
            if stretch.frame is frame
            and stretch.state in (EXPLICIT, IMPLICIT)
            and stretch.begin < arrival.end
            and arrival.begin < stretch.end
        ]
        arrival.tasks = [
            frame_
            for frame_ in location.frames
            if frame_.above in (frame, None)
            and frame.kind != CANCEL
            and arrival.begin <= frame_.begin <= arrival.end
            and (frame_.above is frame or frame.waits is not None)
        ]
    return sorted((arrival for arrival, _ in arrivals), key=lambda item: item.begin)


def _at(frame: Frame, location: int, end: int, cancellable: set[int]) -> list[Arrival]:
    until = end if frame.end is None else frame.end
    cut = frame.cancelled
    if cut is not None:
        is_region = cut.kind == PARALLEL
        region = cut.region()
        arrival = Arrival(location, cut.path, False, frame.begin, until, region, is_region)
        arrival.is_alone = not is_region and cut.path not in cancellable
        arrival.is_cancelled = frame.kind == CANCEL
        return [arrival]
    if frame.kind == BARRIER:
        return [Arrival(location, frame.path, True, frame.begin, until, frame.region())]
    if frame.kind not in (WORK, PARALLEL):
        return []
    arrivals: list[Arrival] = []
    inside = False
    for at, phase in frame.phases:
        if not inside and phase == EXIT_BAR:
            arrivals.append(Arrival(location, frame.path, False, at, until, frame.region()))
            inside = True
        elif inside and phase not in (EXIT_BAR, TASKS):
            arrivals[-1].end = at
            inside = False
    if arrivals and frame.kind == PARALLEL and frame.waits is None:
        arrivals[-1].is_end = True
    return arrivals


def _left(frame: Frame, location: int) -> Arrival:
    """Return the arrival at the barrier that ends a region, if no event tells when the thread was
    in it.

    A master joins its team when all members have come.
    """
    assert frame.end is not None
    left = [at for at, phase in frame.phases if phase == SHUTDOWN] or [frame.end]
    return Arrival(location, frame.path, False, min(left), max(left), frame, True)


def meetings_of(arrivals: list[Arrival]) -> list[Meeting]:
    """Return meetings by team and the member's number of the barrier; those at the end are one."""
    number: dict[Frame, int] = defaultdict(int)
    by_key: dict[object, list[Arrival]] = defaultdict(list)
    for arrival in arrivals:
        if arrival.region is None or arrival.is_alone:
            by_key[id(arrival)].append(arrival)
        elif arrival.is_end:
            by_key[arrival.region.team, "end"].append(arrival)
        else:
            by_key[arrival.region.team, number[arrival.region]].append(arrival)
            number[arrival.region] += 1
    meetings = []
    for arrivals_ in by_key.values():
        left = min(arrival.leave for arrival in arrivals_)
        for arrival in arrivals_:
            arrival.begin = min(arrival.begin, left) if arrival.is_open else arrival.begin
        meeting = Meeting(arrivals_)
        meeting.last_arrival = max(arrivals_, key=lambda item: item.begin)
        meeting.last = meeting.last_arrival.begin
        ends = [task.end for arrival in arrivals_ for task in arrival.tasks if task.end is not None]
        meeting.done = max([meeting.last, *ends])
        meeting.done_arrival = max(arrivals_, key=lambda item: item.final)
        for arrival in arrivals_:
            arrival.meeting = meeting
        meetings.append(meeting)
    return meetings


def over(stretches: list[StateInterval], begin: int, end: int) -> int:
    """Return the ticks of the intervals that are between two times."""
    return sum(max(0, min(stretch.end, end) - max(stretch.begin, begin)) for stretch in stretches)
