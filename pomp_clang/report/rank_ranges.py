"""Ranks of processes as short lists of ranges."""

from __future__ import annotations

from collections.abc import Iterable

_MOST = 8
"""The number of ranges that are written out."""


def ranks_text(ranks: Iterable[int], limit: int = _MOST) -> str:
    """Write ranks as "0-3, 7, 12-299"; of many ranges the first, and the number of remaining
    ranks."""
    ranges: list[list[int]] = []
    for rank in sorted(ranks):
        if ranges and ranges[-1][1] == rank - 1:
            ranges[-1][1] = rank
        else:
            ranges.append([rank, rank])
    texts = [_range(first, last) for first, last in ranges[:limit]]
    rest = sum(last - first + 1 for first, last in ranges[limit:])
    return ", ".join([*texts, *([f"{rest} more"] if rest else [])])


def _range(first: int, last: int) -> str:
    if first == last:
        return str(first)
    return f"{first}, {last}" if last == first + 1 else f"{first}-{last}"
