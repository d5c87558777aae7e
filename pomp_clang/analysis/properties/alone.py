"""The overhead of a thread that is alone: what a construct costs where nothing is waited for."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from operator import attrgetter

from pomp_clang.analysis.properties.model import Property, Seen, lasting
from pomp_clang.openmp.columns import COLUMNS, Others, Overhead, Value, without_tasks

_COSTS: dict[str, Value] = {
    "execT": without_tasks,
    "enterT": attrgetter("enterT"),
    "exitBarT": attrgetter("exitBarT"),
}
"""The cost of a wait, by the name of its column."""


def _holds(others: Others) -> Callable[[Seen], bool]:
    return lambda seen: others <= seen.profile.missing


def _said(seen: Seen) -> str:
    cost = lasting(seen.each_time)
    return f"No other thread is waited for; the construct's synchronisation still takes {cost}."


def _kinds() -> dict[tuple[str, Others], set[str]]:
    """Return the kinds that have a wait, by its column and the threads that are waited for."""
    found: dict[tuple[str, Others], set[str]] = defaultdict(set)
    for kind, columns in COLUMNS.items():
        for column in columns:
            if column.others:
                found[column.name, column.others].add(kind)
    return found


ROWS = tuple(
    Property(
        "OverheadOfOneThread",
        frozenset(kinds),
        Overhead.MGMT,
        _COSTS[name],
        _said,
        "Leave the construct out where there is one thread, or run with more threads.",
        _holds(others),
    )
    for (name, others), kinds in _kinds().items()
)
