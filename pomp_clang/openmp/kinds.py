"""Groups of kinds of construct that more than one phase asks for."""

from __future__ import annotations

TASKLOOPS = tuple(
    before + loop for before in ("", "master ", "masked ") for loop in ("taskloop", "taskloop simd")
)
"""The constructs that a thread enters to make a taskloop's tasks, and to wait for them."""


def is_parallel(kind: str) -> bool:
    """Return True if a construct of this kind opens a team of threads of its own."""
    return kind.split(maxsplit=1)[:1] == ["parallel"]


def is_target(kind: str) -> bool:
    """Return True if a thread that meets a construct of this kind leaves work to a device."""
    return kind.split(maxsplit=1)[:1] == ["target"]


_DATA_OF_TARGETS = frozenset(
    ("target data", "target enter data", "target exit data", "target update")
)


def has_kernel(kind: str) -> bool:
    """Return True if a target construct of this kind launches a kernel."""
    return is_target(kind) and kind not in _DATA_OF_TARGETS


def atomic_access(kind: str, clauses: str) -> str:
    """Return "read" or "write" if an atomic construct does only that; "" if it updates.

    >>> atomic_access("atomic", "seq_cst read")
    'read'
    """
    clause_names = clauses.split() if kind == "atomic" else []
    return next((word for word in clause_names if word in ("read", "write")), "")
