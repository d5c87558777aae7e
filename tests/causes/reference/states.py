"""The kind of time of each interval of a location."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from tests.causes.reference.frames import (
    BARRIER,
    BODY,
    CREATE,
    CREATING,
    ENTER,
    EXIT,
    EXIT_BAR,
    FORK,
    PARALLEL,
    SHUTDOWN,
    SIMPLE,
    SYNC,
    TASKS,
    WAIT,
    WORK,
    Frame,
    Location,
    Piece,
)
from tests.causes.reference.program import Program

COMPUTE, MAP, OFF = "compute", "map", "off"
FORKING, JOINING, CREATING_TASKS = "Fork", "Join", "Task Creation"
EXPLICIT, IMPLICIT = "Explicit", "Implicit"


@dataclass(eq=False)
class StateInterval:
    """Time at a call path; `of` is the newest frame, or the region that was left."""

    begin: int
    end: int
    path: int
    state: str
    frame: Frame | None

    @property
    def length(self) -> int:
        return self.end - self.begin


_NAMED = {
    "critical": "Critical", "ordered": "Ordered", "lock": "Lock API", "flush": "Flush",
    "atomic": "Atomic",
}  # fmt: skip


def stretches_of(
    location: Location, program: Program, joined: dict[int, int], assembled: dict[int, int]
) -> list[StateInterval]:
    stretches = []
    for piece in location.pieces:
        for stretch in _of(piece, location, program, joined, assembled):
            if stretch.begin < stretch.end and stretch.state != OFF:
                stretches.append(stretch)
    return stretches


def is_made_by_openmp(location: Location, program: Program) -> bool:
    """Return true for a thread that has ever been in another's team; the program made the others
    itself."""
    level = program.records.locations[location.number].level
    workers = (frame for frame in location.frames if frame.kind == PARALLEL and not frame.is_master)
    return level > 0 or any(workers)


def _of(
    piece: Piece,
    location: Location,
    program: Program,
    joined: dict[int, int],
    assembled: dict[int, int],
) -> Iterator[StateInterval]:
    begin, end, frame, left = piece.begin, piece.end, piece.frame, piece.left
    if frame is not None:
        cut = frame.cancelled
        # A thread that has canceled waits first, and then leaves its open regions.
        if cut is not None and (frame.kind == BARRIER or begin == frame.begin):
            yield StateInterval(begin, end, cut.path, IMPLICIT, frame)
        else:
            state = "Failed Attempts" if frame.in_vain else state_of(piece, program)
            yield StateInterval(begin, end, frame.path, state, frame)
    elif left is not None:
        join = joined.get(left.team, left.departed or program.end)
        since = left.waits if left.waits is not None else join
        until = max(since, min(assembled.get(left.team, join), join))
        marks = sorted({begin, end, *(t for t in (since, until, join) if begin < t < end)})
        for a, b in pairwise(marks):
            state = OFF if a >= join else IMPLICIT if since <= a < until else JOINING
            yield StateInterval(a, b, 0 if state == OFF else left.path, state, left)
    elif location.number == program.threads[0][0]:
        yield StateInterval(begin, end, 0, COMPUTE, None)
    elif is_made_by_openmp(location, program):
        yield StateInterval(begin, end, 0, OFF, None)
    else:
        last = program.records.locations[location.number].last
        first_begin = max(begin, location.first), max(begin, min(end, last))
        yield StateInterval(begin, min(end, first_begin[0]), 0, OFF, None)
        yield StateInterval(first_begin[0], first_begin[1], 0, COMPUTE, None)
        yield StateInterval(max(begin, first_begin[1]), end, 0, OFF, None)


def _is_at_block(piece: Piece) -> bool:
    """Return true in the block of a single, or before it."""
    assert piece.frame is not None
    later = (at for at, phase in piece.frame.phases if phase == BODY and at >= piece.end)
    return piece.phase == BODY or any(later)


def state_of(piece: Piece, program: Program) -> str:
    assert piece.frame is not None
    kind, phase, name = piece.kind, piece.phase, program.kind(piece.frame.path)
    if kind == FORK:
        return FORKING
    if kind == BARRIER:
        return EXPLICIT
    is_copying = kind == WORK and piece.frame.path in program.copied and not _is_at_block(piece)
    if kind in (PARALLEL, WORK) and (phase in (EXIT_BAR, TASKS) or is_copying):
        return IMPLICIT
    if kind == PARALLEL and phase == SHUTDOWN:
        return JOINING
    if kind in (CREATE, WAIT, PARALLEL) and phase == CREATING:
        return CREATING_TASKS
    if kind == PARALLEL and phase == ENTER:
        return "Taskwait"
    if kind == WAIT:
        waits = phase == EXIT_BAR or not (name == "taskgroup" or "taskloop" in name)
        return "Taskwait" if waits else COMPUTE
    if kind == SYNC and name in ("critical", "ordered") and phase not in (ENTER, EXIT):
        return COMPUTE
    if kind in (SYNC, SIMPLE):
        is_map = name == "target data" and phase != BODY
        return MAP if is_map else _NAMED.get(name, COMPUTE)
    return COMPUTE


def with_forks(
    stretches: list[StateInterval], frames: list[Frame], begin: int
) -> list[StateInterval]:
    """Return a thread's intervals, including all locations that carried its role on.

    Before a region of another's team, the thread was on its way there, except while it ran
    something itself. It was on its way since the fork, or since it had left the previous region.
    """
    left = begin
    for frame in sorted(frames, key=lambda frame: frame.begin):
        if frame.kind != PARALLEL or frame.is_master:
            continue
        stretches = list(_on_its_way(stretches, frame, max(frame.forked, left)))
        if frame.end is not None:
            left = frame.end
    stretch_list = [stretch for stretch in stretches if not has_left(stretch)]
    stretch_list.sort(key=lambda item: item.begin)
    for interval in [stretch for stretch in stretches if has_left(stretch)]:
        stretch_list += _without(interval, stretch_list)
    return sorted(stretch_list, key=lambda item: item.begin)


def has_left(interval: StateInterval) -> bool:
    """Return true if the interval is of a worker that has left that region."""
    frame = interval.frame
    return (
        frame is not None
        and frame.kind == PARALLEL
        and frame.end is not None
        and frame.end <= interval.begin
    )


def _without(left: StateInterval, stretches: list[StateInterval]) -> Iterator[StateInterval]:
    """Yield the parts of an interval in which the thread ran nothing else."""
    moment = left.begin
    for interval in [
        stretch for stretch in stretches if left.begin < stretch.end and stretch.begin < left.end
    ]:
        if moment < interval.begin:
            yield StateInterval(moment, interval.begin, left.path, left.state, left.frame)
        moment = max(moment, interval.end)
    if moment < left.end:
        yield StateInterval(moment, left.end, left.path, left.state, left.frame)


def _on_its_way(
    stretches: list[StateInterval], frame: Frame, since: int
) -> Iterator[StateInterval]:
    moment = since
    for stretch in sorted(stretches, key=lambda interval: interval.begin):
        begin, end = max(stretch.begin, since), min(stretch.end, frame.begin)
        if has_left(stretch) and stretch.frame is not None and stretch.frame.begin < frame.begin:
            if stretch.begin < since:
                yield StateInterval(
                    stretch.begin,
                    min(stretch.end, since),
                    stretch.path,
                    stretch.state,
                    stretch.frame,
                )
        elif begin >= end:
            yield stretch
        else:
            if moment < begin:
                yield StateInterval(moment, begin, frame.path, FORKING, frame)
            moment = end
            yield stretch
    if moment < frame.begin:
        yield StateInterval(moment, frame.begin, frame.path, FORKING, frame)
