"""A process: what its locations went through, and what they had to do with each other."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path

from tests.causes.reference.attempts import repeated
from tests.causes.reference.frames import Frame, HeldLock, Location
from tests.causes.reference.holding import given_up, held_of
from tests.causes.reference.meeting import Arrival, Meeting, arrivals_of, meetings_of
from tests.causes.reference.program import Chain, Program, program_of, recorded
from tests.causes.reference.reading import Reader
from tests.causes.reference.states import StateInterval, stretches_of, with_forks


@dataclass
class ReferenceRun:
    """A process: what its locations went through, and with each other."""

    program: Program
    locations: list[Location]
    intervals: dict[int, list[StateInterval]]
    """of a thread"""
    arrivals: list[Arrival]
    meetings: list[Meeting]
    locks: list[HeldLock]
    releases: dict[object, list[tuple[int, int]]]
    thread: dict[int, int]
    """of a location"""
    location: dict[int, int]
    """of a frame, by its id"""
    masters: dict[int, tuple[int, Frame]]
    """of a team: its master's location, and the region there"""
    arrivals_in: dict[int, list[Arrival]]
    """of a region at a thread, by its id"""
    event_seconds: dict[tuple[str, Chain, int], float] = field(default_factory=dict)
    """seconds that events take, by activity, call path and thread"""
    working: list[tuple[int, int, int]] = field(default_factory=list)
    """begin and end of pieces of the run, and the number of threads that have work then"""
    threads_at_once: int = 0


def cancellable(program: Program) -> set[int]:
    """Return call paths of loops and sections with a cancel in them, whose barrier has no
    events."""
    result: set[int] = set()
    for number, chain in program.chains.items():
        if "ompt" in program.records.texts or not chain or not chain[-1][0].startswith("cancel"):
            continue
        above = program.records.paths[number].above
        while above and not set(program.kind(above).split()) & {"parallel", "for", "sections"}:
            above = program.records.paths[above].above
        clauses = program.records.regions[program.records.paths[number].region].strings[3]
        if (
            above
            and "parallel" not in program.kind(above)
            and not clauses.startswith(("parallel", "taskgroup"))
        ):
            result.add(above)
    return result


def reference_run_of(folder: Path) -> ReferenceRun:
    program = program_of(folder)
    locations = []
    for number, events in recorded(folder):
        its = program.records.locations[number]
        cut = its.cut, its.cut_since
        locations.append(Reader(number, program.begin).read(events, program.end, cut))
        repeated(locations[-1], program)
    joined = {team: at for location in locations for team, at in location.joined.items()}
    assembled = {team: at for location in locations for team, at in location.assembled.items()}
    thread = {number: tid for tid, row in enumerate(program.threads) for number in row}
    by_thread: dict[int, list[StateInterval]] = {tid: [] for tid in range(len(program.threads))}
    frames: dict[int, list[Frame]] = {tid: [] for tid in by_thread}
    arrivals: list[Arrival] = []
    locks: list[HeldLock] = []
    for location_ in locations:
        stretch_list = stretches_of(location_, program, joined, assembled)
        by_thread[thread[location_.number]] += stretch_list
        frames[thread[location_.number]] += location_.frames
        locks += held_of(location_, program)
    stretches = {tid: with_forks(own, frames[tid], program.begin) for tid, own in by_thread.items()}
    for location_ in locations:
        stretch_list = stretches[thread[location_.number]]
        arrivals += arrivals_of(
            location_,
            stretch_list,
            program.end,
            joined,
            assembled,
            cancellable(program),
            program.copied,
        )
    releases = given_up(locations, locks)
    meetings = meetings_of(arrivals)
    masters = {
        frame.team: (location.number, frame)
        for location in locations
        for frame in location.frames
        if frame.is_master
    }
    arrivals_in: dict[int, list[Arrival]] = defaultdict(list)
    for arrival in arrivals:
        arrivals_in[id(arrival.region)].append(arrival)
    location = {id(frame): location.number for location in locations for frame in location.frames}
    return ReferenceRun(
        program=program,
        locations=locations,
        intervals=stretches,
        arrivals=arrivals,
        meetings=meetings,
        locks=locks,
        releases=releases,
        thread=thread,
        location=location,
        masters=masters,
        arrivals_in=arrivals_in,
    )
