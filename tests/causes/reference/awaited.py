"""Waits for what another thread does with tasks, or for a turn: by whom is not recorded, so it is
the newest such thing."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

from tests.causes.reference.frames import BODY, CREATE, EXIT, SYNC, TASK, Frame, Location
from tests.causes.reference.joins import joins_of, made_of
from tests.causes.reference.reference_run import ReferenceRun
from tests.causes.reference.states import StateInterval


@dataclass(frozen=True)
class Awaited:
    """From `begin` to `end`, for what the location `cause` had done by `since`."""

    begin: int
    end: int
    cause: int
    since: int


def awaited_by(reference: ReferenceRun, location: Location) -> Iterator[Awaited]:
    yield from _work_to_take_up(reference, location)
    yield from _tasks(reference, location)
    yield from _turns(reference, location)
    yield from _threads(reference, location)


def _threads(reference: ReferenceRun, location: Location) -> Iterator[Awaited]:
    """Yield the main thread's waits for threads that the program made, and their waits until it
    made them."""
    main = reference.program.threads[0][0]
    if location.number == main:
        for join in joins_of(reference):
            yield Awaited(join.begin, join.end, join.cause, join.end)
    for number, moment in made_of(reference):
        if number == location.number:
            yield Awaited(reference.program.begin, moment, main, moment)


def _work_to_take_up(reference: ReferenceRun, location: Location) -> Iterator[Awaited]:
    """Yield the waits in a barrier that end because a task was created, which the thread then
    runs."""
    created = _ends(reference, location, CREATE)
    for arrival in reference.arrivals:
        if arrival.location == location.number:
            for wait in arrival.waiting[:-1]:
                yield from _newest(created, wait.begin, wait.end)


def _tasks(reference: ReferenceRun, location: Location) -> Iterator[Awaited]:
    """Yield the waits for tasks.

    A thread goes on when the last awaited task has ended. Meanwhile it runs a task when that task
    has been created.
    """
    ended, created = _ends(reference, location, TASK), _ends(reference, location, CREATE)
    waits: dict[int, list[StateInterval]] = defaultdict(list)
    for interval in reference.intervals[reference.thread[location.number]]:
        frame = interval.frame if interval.state == "Taskwait" else None
        if frame is not None and reference.location[id(frame)] == location.number:
            waits[id(frame)].append(interval)
    for *others, last in waits.values():
        yield from _newest(ended, last.begin, last.end)
        for other in others:
            yield from _newest(created, other.begin, other.end)


def _turns(reference: ReferenceRun, location: Location) -> Iterator[Awaited]:
    turns = [
        (max((at for at, phase in frame.phases if phase == EXIT), default=frame.end), other.number)
        for other in reference.locations
        for frame in other.frames
        if other is not location and _is_ordered(reference, frame) and frame.end is not None
    ]
    for frame in location.frames:
        if _is_ordered(reference, frame):
            had = min((at for at, phase in frame.phases if phase == BODY), default=frame.end)
            yield from _newest(turns, frame.begin, reference.program.end if had is None else had)


def _is_ordered(reference: ReferenceRun, frame: Frame) -> bool:
    return frame.kind == SYNC and reference.program.kind(frame.path) == "ordered"


def _ends(reference: ReferenceRun, location: Location, kind: int) -> list[tuple[int, int]]:
    """Return the ends of frames in other locations, with the location of each."""
    return [
        (frame.end, other.number)
        for other in reference.locations
        for frame in other.frames
        if other is not location and frame.kind == kind and frame.end is not None
    ]


def _newest(events: list[tuple[int, int]], begin: int, end: int) -> Iterator[Awaited]:
    candidates = [moment for moment in events if begin < moment[0] <= end]
    if candidates:
        since, cause = max(candidates)
        yield Awaited(begin, end, cause, since)
