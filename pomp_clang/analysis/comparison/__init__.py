"""The comparison of two runs, region by region."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from operator import attrgetter

from pomp_clang.analysis.comparison.rank_sum import RepeatedValues
from pomp_clang.analysis.profile import RegionProfile
from pomp_clang.analysis.region_matching import Pairs, match_regions
from pomp_clang.analysis.run import AnalyzedRun


@dataclass(frozen=True, slots=True)
class RegionInRun:
    """A region's profile in one of the two runs."""

    profile: RegionProfile
    execC: int
    execT: float
    lostT: float


@dataclass(frozen=True, slots=True)
class RegionGrowth:
    """The growth of a region from the first run to the second."""

    execC: int
    execT: float
    lostT: float


SORTS: dict[str, Callable[[RegionGrowth], float]] = {
    "execT": attrgetter("execT"),
    "overhead": attrgetter("lostT"),
    "count": attrgetter("execC"),
}
"""Sort keys that put the largest change first; the other order is that of the source."""


@dataclass(frozen=True, slots=True)
class ComparedRegion:
    """A region of both runs, or of one: the other side is None. `repeated` are its execT in all
    runs of both sides, of which `a` and `b` have the medians; None without repetitions."""

    a: RegionInRun | None
    b: RegionInRun | None
    repeated: RepeatedValues | None = None

    @property
    def state(self) -> str:
        if self.a is None:
            return "new"
        return "both" if self.b else "gone"

    @property
    def is_noise(self) -> bool:
        """True if the change of execT is within the noise of the repetitions."""
        return self.repeated is not None and not self.repeated.is_beyond_noise

    @property
    def latest(self) -> RegionProfile:
        """The profile of the later run, or of the earlier one if the region is gone."""
        side = self.b or self.a
        assert side is not None
        return side.profile

    @property
    def moved(self) -> bool:
        """True if the region's place in the source differs."""
        if not self.a or not self.b:
            return False
        a, b = self.a.profile.region, self.b.profile.region
        return (a.file, a.begin_line1) != (b.file, b.begin_line1)

    @property
    def delta(self) -> RegionGrowth:
        """The growth; a missing region counts as 0."""
        a, b = self.a, self.b
        return RegionGrowth(
            (b.execC if b else 0) - (a.execC if a else 0),
            (b.execT if b else 0.0) - (a.execT if a else 0.0),
            (b.lostT if b else 0.0) - (a.lostT if a else 0.0),
        )


def compare(a: AnalyzedRun, b: AnalyzedRun) -> tuple[ComparedRegion, ...]:
    """Compare the regions that ran in either run, the largest change of execT first."""
    sides = [{p.region.id: run_side(run, p) for p in run.profiles} for run in (a, b)]
    compared = [
        ComparedRegion(sides[0][first.id] if first else None, sides[1][other.id] if other else None)
        for first, other in pair_regions(a, b)
    ]
    return ordered(tuple(region for region in compared if _has_run(region)), "execT")


def pair_regions(a: AnalyzedRun, b: AnalyzedRun) -> Pairs:
    """Return each region of both runs once: in a pair, or alone with None."""
    return match_regions((p.region for p in a.profiles), (p.region for p in b.profiles))


def ordered(compared: tuple[ComparedRegion, ...], sort: str) -> tuple[ComparedRegion, ...]:
    def place(compared_region: ComparedRegion) -> tuple[str, int, int, str]:
        region = compared_region.latest.region
        return region.file, region.begin_line1, region.begin_column, region.id

    by_place = sorted(compared, key=place)
    if sort in SORTS:
        by_place.sort(key=lambda region: -abs(SORTS[sort](region.delta)))
    return tuple(by_place)


def run_side(run: AnalyzedRun, profile: RegionProfile) -> RegionInRun:
    return RegionInRun(profile, profile.execC, profile.execT, run.lost(profile))


def _has_run(region: ComparedRegion) -> bool:
    return any(side is not None and side.profile.ran for side in (region.a, region.b))


def change(before: float, after: float) -> float | None:
    """Return the growth as a share of the earlier value; None if that is 0."""
    return (after - before) / before if before > 0 else None


@dataclass(frozen=True, slots=True)
class ProgramMatch:
    """How far two runs are of one program: `common` of `regions` are in both.

    A region is the same if kind, function, and the file's name agree; lines may move.
    """

    is_same_name: bool
    common: int
    regions: int

    @property
    def is_different(self) -> bool:
        """True if the two have regions, and none in common."""
        return self.regions > 0 and not self.common


def match_programs(a: AnalyzedRun, b: AnalyzedRun) -> ProgramMatch:
    """Compare the programs of two runs; `regions` is the number of the program with fewer."""
    regions_a, regions_b = _regions(a), _regions(b)
    names = {os.path.basename(run.experiment.program) for run in (a, b)}
    return ProgramMatch(
        len(names) == 1, len(regions_a & regions_b), min(len(regions_a), len(regions_b))
    )


def _regions(run: AnalyzedRun) -> set[tuple[str, str, str]]:
    regions = (profile.region for profile in run.profiles)
    return {(r.kind, r.function, os.path.basename(r.file)) for r in regions}
