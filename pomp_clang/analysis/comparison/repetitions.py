"""Two sides of repeated runs: medians, and conditions that hold beyond the noise."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import product
from statistics import median, median_low

from pomp_clang.analysis.comparison import (
    ComparedRegion,
    RegionInRun,
    pair_regions,
    run_side,
)
from pomp_clang.analysis.comparison.conditions import Condition, Growth
from pomp_clang.analysis.comparison.rank_sum import RepeatedValues, chance, needed_pairs
from pomp_clang.analysis.comparison.scaling import counterparts
from pomp_clang.analysis.comparison.verdicts import ConditionVerdict, verdicts
from pomp_clang.analysis.run import AnalyzedRun

Runs = tuple[AnalyzedRun, ...]
_Sides = tuple[RegionInRun | None, ...]


@dataclass(frozen=True, slots=True)
class Repetitions:
    """Repeated runs of both sides.

    `a` and `b` are the runs with the median duration of each side. `regions` have the medians of
    all runs. `sides` has each region's values in every run of A and of B, None where it is not.
    """

    runs: tuple[Runs, Runs]
    a: AnalyzedRun
    b: AnalyzedRun
    regions: tuple[ComparedRegion, ...]
    sides: tuple[tuple[_Sides, _Sides], ...]

    @property
    def durations(self) -> RepeatedValues:
        a, b = (tuple(run.duration for run in side) for side in self.runs)
        return RepeatedValues(a, b)


def compare_repeated(runs_a: Runs, runs_b: Runs) -> Repetitions:
    """Compare the regions of two sides that ran in any run."""
    a, b = median_run(runs_a), median_run(runs_b)
    others = [
        [counterparts(reference, run) for run in runs]
        for reference, runs in ((a, runs_a), (b, runs_b))
    ]
    regions, sides = [], []
    for first, other in pair_regions(a, b):
        values: list[_Sides] = []
        for region, runs, matches in zip((first, other), (runs_a, runs_b), others, strict=True):
            profiles = [match.get(region.id) if region else None for match in matches]
            values.append(
                tuple(
                    run_side(run, profile) if profile else None
                    for run, profile in zip(runs, profiles, strict=True)
                )
            )
        in_a, in_b = values
        if any(side is not None and side.profile.ran for side in (*in_a, *in_b)):
            times = (tuple(side.execT if side else 0.0 for side in part) for part in values)
            repeated = RepeatedValues(*times)
            regions.append(
                ComparedRegion(_median(a, runs_a, in_a), _median(b, runs_b, in_b), repeated)
            )
            sides.append((in_a, in_b))
    return Repetitions((runs_a, runs_b), a, b, tuple(regions), tuple(sides))


def median_run(runs: Sequence[AnalyzedRun]) -> AnalyzedRun:
    """Return the run with the median duration; of an even number, the shorter one in the middle."""
    by_duration = sorted(runs, key=lambda run: run.duration)
    return by_duration[(len(by_duration) - 1) // 2]


def _median(reference: AnalyzedRun, runs: Runs, sides: _Sides) -> RegionInRun | None:
    """Return the medians of a region; a run without it counts as 0. None if `reference` lacks it."""
    own = next(side for run, side in zip(runs, sides, strict=True) if run is reference)
    if own is None:
        return None
    return replace(
        own,
        execC=median_low(side.execC if side else 0 for side in sides),
        execT=median(side.execT if side else 0.0 for side in sides),
        lostT=median(side.lostT if side else 0.0 for side in sides),
    )


def repeated_verdicts(
    repetitions: Repetitions, conditions: Iterable[tuple[str, Condition]]
) -> tuple[ConditionVerdict, ...]:
    """Return the conditions that hold beyond the noise: for so many pairs of a run of A with a run
    of B that 95 % of all orders of equal runs have fewer. With too few runs, for all pairs.
    """
    by_text = dict(conditions)
    places = {text: place for place, text in enumerate(by_text)}
    held: dict[tuple[int, int], list[ConditionVerdict]] = defaultdict(list)
    runs_a, runs_b = repetitions.runs
    for i, j in product(range(len(runs_a)), range(len(runs_b))):
        pair = tuple(ComparedRegion(in_a[i], in_b[j]) for in_a, in_b in repetitions.sides)
        numbers = {id(region): number for number, region in enumerate(pair)}
        for verdict in verdicts(runs_a[i], runs_b[j], pair, by_text.items()):
            number = numbers[id(verdict.compared)] if verdict.compared else -1
            held[places[verdict.text], number].append(verdict)
    pairs = len(runs_a) * len(runs_b)
    needed = needed_pairs(len(runs_a), len(runs_b))
    return tuple(
        ConditionVerdict(
            pair_verdicts[0].text,
            repetitions.regions[number] if number >= 0 else None,
            _median_growths(pair_verdicts),
            (len(pair_verdicts), pairs),
            1 - chance(len(pair_verdicts), len(runs_a), len(runs_b)),
        )
        for (_, number), pair_verdicts in sorted(held.items())
        if len(pair_verdicts) >= needed
    )


def _median_growths(held: Sequence[ConditionVerdict]) -> tuple[tuple[str, Growth], ...]:
    growths: dict[str, list[Growth]] = defaultdict(list)
    for verdict in held:
        for name, growth in verdict.grown:
            growths[name].append(growth)
    return tuple(
        (name, Growth(_middle([g.amount for g in values]), _middle([g.share for g in values])))
        for name, values in growths.items()
    )


def _middle(values: Sequence[float]) -> float:
    """Return the median; of counts it is a count."""
    return median_low(values) if all(isinstance(value, int) for value in values) else median(values)
