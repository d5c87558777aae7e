"""Relocation: the lines of places and messages after a text was edited."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from difflib import SequenceMatcher
from itertools import takewhile

from pomp_clang.lsp.place import SourcePlace


def relocate(places: Sequence[SourcePlace], old: str, new: str) -> tuple[SourcePlace, ...]:
    """Move places to their lines in the new text; drop those whose first line is gone."""
    if old == new:
        return tuple(places)
    numbers = line_numbers(old, new)
    return tuple(
        _at_line(place, numbers[place.first]) for place in places if place.first in numbers
    )


def _at_line(place: SourcePlace, first: int) -> SourcePlace:
    distance = first - place.first
    return replace(place, first=first, head=place.head + distance, last=place.last + distance)


def line_numbers(before: str, after: str) -> dict[int, int]:
    """Return the new number, from 0, of each line that both texts have in the same order.

    Most edits change one stretch of lines. So lines that agree from the beginning and from the end
    are paired first, and difflib pairs the lines between them.
    """
    old, new = before.split("\n"), after.split("\n")
    head = _equal_lines(old, new)
    tail = _equal_lines(old[head:][::-1], new[head:][::-1])
    numbers = {line: line for line in range(head)}
    numbers |= {len(old) - 1 - line: len(new) - 1 - line for line in range(tail)}
    matcher = SequenceMatcher(None, old[head : len(old) - tail], new[head : len(new) - tail])
    for first, start, size in matcher.get_matching_blocks():
        numbers |= {head + first + line: head + start + line for line in range(size)}
    return numbers


def _equal_lines(first: Sequence[str], other: Sequence[str]) -> int:
    """Return the number of equal lines at the beginning."""
    pairs = zip(first, other, strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
