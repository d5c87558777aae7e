"""Words for an MPI event, as `pomp-clang trace` prints them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pomp_clang.trace.mpi.layout import (
    ANYBODY,
    IN_PARTS,
    ITSELF,
    MPI,
    NOBODY,
    SITE_SHIFT,
    TAG_BITS,
    CallEvent,
    OperationRole,
    OperationState,
    amounts,
    role_of,
    state_of,
)

_EVENTS = {
    CallEvent.ENTERS: "enter",
    CallEvent.ENTERS_WITHIN: "enter",
    CallEvent.LEAVES: "leave MPI",
    CallEvent.LEAVES_WITHIN: "leave MPI",
}
_ROLES = {
    OperationRole.SENDS: "send",
    OperationRole.RECEIVES: "receive",
    OperationRole.GATHERS: "collective",
    OperationRole.ACCESSES: "window",
    OperationRole.FILES: "file",
}
_STATES = {
    OperationState.WHOLE: "",
    OperationState.BEGUN: " begun",
    OperationState.COMPLETE: " complete",
    OperationState.CANCELLED: " canceled",
    OperationState.FREED: " freed",
    OperationState.LOST: " freed",
    OperationState.PREPARED: " prepared",
}
_RANKS = {NOBODY: "nobody", ANYBODY: "anybody", ITSELF: "itself"}
_OTHERS = {OperationRole.SENDS: "to", OperationRole.RECEIVES: "from", OperationRole.ACCESSES: "of"}


def name_of(op: int) -> str:
    """Return an operation's name, a word or two."""
    role = role_of(op)
    if role is None:
        return _EVENTS[CallEvent(op - MPI)]
    return _ROLES[role] + _STATES[state_of(op)]


def about(
    op: int, values: Sequence[int], functions: Sequence[str], sites: Mapping[int, str]
) -> str:
    """Describe an operation's values; ranks are those of the communicator.

    `sites` has the place of a call, by the value of its enter.
    """
    role = role_of(op)
    if role is None:
        number = values[0] & ((1 << SITE_SHIFT) - 1) if values else -1
        if not values:
            return ""
        name = functions[number] if 0 <= number < len(functions) else f"function {number}"
        return f"{name} {sites.get(values[0], '')}".rstrip()
    state = state_of(op)
    group, tag = values[0] >> TAG_BITS, _signed(values[0])
    phrases = [*_peer(role, _signed(values[1]), tag)]
    phrases += [f"parts {group}"] if values[1] >> TAG_BITS & IN_PARTS else _group(role, group)
    if amounts_ := values[2 : 2 + amounts(role, state)]:
        phrases += _bytes(role, amounts_)
    if state != OperationState.WHOLE:
        phrases.append(f"request {values[-1]:#x}")
    return " ".join(phrases)


def _signed(value: int) -> int:
    low = value & (1 << TAG_BITS) - 1
    return low - (low >> (TAG_BITS - 1) << TAG_BITS)


def _peer(role: OperationRole, rank: int, tag: int) -> list[str]:
    if role == OperationRole.GATHERS:
        return [] if tag == NOBODY else [f"root {_RANKS.get(tag, tag)}"]
    if role not in _OTHERS or (role == OperationRole.ACCESSES and rank == NOBODY):
        return []
    phrases = [f"{_OTHERS[role]} {_RANKS.get(rank, rank)}"]
    return phrases if role == OperationRole.ACCESSES else [*phrases, f"tag {_RANKS.get(tag, tag)}"]


def _group(role: OperationRole, group: int) -> list[str]:
    if role == OperationRole.FILES:
        return []
    return [f"{'window' if role == OperationRole.ACCESSES else 'communicator'} {group}"]


def _bytes(role: OperationRole, amounts_: Sequence[int]) -> list[str]:
    if role in (OperationRole.SENDS, OperationRole.RECEIVES):
        return [f"{amounts_[0]} bytes"]
    return [f"{amounts_[0]} bytes out", f"{amounts_[1]} in"]
