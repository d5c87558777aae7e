"""The MPI part of a trace: runtime/mpi/events.h in Python."""

from __future__ import annotations

from collections.abc import Iterator
from enum import IntEnum

MPI = 0x50
"""The operation of event 0."""


class CallEvent(IntEnum):
    ENTERS = 0
    ENTERS_WITHIN = 1
    LEAVES = 2
    LEAVES_WITHIN = 3
    OPERATION = 8


class OperationRole(IntEnum):
    SENDS = 0
    RECEIVES = 1
    GATHERS = 2
    ACCESSES = 3
    FILES = 4


class OperationState(IntEnum):
    WHOLE = 0
    BEGUN = 1
    COMPLETE = 2
    CANCELLED = 3
    FREED = 4
    LOST = 5
    PREPARED = 6


STATES = 8
"""The room for states of a role."""

COUNTED = (OperationState.WHOLE, OperationState.COMPLETE, OperationState.FREED)
"""The states of operations that the profile has booked."""

NOBODY, ANYBODY, ITSELF = -1, -2, -3
"""Special ranks and tags."""

WORLD, SELF = 1, 2
"""The groups of MPI_COMM_WORLD and MPI_COMM_SELF."""

SITE_SHIFT = 16
"""Where the number of the call site begins in the value of an enter, above the function's."""
TAG_BITS = 32
RECEIVES_SHIFT, COLLECTIVES_SHIFT = 8, 16
IN_PARTS = 1 << 23


def operation(role: int, state: int) -> int:
    """Return the operation of a word for an MPI operation."""
    return MPI + CallEvent.OPERATION + role * STATES + state


MPI_END = operation(len(OperationRole), 0)
"""The first operation behind those of MPI."""


def is_mpi(op: int) -> bool:
    return MPI <= op < MPI_END


def role_of(op: int) -> OperationRole | None:
    """Return the role of an operation, None for an enter or a leave."""
    return OperationRole((op - operation(0, 0)) // STATES) if op >= operation(0, 0) else None


def state_of(op: int) -> OperationState:
    return OperationState((op - operation(0, 0)) % STATES)


def amounts(role: int, state: int) -> int:
    """Return how many byte counts an operation records: none, one, or out and in."""
    if state == OperationState.PREPARED or (
        state == OperationState.BEGUN and role != OperationRole.SENDS
    ):
        return 0
    return 1 if role in (OperationRole.SENDS, OperationRole.RECEIVES) else 2


def values() -> Iterator[tuple[int, int]]:
    """Yield every MPI operation of a word with its number of values."""
    for event in (CallEvent.ENTERS, CallEvent.ENTERS_WITHIN):
        yield MPI + event, 1
    for event in (CallEvent.LEAVES, CallEvent.LEAVES_WITHIN):
        yield MPI + event, 0
    for role in OperationRole:
        for state in OperationState:
            yield operation(role, state), 2 + amounts(role, state) + (state != OperationState.WHOLE)
