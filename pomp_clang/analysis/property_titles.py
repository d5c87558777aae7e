"""Titles of a trace's properties: at a construct, and in the tree of properties.

A tree has no constructs. Its titles are those that findings of the property have, or say what these
have in common.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pomp_clang.analysis import property_texts
from pomp_clang.analysis.property_row import PropertyText
from pomp_clang.analysis.property_texts import TABLE

_TRACE_TITLES = {
    "Fork": "Cost of starting teams",
    "Join": "Cost of ending teams",
    "Wait for Tasks": "Wait for tasks at a barrier",
    "Failed Attempts": "Failed attempts to set a lock",
    "Overhead": "Cost of the measurement",
}
"""Titles of properties that only a trace separates, by their name."""

_TREE_TITLES: Mapping[str, str] = {
    "Synchronization/Barrier": "Barriers",
    "Barrier/Explicit": "Barrier directives",
    "Barrier/Implicit": "Barriers at the end of constructs",
    "Explicit/Wait at Barrier": property_texts.WAIT_AT_BARRIER.title,
    "Implicit/Wait at Barrier": "Wait at the end of a construct",
    "Synchronization/Critical": "Critical sections",
    "Synchronization/Lock API": "Locks",
    "Critical/Contention": property_texts.CRITICAL_CONTENTION.title,
    "Lock API/Contention": property_texts.LOCK_CONTENTION.title,
    "Time/Idle Beside Other Teams": "Idle threads beside other teams",
}
"""Titles of groups, and of properties with several titles, by the names of parent and property."""

_AMBIGUOUS = frozenset(
    ("Wait at Barrier", "Messages in Wrong Order", "Individual", "Collective", "Barrier Completion")
)
"""Names of MPI properties that need their parent's name."""


def of_trace(names: Sequence[str], kind: str) -> PropertyText | None:
    """Return the row of a trace's property at a construct; None if there is none, as for MPI.

    `names` is the path in the tree of properties, and `kind` the directive in words.
    """
    if "MPI" in names:
        return None
    rows = [row for row in TABLE if names[-1] in row.trace_names]
    matching = [row for row in rows if kind in row.kinds or not row.kinds]
    # A trace finds the wait at the canceled construct, a profile at the directive.
    return next(iter(matching), rows[0] if len({row.title for row in rows}) == 1 else None)


def trace_title(names: Sequence[str], kind: str) -> str:
    """Return the title of a trace's property at a construct; the name if it has no other title."""
    if (title := _TRACE_TITLES.get(names[-1])) and "MPI" not in names:
        return title
    if row := of_trace(names, kind):
        return row.title
    if names[-1] in _AMBIGUOUS and len(names) > 1:
        return f"{names[-1]} ({names[-2]})"
    return names[-1]


def tree_title(names: Sequence[str]) -> str:
    """Return the title of a property in the tree; the name if it has no other title, as for MPI."""
    if "MPI" in names:
        return names[-1]
    if title := _TREE_TITLES.get("/".join(names[-2:]), _TRACE_TITLES.get(names[-1])):
        return title
    row = of_trace(names, "")
    return row.title if row else names[-1]
