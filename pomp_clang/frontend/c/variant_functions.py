"""Functions that are defined for a context of their own (OpenMP 5.2, section 7.5)."""

from __future__ import annotations

import re
from bisect import bisect_left
from functools import lru_cache
from itertools import accumulate

_REGION = re.compile(
    r"^[ \t]*(?:#|%:)[ \t]*pragma[ \t]+omp[ \t]+(begin|end)[ \t]+declare[ \t]+variant\b", re.M
)


def stands_in_variant(text: str, offset: int) -> bool:
    """Return True if `offset` is between a begin declare variant and its end.

    A function that is defined there is not the one of the same name outside.
    """
    starts, depths = _regions(text)
    at = bisect_left(starts, offset)
    return at > 0 and depths[at - 1] > 0


@lru_cache(maxsize=2)
def _regions(text: str) -> tuple[list[int], list[int]]:
    """Return the offsets of these directives, and how many regions are open behind each."""
    matches = list(_REGION.finditer(text))
    steps = (1 if match.group(1) == "begin" else -1 for match in matches)
    return [match.start() for match in matches], list(accumulate(steps))
