"""Overhead of a single thread: a construct costs time although no thread waits."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from dataclasses import replace
from operator import attrgetter

from pomp_clang.analysis import property_texts
from pomp_clang.analysis.columns import COLUMNS, Others, Overhead, Value
from pomp_clang.analysis.properties.imbalance import is_wait_known
from pomp_clang.analysis.properties.profile_property import (
    ProfileProperty,
    PropertyEvidence,
    lasting,
)

_Wait = tuple[str, Others, Value | None]
"""A column of waiting: its name, the threads that are waited for, and
the part of the column that is the wait."""


def _is_single_threaded(others: Others) -> Callable[[PropertyEvidence], bool]:
    return lambda evidence: others <= evidence.profile.missing and is_wait_known(evidence)


def _sentence(evidence: PropertyEvidence) -> str:
    cost = lasting(evidence.each_time)
    return f"No other thread is waited for; the construct's synchronization still takes {cost}."


def _kinds_by_wait() -> dict[_Wait, set[str]]:
    """Return the kinds of constructs that have a wait, by its column."""
    kinds: dict[_Wait, set[str]] = defaultdict(set)
    for kind, columns in COLUMNS.items():
        for column in columns:
            if column.others:
                kinds[column.name, column.others, column.cost].add(kind)
    return kinds


ROWS = tuple(
    ProfileProperty(
        replace(property_texts.OVERHEAD_OF_ONE_THREAD, kinds=frozenset(kinds)),
        Overhead.MGMT,
        cost or attrgetter(name),
        _sentence,
        _is_single_threaded(others),
    )
    for (name, others, cost), kinds in _kinds_by_wait().items()
)
