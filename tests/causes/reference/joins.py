"""The main thread where it waits for threads that the program made itself."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from tests.causes.reference.frames import PARALLEL, Frame, Location
from tests.causes.reference.program import Chain
from tests.causes.reference.reference_run import ReferenceRun
from tests.causes.reference.states import StateInterval, is_made_by_openmp


@dataclass(frozen=True)
class Join:
    """A wait from `begin` to `end`, when the location `cause` ended the awaited work."""

    begin: int
    end: int
    cause: int
    chain: Chain


def joins_of(reference: ReferenceRun) -> list[Join]:
    """Return the joins; none if the main thread was on a processor for more than half of their
    time."""
    joins = [join for piece in alone(reference) if (join := _join(reference, piece)) is not None]
    program = reference.program
    cpu_time = program.records.locations[program.threads[0][0]].cpu_time / 1e9
    wait_time = sum(join.end - join.begin for join in joins) / program.second
    off = (program.end - program.begin) / program.second - cpu_time
    return joins if not cpu_time or off >= wait_time / 2 else []


def made_of(reference: ReferenceRun) -> Iterator[tuple[int, int]]:
    """Yield locations that were made by the main thread outside teams, and the time of each."""
    joins, pieces = joins_of(reference), alone(reference)
    for root in roots(reference):
        if any(piece.begin <= root.first <= piece.end for piece in pieces):
            begins = [j.begin for j in joins if j.begin <= root.first <= j.end]
            yield root.number, begins[-1] if begins else root.first


def alone(reference: ReferenceRun) -> list[StateInterval]:
    """Return the main thread's intervals outside teams."""
    return [interval for interval in reference.intervals[0] if not _is_in_team(interval.frame)]


def working(reference: ReferenceRun) -> list[StateInterval]:
    """Return the main thread's intervals outside teams without its waits."""
    result = []
    joins = joins_of(reference)
    for piece in alone(reference):
        for begin, end in _without(piece, joins):
            result.append(StateInterval(begin, end, piece.path, piece.state, piece.frame))
    return result


def _without(piece: StateInterval, joins: list[Join]) -> Iterator[tuple[int, int]]:
    inside = [join for join in joins if piece.begin <= join.begin and join.end <= piece.end]
    if not inside:
        yield piece.begin, piece.end
        return
    (join,) = inside
    yield from ((a, b) for a, b in ((piece.begin, join.begin), (join.end, piece.end)) if a < b)


def _is_in_team(frame: Frame | None) -> bool:
    while frame is not None and frame.kind != PARALLEL:
        frame = frame.above
    return frame is not None


def roots(reference: ReferenceRun) -> list[Location]:
    """Return the locations of threads that the program made itself."""
    main = reference.program.threads[0][0]
    return [
        location
        for location in reference.locations
        if location.number != main
        and location.frames
        and not is_made_by_openmp(location, reference.program)
    ]


def _join(reference: ReferenceRun, piece: StateInterval) -> Join | None:
    of_program = roots(reference)
    ended = []
    for root in of_program:
        moments = [_last_of(reference, root)]
        for team in (f for f in root.frames if f.kind == PARALLEL and not _is_in_team(f.above)):
            end = reference.program.end if team.end is None else team.end
            last = [f.end or end for f in _members(reference, team.team)]
            joined = root.joined.get(team.team, 0)
            moments.append(max([end, joined, *(last if team.team else [])]))
        ended += [(at, -root.number) for at in moments if piece.begin < at <= piece.end]
    if not ended:
        return None
    end, cause = max(ended)
    firsts = [root.first for root in of_program if piece.begin < root.first <= end]
    begins_before = any(root.first <= piece.begin for root in of_program)
    begin = min(firsts) if firsts else piece.begin if begins_before else end
    return Join(begin, end, -cause, reference.program.chains[piece.path])


def _members(reference: ReferenceRun, team: int) -> list[Frame]:
    return [
        f
        for location in reference.locations
        for f in location.frames
        if f.kind == PARALLEL and f.team == team
    ]


def _last_of(reference: ReferenceRun, location: Location) -> int:
    last = reference.program.records.locations[location.number].last
    is_open = any(frame.end is None for frame in location.frames)
    return (
        reference.program.end if is_open else min(reference.program.end, max(last, location.last))
    )
