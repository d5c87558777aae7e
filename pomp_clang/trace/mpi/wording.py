"""What is said of an event of MPI, for a person."""

from __future__ import annotations

from collections.abc import Sequence

from pomp_clang.trace.mpi.layout import (
    ANYBODY,
    IN_PARTS,
    ITSELF,
    MPI,
    NOBODY,
    TAG_BITS,
    Event,
    Role,
    State,
    amounts,
    role_of,
    state_of,
)

_EVENTS = {
    Event.ENTERS: "enter",
    Event.ENTERS_WITHIN: "enter",
    Event.LEAVES: "leave MPI",
    Event.LEAVES_WITHIN: "leave MPI",
}
_ROLES = {
    Role.SENDS: "send",
    Role.RECEIVES: "receive",
    Role.GATHERS: "collective",
    Role.ACCESSES: "window",
    Role.FILES: "file",
}
_STATES = {
    State.WHOLE: "",
    State.BEGUN: " begun",
    State.COMPLETE: " complete",
    State.CANCELLED: " canceled",
    State.FREED: " freed",
    State.LOST: " freed",
    State.PREPARED: " prepared",
}
_RANKS = {NOBODY: "nobody", ANYBODY: "anybody", ITSELF: "itself"}
_OTHERS = {Role.SENDS: "to", Role.RECEIVES: "from", Role.ACCESSES: "of"}


def name_of(op: int) -> str:
    """An operation of a trace's word in a word or two."""
    role = role_of(op)
    if role is None:
        return _EVENTS[Event(op - MPI)]
    return _ROLES[role] + _STATES[state_of(op)]


def about(op: int, values: Sequence[int], functions: Sequence[str]) -> str:
    """What its values say; ranks are those of the communicator."""
    role = role_of(op)
    if role is None:
        number = values[0] if values else -1
        known = 0 <= number < len(functions)
        return (functions[number] if known else f"function {number}") if values else ""
    state = state_of(op)
    group, tag = values[0] >> TAG_BITS, _signed(values[0])
    words = [*_peer(role, _signed(values[1]), tag)]
    words += [f"parts {group}"] if values[1] >> TAG_BITS & IN_PARTS else _group(role, group)
    if told := values[2 : 2 + amounts(role, state)]:
        words += _bytes(role, told)
    if state != State.WHOLE:
        words.append(f"request {values[-1]:#x}")
    return " ".join(words)


def _signed(value: int) -> int:
    low = value & (1 << TAG_BITS) - 1
    return low - (low >> (TAG_BITS - 1) << TAG_BITS)


def _peer(role: Role, rank: int, tag: int) -> list[str]:
    if role == Role.GATHERS:
        return [] if tag == NOBODY else [f"root {_RANKS.get(tag, tag)}"]
    if role not in _OTHERS or (role == Role.ACCESSES and rank == NOBODY):
        return []
    words = [f"{_OTHERS[role]} {_RANKS.get(rank, rank)}"]
    return words if role == Role.ACCESSES else [*words, f"tag {_RANKS.get(tag, tag)}"]


def _group(role: Role, group: int) -> list[str]:
    if role == Role.FILES:
        return []
    return [f"{'window' if role == Role.ACCESSES else 'communicator'} {group}"]


def _bytes(role: Role, told: Sequence[int]) -> list[str]:
    if role in (Role.SENDS, Role.RECEIVES):
        return [f"{told[0]} bytes"]
    return [f"{told[0]} bytes out", f"{told[1]} in"]
