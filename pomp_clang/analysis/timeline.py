"""The time between two moments, by part and by region: of a run between its snapshots, and of
running processes."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from pomp_clang.analysis.callpaths import callpath_profile
from pomp_clang.analysis.counters import Values, counted_between
from pomp_clang.analysis.run import AnalyzedRun, Times, analyze_run
from pomp_clang.experiment.model import Experiment, InclusionPlaces, Region, Snapshot
from pomp_clang.openmp.kinds import is_target


@dataclass(frozen=True, slots=True)
class TimelineStep:
    """The time between two snapshots, in seconds from the start.

    `cause` is the reason of the snapshot at its end, "end" for the program's end. `parts` are the
    seconds of all threads, named as in `AnalyzedRun.parts`. `busiest` is the region with the most
    exclusive time, with that time. `counted` has the values of `metrics_of` the counters, none if
    nothing was counted.
    """

    begin: float
    end: float
    cause: str
    unsettled: int
    parts: dict[str, float]
    busiest: Region | None
    busiestT: float
    counted: Values

    @property
    def total(self) -> float:
        """Seconds of all threads; rounding may make them differ from threads x length."""
        return sum(self.parts.values())


def timeline(experiment: Experiment, limit: int) -> tuple[TimelineStep, ...]:
    """Return at most `limit` steps, which then span several snapshots; none without snapshots."""
    if not experiment.snapshots:
        return ()
    counters = experiment.counters
    end = replace(experiment.snapshots[-1], cause="end", time=experiment.duration, unsettled=0)
    final = replace(
        end,
        profile=experiment.profile,
        callpath_profile=experiment.callpath_profile,
        mpi=experiment.mpi,
        locations=experiment.locations,
        counted=counters.values if counters else {},
    )
    steps: list[TimelineStep] = []
    parts: dict[str, float] = {}
    exclusive: dict[str, float] = {}
    counted: dict[tuple[str, int], tuple[int, ...]] = {}
    begin, threads = 0.0, experiment.threads_at_once
    for snapshot in (*_thinned(experiment.snapshots, limit - 1), final):
        run = analyze_run(experiment.at(snapshot), threads)
        regions = {region.id: region for region in experiment.regions}
        now_parts, exclusive_now = run.parts(), _exclusive_times(run)
        gained = {ident: time - exclusive.get(ident, 0.0) for ident, time in exclusive_now.items()}
        busiest = max(gained, key=lambda ident: gained[ident], default="")
        busiest_time = max(0.0, gained.get(busiest, 0.0))
        steps.append(
            TimelineStep(
                begin,
                snapshot.time,
                snapshot.cause,
                snapshot.unsettled,
                {name: max(0.0, now_parts[name] - parts.get(name, 0.0)) for name in now_parts},
                regions[busiest] if busiest_time > 0 else None,
                busiest_time,
                counted_between(counters, counted, snapshot.counted) if counters else (),
            )
        )
        begin, parts, exclusive, counted = snapshot.time, now_parts, exclusive_now, snapshot.counted
    return tuple(steps)


def _thinned(snapshots: Sequence[Snapshot], limit: int) -> list[Snapshot]:
    """Select snapshots evenly spread over the sequence, with the last one."""
    count = len(snapshots)
    if count <= limit:
        return list(snapshots)
    return [snapshots[(i + 1) * count // limit - 1] for i in range(limit)]


def _exclusive_times(run: AnalyzedRun) -> dict[str, float]:
    """Return the exclusive seconds of all threads by region."""
    exclusive: dict[str, float] = {}
    for path in callpath_profile(run.experiment):
        exclusive[path.region.id] = exclusive.get(path.region.id, 0.0) + path.exclusive
    return exclusive


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
