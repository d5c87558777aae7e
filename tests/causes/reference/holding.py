"""Locks and critical sections: who asked, got and gave up, and how long who had it was waited for."""

from __future__ import annotations

from collections import defaultdict

from tests.causes.reference.frames import BODY, EXIT, SYNC, Held, Location
from tests.causes.reference.program import Program


def held_of(location: Location, program: Program) -> list[Held]:
    """Return the location's criticals, by name, and locks."""
    result = list(location.locks)
    for frame in location.frames:
        if frame.kind == SYNC and program.kind(frame.path) == "critical":
            got = [at for at, phase in frame.phases if phase == BODY]
            released = [at for at, phase in frame.phases if phase == EXIT]
            if got:
                key = "critical", program.name(frame.path)
                until = released[-1] if released else frame.end
                result.append(Held(key, frame.path, frame.begin, got[0], until, location.number))
    return result


def given_up(locations: list[Location], held: list[Held]) -> dict[object, list[tuple[int, int]]]:
    """Return, by lock, when it was given up and by which location."""
    result: dict[object, list[tuple[int, int]]] = defaultdict(list)
    for location in locations:
        for lock, at in location.given_up:
            result["lock", lock].append((at, location.number))
    for each in held:
        if each.lock[0] == "critical" and each.released is not None:
            result[each.lock].append((each.released, each.location))
    return result


def contention(held: Held, given: dict[object, list[tuple[int, int]]]) -> int:
    """Return ticks from the request to the last time that the lock was given up before it was
    got."""
    before = [at for at, _ in given[held.lock] if at <= held.got]
    return max(0, max(before, default=held.asked) - held.asked)


def holder_of(held: Held, given: dict[object, list[tuple[int, int]]]) -> tuple[int, int]:
    """Return when the lock was given up last before it was got, and by which location."""
    return max(one for one in given[held.lock] if one[0] <= held.got)


def has_it(lock: Held, held: list[Held], given: dict[object, list[tuple[int, int]]]) -> bool:
    """Return true if the location has the lock already, and gets it once more."""
    own = lock.lock, lock.location
    got = [one for one in held if (one.lock, one.location) == own and one.got < lock.got]
    return len(got) > sum(who == lock.location and at <= lock.got for at, who in given[lock.lock])
