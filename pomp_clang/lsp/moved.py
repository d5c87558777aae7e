"""Places of a text that has been edited since: where their lines are by now."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from pomp_clang.lsp.place import Place


def moved(places: Sequence[Place], old: str, new: str) -> tuple[Place, ...]:
    """The places whose first line is still there."""
    if old == new:
        return tuple(places)
    now = lines(old, new)
    return tuple(_moved(place, now[place.first]) for place in places if place.first in now)


def _moved(place: Place, first: int) -> Place:
    by = first - place.first
    return replace(place, first=first, head=place.head + by, last=place.last + by)


def lines(before: str, after: str) -> dict[int, int]:
    """The number that each line has by now, from 0, of those that are alike."""
    old, new = before.split("\n"), after.split("\n")
    found: dict[int, int] = {}
    gaps = [(0, len(old), 0, len(new))]
    while gaps:
        first, last, start, end = gaps.pop()
        while first < last and start < end and old[first] == new[start]:
            found[first] = start
            first, start = first + 1, start + 1
        while first < last and start < end and old[last - 1] == new[end - 1]:
            last, end = last - 1, end - 1
            found[last] = end
        ends = [(first - 1, start - 1), *_anchors(old[first:last], new[start:end]), (last, end)]
        if len(ends) > 2:
            ends[1:-1] = [(first + i, start + j) for i, j in ends[1:-1]]
            found.update(ends[1:-1])
            gaps += [(a + 1, c, b + 1, d) for (a, b), (c, d) in pairwise(ends)]
    return found


def _anchors(old: Sequence[str], new: Sequence[str]) -> list[tuple[int, int]]:
    """Lines that both have equally often, the first with the first and so on, as many as stand
    in the same order: found in little more time than the texts are read in."""
    where: dict[str, list[int]] = defaultdict(list)
    for number, line in enumerate(new):
        where[line].append(number)
    often = Counter(old)
    met: Counter[str] = Counter()
    pairs = []
    for number, line in enumerate(old):
        if often[line] == len(where.get(line, ())):
            pairs.append((number, where[line][met[line]]))
            met[line] += 1
    return _rising(pairs)


def _rising(pairs: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """The most of the pairs whose second numbers rise with the first."""
    lowest: list[int] = []
    ends: list[int] = []
    before: list[int] = []
    for number, (_, now) in enumerate(pairs):
        length = bisect_left(lowest, now)
        before.append(ends[length - 1] if length else -1)
        lowest[length : length + 1] = [now]
        ends[length : length + 1] = [number]
    chosen = []
    at = ends[-1] if ends else -1
    while at >= 0:
        chosen.append(pairs[at])
        at = before[at]
    return chosen[::-1]
