"""Change points: the values of a series from which on it has another level, beyond its noise.

A series is split where the exact rank-sum test is certain that the values from there on differ from
those before: noise alone makes such a split in at most one series in twenty. Among several places it
is the one whose parts are the closest to their medians. The parts are split again.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median

from pomp_clang.analysis.comparison.rank_sum import chance

_CHANCE = 0.05
_FEWEST = 3
"""The number of values on each side of a change: fewer may be an outlier."""

_BASIS = 5
"""The number of values that tell the noise before an unconfirmed change."""

_OUTSIDE = 2.0
"""An unconfirmed change has this many times the distance of any value before from the median."""


@dataclass(frozen=True, slots=True)
class ChangePoint:
    """A change of the level at the value number `at`, counted from 0.

    `before` and `after` are the medians of both sides, up to the next changes. `confidence` is from
    0 to 1, None for a change that further values have yet to confirm.
    """

    at: int
    before: float
    after: float
    confidence: float | None

    @property
    def is_confirmed(self) -> bool:
        return self.confidence is not None

    @property
    def growth(self) -> float | None:
        """The growth as a share of the level before; None if that is 0."""
        return (self.after - self.before) / self.before if self.before > 0 else None


def change_points(values: Sequence[float]) -> tuple[ChangePoint, ...]:
    """Return the changes of a series, in order. The last one may be unconfirmed."""
    splits = sorted(_splits(values, 0, len(values)))
    places = [0, *(at for at, _ in splits), len(values)]
    levels = [median(values[begin:end]) if end > begin else 0.0 for begin, end in pairwise(places)]
    confirmed = [
        ChangePoint(at, levels[number], levels[number + 1], confidence)
        for number, (at, confidence) in enumerate(splits)
    ]
    return (*confirmed, *_unconfirmed(values, places[-2]))


def _splits(values: Sequence[float], begin: int, end: int) -> Iterator[tuple[int, float]]:
    """Yield the splits of a part of a series, with their confidence."""
    candidates = range(begin + _FEWEST, end - _FEWEST + 1)
    if not candidates:
        return
    chances = _chances_of_noise(values[begin:end])[_FEWEST : end - begin - _FEWEST + 1]
    confidences = {
        at: 1 - probability * len(candidates)
        for at, probability in zip(candidates, chances, strict=True)
        if probability * len(candidates) <= _CHANCE
    }
    if not confidences:
        return
    best = min(
        confidences, key=lambda at: _deviation(values[begin:at]) + _deviation(values[at:end])
    )
    yield best, confidences[best]
    yield from _splits(values, begin, best)
    yield from _splits(values, best, end)


def _deviation(values: Sequence[float]) -> float:
    """Return the sum of the values' distances from their median."""
    middle = median(values)
    return sum(abs(value - middle) for value in values)


def _chances_of_noise(values: Sequence[float]) -> list[float]:
    """Return for each split the probability that noise alone parts the values so well, in either
    direction."""
    doubled_ranks = _doubled_ranks(values)
    count, ranks_after = len(values), sum(doubled_ranks)
    chances = []
    for before in range(count + 1):
        after = count - before
        halves = ranks_after - after * (after + 1)
        pairs = max(halves, 2 * before * after - halves) // 2
        chances.append(min(1.0, 2 * chance(pairs, before, after)) if before and after else 1.0)
        ranks_after -= doubled_ranks[before] if after else 0
    return chances


def _doubled_ranks(values: Sequence[float]) -> list[int]:
    """Return twice the rank of each value, from 2 on; equal values share the mean of theirs."""
    order = sorted(values)
    return [bisect_left(order, value) + 1 + bisect_right(order, value) for value in values]


def _unconfirmed(values: Sequence[float], begin: int) -> Iterator[ChangePoint]:
    """Yield the change of the last values, too few to be certain, if they are far outside of all
    others since the last change."""
    for count in range(min(_BASIS, len(values)), 0, -1):
        at = len(values) - count
        before, after = values[begin:at], values[at:]
        if len(before) < _BASIS:
            continue
        level = median(before)
        reach = _OUTSIDE * max(abs(value - level) for value in before)
        above = [value - level for value in after]
        if all(difference > reach for difference in above) or all(d < -reach for d in above):
            yield ChangePoint(at, level, median(after), None)
            return
