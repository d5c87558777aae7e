"""Scaling: runs with different numbers of threads, side by side.

The run with the fewest threads is the reference. Speed-up is its duration over that of another run.
Efficiency is the speed-up over the ratio of thread counts.

The saturation is the number of threads from which on more of them save little. A time is modeled as
shared work / threads + serial time + overhead of the teams. The overhead is the measured one of
each thread, which grows linearly with the threads. Work and serial time are fitted to the rest, by
least squares of the relative errors.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from pomp_clang.analysis.columns import Overhead
from pomp_clang.analysis.overheads import Lost
from pomp_clang.analysis.overheads.time_in_parallel import wall
from pomp_clang.analysis.profile import RegionProfile
from pomp_clang.analysis.region_matching import match_regions
from pomp_clang.analysis.run import AnalyzedRun
from pomp_clang.experiment.model import Region

_LITTLE = 0.05
"""The share of the time that twice as many threads have to save."""

_MOST = 1024
"""The most threads that are considered."""


@dataclass(frozen=True, slots=True)
class MeasuredTime:
    """The seconds of a run or region with a number of threads; `overhead` is the value of each
    thread."""

    threads: int
    seconds: float
    overhead: float = 0.0


@dataclass(frozen=True, slots=True)
class Saturation:
    """Twice as many as `threads` save less than 5 %. `seconds` is the time with these threads; the
    model has it from `work`, `serial` and `overhead` of each thread. `measured` is the run with most
    threads."""

    threads: int
    seconds: float
    measured: MeasuredTime
    work: float
    serial: float
    overhead: tuple[float, float]

    def time(self, threads: int) -> float:
        """Return the seconds expected with a number of threads."""
        return self.work / threads + self.serial + _overhead(self.overhead, threads)


def saturation(times: Sequence[MeasuredTime]) -> Saturation | None:
    """Return where a time saturates; None if it was measured with one number of threads only."""
    known = [time for time in times if time.seconds > 0]
    if len({curve_point.threads for curve_point in known}) < 2:
        return None
    line = _line(known)
    rest = [
        max(0.0, curve_point.seconds - _overhead(line, curve_point.threads))
        for curve_point in known
    ]
    work, serial = _fit_times(known, rest)
    measured = max(known, key=lambda curve_point: curve_point.threads)
    model = Saturation(1, 0.0, measured, work, serial, line)
    threads = 1
    while threads < _MOST and model.time(2 * threads) < (1 - _LITTLE) * model.time(threads):
        threads *= 2
    return Saturation(threads, model.time(threads), measured, work, serial, line)


def _line(times: Sequence[MeasuredTime]) -> tuple[float, float]:
    """Return offset and slope of the overhead over the threads, neither below 0. A team of one thread
    has none; with one other number of threads the overhead is taken as proportional to them."""
    teams = [time for time in times if time.threads > 1]
    if len({team.threads for team in teams}) < 2:
        return 0.0, max((team.overhead / team.threads for team in teams), default=0.0)
    threads = np.array([team.threads for team in teams], np.float64)
    overhead = np.array([team.overhead for team in teams], np.float64)
    deviations = threads - threads.mean()
    slope = max(0.0, float((deviations * overhead).sum() / (deviations**2).sum()))
    return max(0.0, float(overhead.mean() - slope * threads.mean())), slope


def _overhead(line: tuple[float, float], threads: int) -> float:
    return line[0] + line[1] * threads if threads > 1 else 0.0


def _fit_times(times: Sequence[MeasuredTime], rest: Sequence[float]) -> tuple[float, float]:
    """Return shared work and serial time, neither below 0."""
    weight = np.array([1 / time.seconds for time in times])
    columns = np.stack([weight / [time.threads for time in times], weight], axis=1)
    weighted = weight * rest
    both, *_ = np.linalg.lstsq(columns, weighted, rcond=None)
    if min(both) >= 0:
        return float(both[0]), float(both[1])
    alone = [float(column @ weighted / (column @ column)) for column in columns.T]
    errors = [
        float(((column * value - weighted) ** 2).sum())
        for column, value in zip(columns.T, alone, strict=True)
    ]
    return (alone[0], 0.0) if errors[0] <= errors[1] else (0.0, alone[1])


_WAITING = frozenset(
    ("single", "master", "masked", "barrier", "flush", "taskwait", "taskyield", "taskgroup")
)
"""Constructs in which one thread works, or none: more threads have no work to share there."""


@dataclass(frozen=True, slots=True)
class ScalingPoint:
    """A time at a number of threads, compared with the reference; None where that is undefined.

    `serial` is the experimentally determined serial fraction (Karp and Flatt): the share of the
    work that behaves as if it were serial.
    """

    threads: int
    time: float
    speed_up: float | None
    efficiency: float | None
    serial: float | None


@dataclass(frozen=True, slots=True)
class ScaledRegion:
    """A region of the reference run with its counterparts; None where a run does not have it.

    `lost` is the region's own loss in each run, in seconds of all threads. `saturation` is None
    where threads cannot share the region, or if it was measured with one number of threads only.
    """

    region: Region
    profiles: tuple[RegionProfile | None, ...]
    points: tuple[ScalingPoint | None, ...]
    lost: tuple[float, ...]
    saturation: Saturation | None = None


@dataclass(frozen=True, slots=True)
class Scaling:
    """The runs in the order of their number of threads, with a point for each."""

    runs: tuple[AnalyzedRun, ...]
    points: tuple[ScalingPoint, ...]
    regions: tuple[ScaledRegion, ...]
    saturation: Saturation | None = None


def scale(runs: list[AnalyzedRun]) -> Scaling:
    """Compare runs; regions of the reference run that ran there, the longest of any run first."""
    by_threads = tuple(sorted(runs, key=lambda run: (run.threads, run.experiment.start)))
    first = by_threads[0]
    points = tuple(_point(first.threads, first.duration, r.threads, r.duration) for r in by_threads)
    others = [counterparts(first, run) for run in by_threads]
    regions = [
        _scaled(profile, by_threads, [other.get(profile.region.id) for other in others])
        for profile in first.profiles
        if profile.ran
    ]
    regions.sort(key=lambda r: (-max(p.time for p in r.points if p), r.region.id))
    measured = [(run, run.duration, run.analysis.lost) for run in by_threads]
    return Scaling(by_threads, points, tuple(regions), _saturation(measured))


def _saturation(measured: Sequence[tuple[AnalyzedRun, float, Lost]]) -> Saturation | None:
    """Return where a time saturates, by its seconds and losses in runs. Runs with more threads than
    processors say nothing of other machines."""
    return saturation(
        [
            MeasuredTime(run.threads, seconds, lost.of(Overhead.MGMT) / max(1, run.threads))
            for run, seconds, lost in measured
            if not run.experiment.is_oversubscribed
        ]
    )


def counterparts(first: AnalyzedRun, run: AnalyzedRun) -> dict[str, RegionProfile]:
    """Return a run's profiles of the regions of the first run, by their ids there."""
    profiles = {profile.region.id: profile for profile in run.profiles}
    pairs = match_regions((p.region for p in first.profiles), (p.region for p in run.profiles))
    return {first.id: profiles[other.id] for first, other in pairs if first and other}


