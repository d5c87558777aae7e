"""Events -> frames, one by one: the table of operations in docs/reference/trace-format.md."""

from __future__ import annotations

from collections.abc import Callable

from tests.causes.reference.frames import (
    BARRIER,
    BODY,
    CANCEL,
    CREATE,
    CREATING,
    ENTER,
    FORK,
    PARALLEL,
    SYNC,
    TASK,
    WORK,
    Frame,
    HeldLock,
    Location,
    Piece,
)
from tests.causes.reference.words import Event

_FIRST = {SYNC: ENTER, PARALLEL: BODY, CREATE: CREATING}
_RESUMES, _SPECIAL = 1, 2


class Reader:
    def __init__(self, number: int, begin: int) -> None:
        self.found = Location(number)
        self.now = begin
        self.stack: list[Frame] = []
        self.left: Frame | None = None
        self.closed: Frame | None = None
        """The frame that the last event has closed."""
        self.innermost: Frame | None = None
        """The first cancel or barrier among the frames closed in a row at one moment, or else the
        last frame."""
        self.asked: dict[int, int] = {}

    def read(self, events: list[Event], end: int, cut: tuple[int, int] = (0, 0)) -> Location:
        """Return the location up to the program's end.

        `cut` is a team that the location has no event of leaving, and when the team was joined.
        """
        if events:
            self.found.first = events[0].time
            self.found.last = max(event.time for event in events)
        for event in events:
            self._pass(event.time)
            if event.op & 0x80:
                self._open(event)
            elif 0x10 <= event.op < 0x40:
                self.stack[-1].phases.append((event.time, event.op & 15))
            elif event.op in _TAKES:
                _TAKES[event.op](self, event)
            if event.op != 1:
                self.closed = self.innermost = None
        if self.stack and self.stack[0].kind == PARALLEL and self.stack[0].team == cut[0]:
            until = max(cut[1], self.found.last)
            self._pass(until)
            while self.stack:
                self._leave(Event(until, 1, 0))
        self._pass(end)
        return self.found

    def _pass(self, time: int) -> None:
        if time <= self.now:
            return
        top = self.stack[-1] if self.stack else None
        kind, phase = (top.kind, top.phase) if top else (0, 0)
        self.found.pieces.append(Piece(self.now, time, top, kind, phase, self.left))
        self.now = time

    def _visited(self, path: int) -> None:
        self.found.visits[path] = self.found.visits.get(path, 0) + 1

    def _open(self, event: Event) -> None:
        kind, flags = event.op >> 3 & 15, event.op & 7
        frame = Frame(kind, event.path, event.time, self.stack[-1] if self.stack else None)
        at_once = kind == WORK and flags & _SPECIAL
        frame.phases.append((event.time, BODY if at_once else _FIRST.get(kind, 0)))
        frame.resumes = bool(flags & _RESUMES)
        if kind == TASK and event.values:
            frame.task = event.values[0]
        if kind in (FORK, PARALLEL):
            frame.team, frame.forked = event.values[0], event.time
        if kind == PARALLEL:
            frame.forked -= event.values[1]
            self.left = None
        if kind not in (CREATE, FORK) and not frame.resumes:
            self._visited(event.path)
        frame.number = len(self.found.frames)
        self.stack.append(frame)
        self.found.frames.append(frame)

    def _leave(self, event: Event) -> None:
        frame = self.stack.pop()
        frame.end, frame.within = event.time, len(self.found.frames)
        at_once = self.closed is not None and self.closed.end == event.time
        closed = self.closed
        first = self.innermost if at_once and closed and closed.above is frame else None
        cuts = first is not None and first.kind in (CANCEL, BARRIER)
        is_early = frame.kind in (WORK, PARALLEL) and frame.phase in (0, BODY)
        if first is not None and cuts and is_early:
            first.cancelled = frame
        if frame.kind == PARALLEL and not frame.is_master:
            self.left = frame
        if frame.kind == SYNC:
            self.asked[frame.path] = frame.begin
        self.closed = frame
        self.innermost = None if frame.kind == TASK else first if cuts else frame

    def _begin(self, event: Event) -> None:
        frame = self.stack[-1]
        frame.kind, frame.is_master, frame.begin = PARALLEL, True, event.time
        frame.phases.append((event.time, BODY))
        self._visited(frame.path)

    def _joined(self, event: Event) -> None:
        self.found.joined[event.values[0]] = event.time

    def _departed(self, event: Event) -> None:
        if self.left is not None:
            self.left.departed = event.time

    def _waits(self, event: Event) -> None:
        if self.left is not None:
            self.left.waits = event.time

    def _assembled(self, event: Event) -> None:
        self.found.assembled[event.values[0]] = event.time

    def _holds(self, event: Event) -> None:
        lock = "lock", event.values[0]
        requested = self.asked.get(event.path, event.time)
        self.found.locks.append(
            HeldLock(lock, event.path, requested, event.time, None, self.found.number)
        )

    def _releases(self, event: Event) -> None:
        self.found.given_up.append((event.values[0], event.time))

    def _hands_over(self, event: Event) -> None:
        self._visited(event.path)
        self._releases(event)

    def _passes_by(self, event: Event) -> None:
        self._visited(event.path)


_TAKES: dict[int, Callable[[Reader, Event], None]] = {
    1: Reader._leave, 2: Reader._begin, 4: Reader._joined, 6: Reader._departed, 7: Reader._waits,
    8: Reader._assembled, 9: Reader._holds, 10: Reader._holds, 11: Reader._releases,
    12: Reader._hands_over, 13: Reader._passes_by,
}  # fmt: skip
"""Handlers by the number of the operation; operations without a handler do not affect the
results."""
