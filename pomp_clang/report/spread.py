"""The spread of many threads or processes, which stands for a row of each."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from statistics import fmean, median


def spread_rows(rows: Iterable[Sequence[float]]) -> list[tuple[str, tuple[float, ...]]]:
    """Return a labeled row each of the least, median, mean and largest value of every column."""
    columns = tuple(zip(*rows, strict=True))
    return [
        ("min", tuple(map(min, columns))),
        ("median", tuple(map(median, columns))),
        ("mean", tuple(map(fmean, columns))),
        ("max", tuple(map(max, columns))),
    ]
