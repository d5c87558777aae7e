"""The overhead of a thread that is alone: what a construct costs where nothing is waited for."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from operator import attrgetter

from pomp_clang.analysis.properties.imbalance import is_told
from pomp_clang.analysis.properties.model import Property, Seen, lasting
from pomp_clang.openmp.columns import COLUMNS, Others, Overhead, Value


def _holds(others: Others) -> Callable[[Seen], bool]:
    return lambda seen: others <= seen.profile.missing and is_told(seen)


def _said(seen: Seen) -> str:
    cost = lasting(seen.each_time)
    return f"No other thread is waited for; the construct's synchronization still takes {cost}."


_Wait = tuple[str, Others, Value | None]
"""A column of waiting: its name, the threads that are waited for, and what of it is the wait."""


def _kinds() -> dict[_Wait, set[str]]:
    """Return the kinds that have a wait, by its column."""
    found: dict[_Wait, set[str]] = defaultdict(set)
    for kind, columns in COLUMNS.items():
        for column in columns:
            if column.others:
                found[column.name, column.others, column.cost].add(kind)
    return found


ROWS = tuple(
    Property(
        "OverheadOfOneThread",
        frozenset(kinds),
        Overhead.MGMT,
        cost or attrgetter(name),
        _said,
        "Leave the construct out where there is one thread, or run with more threads.",
        _holds(others),
    )
    for (name, others, cost), kinds in _kinds().items()
)
