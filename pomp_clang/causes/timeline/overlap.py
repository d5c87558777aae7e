"""Overlaps of two rows of intervals."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pomp_clang.trace.model import Ints


@dataclass(frozen=True, slots=True)
class Overlaps:
    """A row for each pair of intervals that overlap, from `begin` to `end`; `one` and `other` are
    the rows of the two."""

    one: Ints
    other: Ints
    begin: Ints
    end: Ints


def overlaps(one: tuple[Ints, Ints], other: tuple[Ints, Ints]) -> Overlaps:
    """Return the overlaps of two rows of intervals, given as begins and ends; each row is disjoint
    and in order."""
    first = np.searchsorted(other[1], one[0], "right")
    last = np.searchsorted(other[0], one[1], "left")
    count = np.maximum(0, last - first)
    own_row = np.repeat(np.arange(len(count)), count)
    other_row = (
        np.arange(len(own_row)) - np.repeat(np.cumsum(count) - count, count) + first[own_row]
    )
    begin = np.maximum(one[0][own_row], other[0][other_row])
    end = np.minimum(one[1][own_row], other[1][other_row])
    nonempty = begin < end
    return Overlaps(own_row[nonempty], other_row[nonempty], begin[nonempty], end[nonempty])
