"""Places of a text that has been edited since: where their lines are by now."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from difflib import SequenceMatcher

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
    shorter = min(len(old), len(new))
    start = next((i for i in range(shorter) if old[i] != new[i]), shorter)
    left = shorter - start
    end = next((i for i in range(left) if old[-1 - i] != new[-1 - i]), left)
    found = {line: line for line in range(start)}
    found |= {len(old) - 1 - i: len(new) - 1 - i for i in range(end)}
    between = SequenceMatcher(
        None, old[start : len(old) - end], new[start : len(new) - end], autojunk=False
    )
    for block in between.get_matching_blocks():
        found |= {start + block.a + i: start + block.b + i for i in range(block.size)}
    return found
