"""What became of the causes from one run to another."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pomp_clang.causes.algebra import aligned
from pomp_clang.causes.cube import Cube
from pomp_clang.causes.findings import own_of
from pomp_clang.causes.tally import Statistics

_NOTHING = 0.001
"""Of the longer run's duration: what changed less is left out."""


@dataclass(frozen=True, slots=True)
class Change:
    """A cause at a call path: seconds of all threads in either run, without those of its parts
    that are causes themselves; its instances, those of all its parts among them, where they are
    known and there are any."""

    metric: int
    path: int
    before: float
    after: float
    then: Statistics | None = None
    now: Statistics | None = None

    @property
    def delta(self) -> float:
        return self.after - self.before


@dataclass(frozen=True, slots=True)
class Changes:
    """`before` and `after` have the same rows; `then` and `now` are how many threads either
    had.  What changed most comes first."""

    before: Cube
    after: Cube
    then: int
    now: int
    found: tuple[Change, ...]

    @property
    def total(self) -> float:
        return sum(each.delta for each in self.found)


def changes_of(before: Cube, after: Cube) -> Changes:
    """Call paths are the same where their places are; what changed by less than a thousandth of
    the longer duration is left out."""
    first, second = aligned(before, after)
    least = _NOTHING * max(before.duration, after.duration)
    found = []
    for (metric, was), (_, own) in zip(own_of(first), own_of(second), strict=True):
        if second.metrics[metric].unit != "s":
            continue
        sums = was.sum(axis=1), own.sum(axis=1)
        for path in np.flatnonzero(np.abs(sums[1] - sums[0]) >= least):
            a, b = (float(each[path]) for each in sums)
            then, now = (each.statistics(metric, int(path)) for each in (first, second))
            found.append(Change(metric, int(path), a, b, then, now))
    found.sort(key=lambda each: (-abs(each.delta), each.metric, each.path))
    return Changes(first, second, len(before.threads), len(after.threads), tuple(found))
