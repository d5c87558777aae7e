"""What a trace has of MPI: runtime/mpi/events.h in Python."""

from __future__ import annotations

from collections.abc import Iterator
from enum import IntEnum

MPI = 0x50
"""The operation of event 0."""


class Event(IntEnum):
    ENTERS = 0
    ENTERS_WITHIN = 1
    LEAVES = 2
    LEAVES_WITHIN = 3
    OPERATION = 8


class Role(IntEnum):
    SENDS = 0
    RECEIVES = 1
    GATHERS = 2
    ACCESSES = 3
    FILES = 4


class State(IntEnum):
    WHOLE = 0
    BEGUN = 1
    COMPLETE = 2
    CANCELLED = 3
    FREED = 4
    LOST = 5
    PREPARED = 6


STATES = 8
"""Of a role, numbers that there are for them."""

COUNTED = (State.WHOLE, State.COMPLETE, State.FREED)
"""What the profile has booked."""

NOBODY, ANYBODY, ITSELF = -1, -2, -3
"""Ranks that are none, and tags."""

WORLD, SELF = 1, 2
"""Groups that are there from the beginning."""

TAG_BITS = 32
RECEIVES_SHIFT, COLLECTIVES_SHIFT = 8, 16
IN_PARTS = 1 << 23


def operation(role: int, state: int) -> int:
    """The operation of a trace's word."""
    return MPI + Event.OPERATION + role * STATES + state


def is_mpi(op: int) -> bool:
    return MPI <= op < operation(len(Role), 0)


def role_of(op: int) -> Role | None:
    """None of an enter or a leave."""
    return Role((op - operation(0, 0)) // STATES) if op >= operation(0, 0) else None


def state_of(op: int) -> State:
    return State((op - operation(0, 0)) % STATES)


def amounts(role: int, state: int) -> int:
    """How many numbers of bytes it tells: out, in or both."""
    if state == State.PREPARED or (state == State.BEGUN and role != Role.SENDS):
        return 0
    return 1 if role in (Role.SENDS, Role.RECEIVES) else 2


def values() -> Iterator[tuple[int, int]]:
    """Every operation of a word, and how many values it has."""
    for event in (Event.ENTERS, Event.ENTERS_WITHIN):
        yield MPI + event, 1
    for event in (Event.LEAVES, Event.LEAVES_WITHIN):
        yield MPI + event, 0
    for role in Role:
        for state in State:
            yield operation(role, state), 2 + amounts(role, state) + (state != State.WHOLE)
