"""The history of a program: each region's cost over many runs, and where it changed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from pomp_clang.analysis.comparison import RegionInRun, run_side
from pomp_clang.analysis.comparison.change_points import ChangePoint, change_points
from pomp_clang.analysis.region_matching import match_regions
from pomp_clang.analysis.run import AnalyzedRun
from pomp_clang.experiment.model import Region

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