def _scaled(
    profile: RegionProfile, runs: tuple[AnalyzedRun, ...], counterparts: list[RegionProfile | None]
) -> ScaledRegion:
    points: list[ScalingPoint | None] = []
    present = [
        counterpart if counterpart is not None and counterpart.ran else None
        for counterpart in counterparts
    ]
    for run, counterpart in zip(runs, present, strict=True):
        if counterpart is None:
            points.append(None)
        elif profile.region.kind in _WAITING:
            points.append(ScalingPoint(run.threads, wall(counterpart), None, None, None))
        else:
            first = runs[0].threads, _time(profile, runs[0])
            points.append(_point(*first, run.threads, _time(counterpart, run)))
    measured = [
        (run, point.time, run.analysis.exclusive[profile.region.id])
        for run, profile, point in zip(runs, present, points, strict=True)
        if profile is not None and point is not None and point.speed_up is not None
    ]
    return ScaledRegion(
        profile.region,
        tuple(present),
        tuple(points),
        tuple(run.lost(p) if p else 0.0 for run, p in zip(runs, present, strict=True)),
        _saturation(measured),
    )


def _time(profile: RegionProfile, run: AnalyzedRun) -> float:
    """Return the longest time of a thread; for tasks, which any thread runs, the mean."""
    return profile.execT / run.threads if profile.region.kind == "task" else wall(profile)


def _point(first_threads: int, first_time: float, threads: int, time: float) -> ScalingPoint:
    if first_time <= 0 or time <= 0:
        return ScalingPoint(threads, time, None, None, None)
    speed_up = first_time / time
    thread_ratio = threads / first_threads
    serial = (
        (1 / speed_up - 1 / thread_ratio) / (1 - 1 / thread_ratio) if thread_ratio > 1 else None
    )
    return ScalingPoint(threads, time, speed_up, speed_up / thread_ratio, serial)
