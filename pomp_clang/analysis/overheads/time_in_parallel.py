"""Time in parallel regions: wall time of the program, and the time of each thread.

Nested regions count once, in the outer one. Nesting is known from call paths or, in an experiment
without them, from the source text.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from pomp_clang.analysis.profile import RegionProfile, outermost, payers
from pomp_clang.experiment.model import Experiment, Region
from pomp_clang.openmp.kinds import is_parallel
from pomp_clang.shared_dataclass import dataclass

_Profiles = tuple[RegionProfile, ...]

_LEAST_OUTSIDE = 1e-3
"""Share of the run in which a thread runs regions outside parallel regions, at least, to count."""


@dataclass(frozen=True, slots=True)
class SerialPart:
    """Seconds of the main thread outside parallel regions, before visits of one of them; None: after
    the last visit of any."""

    before: Region | None
    seconds: float


def serial_parts(profiles: _Profiles, unthreaded: float) -> tuple[SerialPart, ...]:
    """Return the parts of the time outside parallel regions, the longest first.

    There are none if the runtime did not record them, or if several threads of the program's own
    fork teams.
    """
    if len({row.tid for profile in profiles for row in profile.rows if row.measured.serialT}) != 1:
        return ()
    parts = [
        SerialPart(profile.region, sum(row.measured.serialT for row in profile.rows))
        for profile in profiles
    ]
    after = unthreaded - sum(part.seconds for part in parts)
    parts.append(SerialPart(None, max(0.0, after)))
    return tuple(sorted((p for p in parts if p.seconds), key=lambda part: -part.seconds))


def threads_outside(experiment: Experiment) -> int:
    """Return the number of threads beside the initial one that ran regions outside parallel regions.

    The parallel region around these is not measured, or another library than OpenMP made the threads.
    A thread may run a little as it ends, in a destructor.
    """
    payer_of = payers(experiment)
    initial = min((location.tid for location in experiment.locations), default=0)
    seconds: dict[int, float] = defaultdict(float)
    for (path, tid), measured in experiment.callpath_profile.items():
        if tid != initial and payer_of.get(path) == "":
            seconds[tid] += measured.execT
    return sum(time >= _LEAST_OUTSIDE * experiment.duration for time in seconds.values())


def wall(profile: RegionProfile) -> float:
    """Return the longest total time of a thread in the region."""
    return max((row.measured.execT for row in profile.rows), default=0.0)


def covered(experiment: Experiment, profiles: _Profiles) -> float:
    """Return the wall time in parallel regions, at most the duration.

    Without call paths, regions that are nested through calls count as if they were not nested.
    """
    if experiment.callpaths:
        return min(experiment.duration, _covered_by_callpath(experiment))
    parallels = {p.region.id: p for p in profiles if is_parallel(p.region.kind)}
    outer = outermost(p.region for p in parallels.values())
    return min(experiment.duration, sum(wall(parallels[region.id]) for region in outer))


def _covered_by_callpath(experiment: Experiment) -> float:
    longest: dict[str, float] = defaultdict(float)
    above = _parallels_above(experiment)
    for (path, _), measured in experiment.callpath_profile.items():
        if path in above and above[path] is None:
            longest[path] = max(longest[path], measured.execT)
    return sum(longest.values())


def _parallels_above(experiment: Experiment) -> dict[str, str | None]:
    """Return the call path of the next outer parallel region for that of each parallel region."""
    payer_of = payers(experiment)
    nearest: dict[str | None, str | None] = {None: None}
    outer = {}
    for path in experiment.callpaths:
        outside = nearest[path.id] = nearest[path.above]
        if payer_of[path.id] == path.region:
            outer[path.id] = outside
            nearest[path.id] = path.id
    return outer


def busy(experiment: Experiment, profiles: _Profiles, limit: float) -> tuple[float, ...]:
    """Return each thread's time in parallel regions.

    A thread that comes alone to an inner region is busy there.
    """
    busy_times = _busy_by_callpath if experiment.callpaths else _busy_by_text
    return tuple(min(limit, seconds) for seconds in busy_times(experiment, profiles))


@dataclass(frozen=True, slots=True)
class SmallTeam:
    """Seconds of the threads that are in no team while an outermost parallel region's teams run."""

    region: Region
    seconds: float


def spared(experiment: Experiment, profiles: _Profiles, threads: int) -> tuple[SmallTeam, ...]:
    """Return the regions whose teams leave some of the threads idle, with the most idle time first."""
    regions = {profile.region.id: profile.region for profile in profiles}
    seconds = _spared_by_region(experiment, profiles, threads)
    teams = [SmallTeam(regions[key], time) for key, time in seconds.items() if key in regions]
    teams = [team for team in teams if team.seconds > 0]
    return tuple(sorted(teams, key=lambda team: -team.seconds))


def _spared_by_region(
    experiment: Experiment, profiles: _Profiles, threads: int
) -> dict[str, float]:
    if not experiment.callpaths:
        outer = {region.id for region in outermost(p.region for p in profiles)}
        return {
            p.region.id: max(0.0, threads * wall(p) - sum(row.measured.execT for row in p.rows))
            for p in profiles
            if p.region.id in outer
        }
    regions = {path.id: path.region for path in experiment.callpaths}
    times: dict[str, list[float]] = defaultdict(list)
    for outermost_path, _, seconds in _busy_below(experiment):
        times[outermost_path].append(seconds)
    left: dict[str, float] = defaultdict(float)
    for path, time in times.items():
        left[regions[path]] += max(0.0, threads * max(time) - sum(time))
    return dict(left)


def _busy_below(experiment: Experiment) -> Iterator[tuple[str, int, float]]:
    """Yield the call path of an outermost parallel region, a thread, and the seconds for which this is
    in the region, or in one below to which it comes alone."""
    above = _parallels_above(experiment)
    for (path, tid), measured in experiment.callpath_profile.items():
        if path not in above:
            continue
        outer, outside = path, above[path]
        while outside is not None and (outside, tid) not in experiment.callpath_profile:
            outer, outside = outside, above[outside]
        if outside is None:
            yield outer, tid, measured.execT


def _busy_by_callpath(experiment: Experiment, profiles: _Profiles) -> Iterator[float]:
    times: dict[int, float] = defaultdict(float)
    for _, tid, seconds in _busy_below(experiment):
        times[tid] += seconds
    return (times[tid] for tid in sorted(location.tid for location in experiment.locations))


def _busy_by_text(experiment: Experiment, profiles: _Profiles) -> Iterator[float]:
    parallels = [p for p in profiles if is_parallel(p.region.kind)]
    outer = {region.id for region in outermost(p.region for p in parallels)}
    for row in range(len(experiment.locations)):
        times = {True: 0.0, False: 0.0}
        for profile in parallels:
            times[profile.region.id in outer] += profile.rows[row].measured.execT
        yield times[True] or times[False]
