"""Short forms for many processes or threads: ranks as ranges, and the spread of their values, which
stands for a row of each."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from statistics import fmean, median

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


def spread_rows(rows: Iterable[Sequence[float]]) -> list[tuple[str, tuple[float, ...]]]:
    """Return a labeled row each of the least, median, mean and largest value of every column."""
    columns = tuple(zip(*rows, strict=True))
    return [
        ("min", tuple(map(min, columns))),
        ("median", tuple(map(median, columns))),
        ("mean", tuple(map(fmean, columns))),
        ("max", tuple(map(max, columns))),
    ]
