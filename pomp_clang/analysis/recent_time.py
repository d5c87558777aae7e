"""The time between two moments of running processes, by part and by region."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from pomp_clang.analysis.breakdown import Times
from pomp_clang.analysis.callpaths import callpath_profile
from pomp_clang.analysis.run import AnalyzedRun
from pomp_clang.experiment.model import InclusionPlaces, Region
from pomp_clang.openmp.kinds import is_target

_Place = tuple[str, int, int, str, str, str, InclusionPlaces]
"""A region's place and name, which stay while new regions get ids."""


@dataclass(frozen=True, slots=True)
class RegionTime:
    """The exclusive seconds of all threads in one region.

    `part` is the largest part of the time, by its name in `Breakdown.parts`: of the recent time if
    there is any, else of the total.
    """

    region: Region
    recentT: float
    wholeT: float
    part: str


@dataclass(frozen=True, slots=True)
class RecentTime:
    """Seconds of all threads, by the name of the part, and by region with the largest first.

    `recent` is the time since the earlier moment, `total` since the start. `recentT` and `wholeT`
    are their sums.
    """

    recent: Times
    total: Times
    regions: tuple[RegionTime, ...]

    @property
    def recentT(self) -> float:
        return sum(self.recent.values())

    @property
    def wholeT(self) -> float:
        return sum(self.total.values())


def recent_time(before: Sequence[AnalyzedRun], after: Sequence[AnalyzedRun]) -> RecentTime:
    """Compute what the processes' threads did between two moments; `before` may be empty."""
    before_parts, now_parts = _parts(before), _parts(after)
    recent = _gained(now_parts, before_parts) if before else Times()
    return RecentTime(recent, now_parts, _regions(before, after))


def _parts(runs: Iterable[AnalyzedRun]) -> Times:
    """Return the seconds of all processes by the name of the part."""
    parts = Times()
    for run in runs:
        for name, time in run.parts().items():
            parts[name] += time
    return parts


def _gained(times: Times, before: Times) -> Times:
    """Return the seconds since an earlier moment.

    The analysis of a longer run can move time from one part to another, so a difference can be
    negative; it counts as 0.
    """
    return Times({name: max(0.0, time - before[name]) for name, time in times.items()})


def _regions(before: Sequence[AnalyzedRun], after: Sequence[AnalyzedRun]) -> tuple[RegionTime, ...]:
    before_times, now_times = _times(before), _times(after)
    regions = {_place(region): region for run in after for region in run.experiment.regions}
    rows = []
    for place, times in now_times.items():
        if not any(times.values()):
            continue
        recent = _gained(times, before_times[place] if before else times)
        recent_sum = sum(recent.values())
        sort_times = recent if recent_sum > 0 else times
        part = max(sort_times, key=lambda name: sort_times[name])
        rows.append(RegionTime(regions[place], recent_sum, sum(times.values()), part))
    return tuple(sorted(rows, key=lambda row: (-row.recentT, -row.wholeT)))


def _times(runs: Iterable[AnalyzedRun]) -> dict[_Place, Times]:
    """Return the exclusive seconds of each region, by the name of the part."""
    regions: dict[_Place, Times] = defaultdict(Times)
    for run in runs:
        exclusive: dict[str, float] = defaultdict(float)
        for path in callpath_profile(run.experiment):
            exclusive[path.region.id] += path.exclusive
        for region in run.experiment.regions:
            times = regions[_place(region)]
            lost = run.analysis.exclusive[region.id]
            for overhead in run.analysis.classes:
                times[overhead.value] += lost.of(overhead)
            work_part = "Target" if is_target(region.kind) else "Work"
            times[work_part] += max(0.0, exclusive[region.id] - lost.total)
    return regions


def _place(region: Region) -> _Place:
    return (
        region.file,
        region.begin_line1,
        region.begin_column,
        region.kind,
        region.name,
        region.sub_name,
        region.included_from,
    )
