"""A location's open regions, frame by frame, and its activity at each moment."""

from __future__ import annotations

from dataclasses import dataclass, field

SIMPLE, USER, WORK, SYNC, BARRIER, FORK, PARALLEL, WAIT, CREATE, CANCEL, TASK = range(1, 12)
"""Kinds."""

BODY, ENTER, EXIT, EXIT_BAR, STARTUP, SHUTDOWN, TASKS = range(3, 10)
CREATING = 12
"""Phases: the columns of the profile."""


@dataclass(eq=False)
class Frame:
    """A visit of a region; times are ticks.

    `phases` are the phases that it began, each with its time. A parallel region has its `team`, the
    time when its master `forked`, and whether this is the master. For a cancel or barrier,
    `cancelled` is the canceled region, which was closed at the same time.
    """

    kind: int
    path: int
    begin: int
    above: Frame | None
    end: int | None = None
    number: int = 0
    """how many the location opened before"""
    within: int = 0
    """how many it had opened when this one ended"""
    phases: list[tuple[int, int]] = field(default_factory=list)
    team: int = 0
    forked: int = 0
    is_master: bool = False
    waits: int | None = None
    """of a parallel region that this thread has left: since when it is in the end's barrier"""
    departed: int | None = None
    """since when it takes the team for joined"""
    task: int = 0
    """number of an untied task"""
    resumes: bool = False
    cancelled: Frame | None = None
    in_vain: bool = False
    """of an attempt to get a lock"""

    @property
    def phase(self) -> int:
        return self.phases[-1][1]

    def region(self) -> Frame | None:
        """Return the parallel region whose barriers the frame meets, or which it is; a task meets
        none."""
        frame: Frame | None = self
        while frame is not None and frame.kind not in (PARALLEL, TASK):
            frame = frame.above
        return frame if frame is not None and frame.kind == PARALLEL else None


@dataclass(eq=False)
class Piece:
    """An interval with the same newest frame, of that kind and in that phase at the time.

    Without a frame, `left` is the region that the thread has left.
    """

    begin: int
    end: int
    frame: Frame | None
    kind: int
    phase: int
    left: Frame | None


@dataclass(eq=False)
class HeldLock:
    """A lock or critical section, as one thread got it."""

    lock: tuple[str, object]
    path: int
    requested: int
    acquired: int
    released: int | None
    location: int = -1


@dataclass
class Location:
    """The history of one location."""

    number: int
    pieces: list[Piece] = field(default_factory=list)
    frames: list[Frame] = field(default_factory=list)
    visits: dict[int, int] = field(default_factory=dict)
    locks: list[HeldLock] = field(default_factory=list)
    given_up: list[tuple[int, int]] = field(default_factory=list)
    """locks and when, by whomever they had been got"""
    joined: dict[int, int] = field(default_factory=dict)
    """teams that it was master of, and when they were joined"""
    assembled: dict[int, int] = field(default_factory=dict)
    first: int = 0
    last: int = 0
