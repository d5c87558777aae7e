"""Which region of one experiment is which of another, though lines have moved between them.

Regions that agree in what does not move (file, kind, name, function) are paired in the
order of the text, those first that agree in most; what is left may be in a function or a
file of another name.  A pair never crosses another of the same group.
"""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence

from pomp_clang.experiment.model import Region

_LARGE = 1_000_000
"""Pairs of a group up to which the best order-keeping choice is looked for."""

_Key = Callable[[Region], tuple[str, ...]]

_KEYS: tuple[_Key, ...] = (
    lambda r: (r.file, r.kind, r.sub_name, r.function),
    lambda r: (r.file, r.kind, r.sub_name),
    lambda r: (os.path.basename(r.file), r.kind, r.sub_name, r.function),
)

Pairs = list[tuple[Region | None, Region | None]]


def match(a: Iterable[Region], b: Iterable[Region]) -> Pairs:
    """Every region of both exactly once: in a pair, or alone with None."""
    left, right = sorted(a, key=_order), sorted(b, key=_order)
    pairs: Pairs = []
    for key in _KEYS:
        found = _by_key(key, left, right)
        pairs += found
        gone = {one.id for one, _ in found}, {other.id for _, other in found}
        left = [region for region in left if region.id not in gone[0]]
        right = [region for region in right if region.id not in gone[1]]
    return [*pairs, *((one, None) for one in left), *((None, other) for other in right)]


def _order(region: Region) -> tuple[str, int, int, str]:
    return region.file, region.begin_line1, region.begin_column, region.id


def _by_key(
    key: _Key, left: Sequence[Region], right: Sequence[Region]
) -> list[tuple[Region, Region]]:
    groups: dict[tuple[str, ...], tuple[list[Region], list[Region]]] = defaultdict(lambda: ([], []))
    for side, regions in enumerate((left, right)):
        for region in regions:
            groups[key(region)][side].append(region)
    return [pair for one, other in groups.values() for pair in _aligned(one, other)]


def _likeness(one: Region, other: Region) -> int:
    """More than nothing for any two; lines count least."""
    return (
        8
        + 4 * (one.clauses == other.clauses)
        + 2 * (one.end_lineN - one.begin_line1 == other.end_lineN - other.begin_line1)
        + (one.begin_line1 == other.begin_line1)
    )


def _aligned(left: list[Region], right: list[Region]) -> list[tuple[Region, Region]]:
    """The pairs, in order, whose likeness adds up to the most."""
    if not left or not right or len(left) * len(right) > _LARGE:
        return list(zip(left, right, strict=False))
    best = [[0] * (len(right) + 1) for _ in range(len(left) + 1)]
    for i in reversed(range(len(left))):
        for j in reversed(range(len(right))):
            paired = _likeness(left[i], right[j]) + best[i + 1][j + 1]
            best[i][j] = max(paired, best[i + 1][j], best[i][j + 1])
    pairs = []
    i = j = 0
    while i < len(left) and j < len(right):
        if best[i][j] == _likeness(left[i], right[j]) + best[i + 1][j + 1]:
            pairs.append((left[i], right[j]))
            i, j = i + 1, j + 1
        elif best[i][j] == best[i + 1][j]:
            i += 1
        else:
            j += 1
    return pairs
