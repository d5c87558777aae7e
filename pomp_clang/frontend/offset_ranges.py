"""Extents in a text that are found by an offset without a search through all of them."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator
from itertools import accumulate, pairwise


class OffsetRanges:
    """Extents (start, end), which may overlap, numbered in the order given.

    A query takes the time of a binary search, and of the extents that hold the offset.
    """

    __slots__ = (
        "_by_end", "_by_start", "_disjoint", "_ends", "_furthest", "_in_order", "_last", "_starts",
    )  # fmt: skip

    def __init__(self, extents: Iterable[tuple[int, int]]) -> None:
        ordered = list(extents)
        numbers = range(len(ordered))
        self._in_order = all(one[0] <= other[0] for one, other in pairwise(ordered))
        self._by_start = numbers if self._in_order else sorted(numbers, key=lambda n: ordered[n][0])
        self._starts = [ordered[number][0] for number in self._by_start]
        self._ends = [ordered[number][1] for number in self._by_start]
        self._furthest = list(accumulate(self._ends, max))
        self._disjoint: bool | None = None
        # Among extents that end together, the first given is the last here.
        self._by_end = sorted(numbers, key=lambda n: (ordered[n][1], -n))
        self._last = [ordered[number][1] for number in self._by_end]

    @property
    def is_disjoint(self) -> bool:
        """True if no two of them overlap."""
        if self._disjoint is None:
            neighbors = zip(self._furthest, self._starts[1:], strict=False)
            self._disjoint = all(end <= start for end, start in neighbors)
        return self._disjoint

    def first_around(self, offset: int) -> int | None:
        """Return the first given range that begins before the offset and ends behind it."""
        limit = bisect_left(self._starts, offset)
        if self._in_order:
            # The first to take the furthest end beyond the offset is itself what ends there.
            at = bisect_right(self._furthest, offset, 0, limit)
            return at if at < limit else None
        return min(self._back(limit, offset), default=None)

    def around(self, offset: int) -> list[int]:
        """Return the ranges that begin before the offset and end behind it, in the order given."""
        return sorted(self._back(bisect_left(self._starts, offset), offset))

    def holding(self, offset: int) -> list[int]:
        """Return the ranges that contain the character at the offset, in the order given."""
        return sorted(self._back(bisect_right(self._starts, offset), offset))

    def ended(self, offset: int) -> int | None:
        """Return the last to end at the offset or before it; of several the first given."""
        at = bisect_right(self._last, offset)
        return self._by_end[at - 1] if at else None

    def beginning(self, offset: int) -> Iterator[int]:
        """Yield the ranges that begin at the offset or behind it, in the order of their starts."""
        for at in range(bisect_left(self._starts, offset), len(self._starts)):
            yield self._by_start[at]

    def depth(self, offset: int) -> int:
        """Return how many hold the character at the offset."""
        return bisect_right(self._starts, offset) - bisect_right(self._last, offset)

    def _back(self, limit: int, offset: int) -> Iterator[int]:
        for at in range(limit - 1, -1, -1):
            if self._furthest[at] <= offset:
                break
            if self._ends[at] > offset:
                yield self._by_start[at]
