"""The main thread where it waits for threads that the program made itself."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from tests.causes.reference.frames import PARALLEL, Frame, Location
from tests.causes.reference.program import Chain
from tests.causes.reference.states import Stretch, is_made_by_openmp
from tests.causes.reference.whole import Whole


@dataclass(frozen=True)
class Join:
    """A wait from `begin` to `end`, when the location `cause` ended the awaited work."""

    begin: int
    end: int
    cause: int
    chain: Chain


def joins_of(whole: Whole) -> list[Join]:
    """Return the joins; none if the main thread was on a processor for more than half of their
    time."""
    joins = [join for piece in alone(whole) if (join := _join(whole, piece)) is not None]
    program = whole.program
    ran = program.records.locations[program.threads[0][0]].ran / 1e9
    waited = sum(each.end - each.begin for each in joins) / program.second
    off = (program.end - program.begin) / program.second - ran
    return joins if not ran or off >= waited / 2 else []


def made_of(whole: Whole) -> Iterator[tuple[int, int]]:
    """Yield locations that were made by the main thread outside teams, and the time of each."""
    joins, pieces = joins_of(whole), alone(whole)
    for root in _roots(whole):
        if any(piece.begin <= root.first <= piece.end for piece in pieces):
            begins = [j.begin for j in joins if j.begin <= root.first <= j.end]
            yield root.number, begins[-1] if begins else root.first


def alone(whole: Whole) -> list[Stretch]:
    """Return the main thread's intervals outside teams."""
    return [interval for interval in whole.intervals[0] if not _is_in_team(interval.of)]


def working(whole: Whole) -> list[Stretch]:
    """Return the main thread's intervals outside teams without its waits."""
    result = []
    joins = joins_of(whole)
    for piece in alone(whole):
        for begin, end in _without(piece, joins):
            result.append(Stretch(begin, end, piece.path, piece.state, piece.of))
    return result


def _without(piece: Stretch, joins: list[Join]) -> Iterator[tuple[int, int]]:
    here = [join for join in joins if piece.begin <= join.begin and join.end <= piece.end]
    if not here:
        yield piece.begin, piece.end
        return
    (join,) = here
    yield from ((a, b) for a, b in ((piece.begin, join.begin), (join.end, piece.end)) if a < b)


def _is_in_team(frame: Frame | None) -> bool:
    while frame is not None and frame.kind != PARALLEL:
        frame = frame.above
    return frame is not None


def _roots(whole: Whole) -> list[Location]:
    main = whole.program.threads[0][0]
    return [
        location
        for location in whole.locations
        if location.number != main
        and location.frames
        and not is_made_by_openmp(location, whole.program)
    ]


def _join(whole: Whole, piece: Stretch) -> Join | None:
    roots = _roots(whole)
    ended = []
    for root in roots:
        moments = [_last_of(whole, root)]
        for team in (f for f in root.frames if f.kind == PARALLEL and not _is_in_team(f.above)):
            end = whole.program.end if team.end is None else team.end
            last = [f.end or end for f in _members(whole, team.team)]
            joined = root.joined.get(team.team, 0)
            moments.append(max([end, joined, *(last if team.team else [])]))
        ended += [(at, -root.number) for at in moments if piece.begin < at <= piece.end]
    if not ended:
        return None
    end, cause = max(ended)
    firsts = [root.first for root in roots if piece.begin < root.first <= end]
    begins_before = any(root.first <= piece.begin for root in roots)
    begin = min(firsts) if firsts else piece.begin if begins_before else end
    return Join(begin, end, -cause, whole.program.chains[piece.path])


def _members(whole: Whole, team: int) -> list[Frame]:
    return [
        f
        for location in whole.locations
        for f in location.frames
        if f.kind == PARALLEL and f.team == team
    ]


def _last_of(whole: Whole, location: Location) -> int:
    last = whole.program.records.locations[location.number].last
    is_open = any(frame.end is None for frame in location.frames)
    return whole.program.end if is_open else min(whole.program.end, max(last, location.last))
