"""Locks and critical sections: who asked, got and gave up, and how long who had it was waited for."""

from __future__ import annotations

from collections import defaultdict

from tests.causes.reference.frames import BODY, EXIT, SYNC, HeldLock, Location
from tests.causes.reference.program import Program


def held_of(location: Location, program: Program) -> list[HeldLock]:
    """Return the location's criticals, by name, and locks."""
    result = list(location.locks)
    for frame in location.frames:
        if frame.kind == SYNC and program.kind(frame.path) == "critical":
            acquired = [at for at, phase in frame.phases if phase == BODY]
            released = [at for at, phase in frame.phases if phase == EXIT]
            if acquired:
                key = "critical", program.name(frame.path)
                until = released[-1] if released else frame.end
                result.append(
                    HeldLock(key, frame.path, frame.begin, acquired[0], until, location.number)
                )
    return result


def given_up(
    locations: list[Location], locks: list[HeldLock]
) -> dict[object, list[tuple[int, int]]]:
    """Return, by lock, when it was given up and by which location."""
    result: dict[object, list[tuple[int, int]]] = defaultdict(list)
    for location in locations:
        for lock, at in location.given_up:
            result["lock", lock].append((at, location.number))
    for held_lock in locks:
        if held_lock.lock[0] == "critical" and held_lock.released is not None:
            result[held_lock.lock].append((held_lock.released, held_lock.location))
    return result


def contention(lock: HeldLock, releases: dict[object, list[tuple[int, int]]]) -> int:
    """Return ticks from the request to the last time that the lock was given up before it was
    got."""
    before = [at for at, _ in releases[lock.lock] if at <= lock.acquired]
    return max(0, max(before, default=lock.requested) - lock.requested)


def holder_of(lock: HeldLock, releases: dict[object, list[tuple[int, int]]]) -> tuple[int, int]:
    """Return when the lock was given up last before it was got, and by which location."""
    return max(one for one in releases[lock.lock] if one[0] <= lock.acquired)


def has_it(
    lock: HeldLock, locks: list[HeldLock], releases: dict[object, list[tuple[int, int]]]
) -> bool:
    """Return true if the location has the lock already, and gets it once more."""
    key = lock.lock, lock.location
    acquisitions = [
        one for one in locks if (one.lock, one.location) == key and one.acquired < lock.acquired
    ]
    return len(acquisitions) > sum(
        who == lock.location and at <= lock.acquired for at, who in releases[lock.lock]
    )
