"""The history of a program: each region's cost over many runs, and where it changed.

A change point is a run from which on the values of a series have another level, beyond its noise. A
series is split where the exact rank-sum test is certain that the values from there on differ from
those before: noise alone makes such a split in at most one series in twenty. Among several places
it is the one whose parts are the closest to their medians. The parts are split again.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from statistics import median

from pomp_clang.analysis.comparison import RegionInRun, run_side
from pomp_clang.analysis.comparison.rank_sum import chance
from pomp_clang.analysis.region_matching import match_regions
from pomp_clang.analysis.run import AnalyzedRun
from pomp_clang.experiment.model import Region

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


COSTS = ("execT", "overhead")
"""Costs of a region: its time, or what it loses itself; both in seconds of all threads."""


@dataclass(frozen=True, slots=True)
class RegionHistory:
    """A region in each run, None where it did not run. `region` is that of the latest run which has
    it. `costs` are seconds of all threads, 0 where it did not run."""

    region: Region
    runs: tuple[RegionInRun | None, ...]
    costs: tuple[float, ...]
    changes: tuple[ChangePoint, ...]


@dataclass(frozen=True, slots=True)
class ProgramHistory:
    """The runs of a program in their order. `changes` are those of the duration. `cost` is one of
    `COSTS`."""

    runs: tuple[AnalyzedRun, ...]
    changes: tuple[ChangePoint, ...]
    regions: tuple[RegionHistory, ...]
    cost: str


def history_of(runs: Sequence[AnalyzedRun], cost: str = "execT") -> ProgramHistory:
    """Follow the regions through the runs, which are in order; the costliest of the latest run
    first, then those that are gone."""
    durations = change_points([run.duration for run in runs])
    regions = [
        RegionHistory(region, sides, costs := _costs(sides, cost), change_points(costs))
        for region, sides in _followed(runs)
        if any(side is not None for side in sides)
    ]
    regions.sort(key=lambda row: (-row.costs[-1], -max(row.costs), row.region.id))
    return ProgramHistory(tuple(runs), durations, tuple(regions), cost)


def _costs(sides: tuple[RegionInRun | None, ...], cost: str) -> tuple[float, ...]:
    return tuple((side.execT if cost == "execT" else side.lostT) if side else 0.0 for side in sides)


def _followed(
    runs: Sequence[AnalyzedRun],
) -> list[tuple[Region, tuple[RegionInRun | None, ...]]]:
    """Return each region with its side in each run, from the latest run backwards: a region is
    matched with the run before by its place in the run after."""
    latest: list[Region] = []
    current: list[Region] = []
    sides: list[list[RegionInRun | None]] = []
    for number in range(len(runs) - 1, -1, -1):
        run = runs[number]
        profiles = {profile.region.id: profile for profile in run.profiles}
        known = [replace(region, id=str(row)) for row, region in enumerate(current)]
        for first, other in match_regions(known, (profile.region for profile in run.profiles)):
            if other is None:
                continue
            row = int(first.id) if first else len(current)
            if first is None:
                latest.append(other)
                current.append(other)
                sides.append([None] * len(runs))
            current[row] = other
            if profiles[other.id].ran:
                sides[row][number] = run_side(run, profiles[other.id])
    return list(zip(latest, map(tuple, sides), strict=True))
