"""Attempts to get a lock that are repeated: the thread waits from the first of them on."""

from __future__ import annotations

from itertools import pairwise

from tests.causes.reference.frames import ENTER, SYNC, Frame, HeldLock, Location, Piece
from tests.causes.reference.program import Program

_SOON = 0.01
"""Seconds between two attempts."""


def repeated(location: Location, program: Program) -> None:
    """Change the location's pieces, and when it asked for the locks that it got."""
    rows: list[list[Frame]] = []
    for frame in location.frames:
        if frame.kind != SYNC or program.kind(frame.path) != "lock":
            continue
        if rows and _is_repeated(rows[-1], frame, location, program):
            rows[-1].append(frame)
        else:
            rows.append([frame])
    for row in rows:
        acquired = _acquired_lock(row[-1], location)
        if acquired is not None:
            acquired.requested = row[0].begin
        for frame in row:
            frame.in_vain = acquired is None
        for before, after in pairwise(row):
            for piece in _between(before, after, location):
                piece.frame, piece.kind, piece.phase = before, SYNC, ENTER


def _is_repeated(row: list[Frame], after: Frame, location: Location, program: Program) -> bool:
    before = row[-1]
    if before.path != after.path or before.end is None or _acquired_lock(before, location):
        return False
    patience = max(int(_SOON * program.second), before.end - row[0].begin)
    soon = after.begin - before.end <= patience
    return soon and len(_between(before, after, location)) <= 1


def _acquired_lock(frame: Frame, location: Location) -> HeldLock | None:
    result = [lock for lock in location.locks if frame.begin <= lock.acquired == frame.end]
    return result[0] if result else None


def _between(before: Frame, after: Frame, location: Location) -> list[Piece]:
    assert before.end is not None
    return [p for p in location.pieces if before.end <= p.begin and p.end <= after.begin]
