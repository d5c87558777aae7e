"""The part of a thread's intervals that lies between two moments."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator

from tests.causes.reference.states import Stretch


def during(stretches: list[Stretch], begin: int, end: int) -> Iterator[tuple[Stretch, int]]:
    """Yield the intervals between both moments, in order, with the number of ticks of each
    there."""
    at = bisect_right(stretches, begin, key=lambda each: each.end)
    while at < len(stretches) and stretches[at].begin < end:
        each = stretches[at]
        yield each, min(each.end, end) - max(each.begin, begin)
        at += 1
