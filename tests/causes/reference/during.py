"""The part of a thread's intervals that lies between two moments."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator

from tests.causes.reference.states import StateInterval


def during(
    stretches: list[StateInterval], begin: int, end: int
) -> Iterator[tuple[StateInterval, int]]:
    """Yield the intervals between both moments, in order, with the number of ticks of each
    there."""
    at = bisect_right(stretches, begin, key=lambda interval: interval.end)
    while at < len(stretches) and stretches[at].begin < end:
        interval = stretches[at]
        yield interval, min(interval.end, end) - max(interval.begin, begin)
        at += 1
