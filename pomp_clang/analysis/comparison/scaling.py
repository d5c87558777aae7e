"""Scaling: runs with different numbers of threads, side by side.

The run with the fewest threads is the reference. Speed-up is its duration over that of another run.
Efficiency is the speed-up over the ratio of thread counts.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pomp_clang.analysis.columns import Overhead
from pomp_clang.analysis.comparison.saturation import MeasuredTime, Saturation, saturation
from pomp_clang.analysis.overheads import Lost
from pomp_clang.analysis.overheads.time_in_parallel import wall
from pomp_clang.analysis.profile import RegionProfile
from pomp_clang.analysis.region_matching import match_regions
from pomp_clang.analysis.run import AnalyzedRun
from pomp_clang.experiment.model import Region

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
            if run.experiment.processors is None or run.threads <= run.experiment.processors
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
