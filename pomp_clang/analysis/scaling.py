"""Runs with different numbers of threads, side by side.

The run with the fewest threads is what the others are measured by: speed-up is its
duration over theirs, efficiency the speed-up over that of as many more threads.
"""

from __future__ import annotations

from dataclasses import dataclass

from pomp_clang.analysis.matching import match
from pomp_clang.analysis.presence import wall
from pomp_clang.analysis.profile import RegionProfile
from pomp_clang.analysis.run import Run
from pomp_clang.experiment.model import Region

_WAITING = frozenset(
    ("single", "master", "masked", "barrier", "flush", "taskwait", "taskyield", "taskgroup")
)
"""Where one thread works, or none: with more of them there is no work that could be shared."""


@dataclass(frozen=True, slots=True)
class Point:
    """A time at a number of threads, against the first; None where it cannot be said.

    `serial` is the experimentally determined serial fraction (Karp and Flatt): the share of
    the work that behaves as if it were not parallel.
    """

    threads: int
    time: float
    speed_up: float | None
    efficiency: float | None
    serial: float | None


@dataclass(frozen=True, slots=True)
class ScaledRegion:
    """A region of the first run and those that it is in the others; None where it is not.

    `lost` is what it loses itself, in seconds of all threads.
    """

    region: Region
    profiles: tuple[RegionProfile | None, ...]
    points: tuple[Point | None, ...]
    lost: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Scaling:
    """The runs by their number of threads, with a point for each."""

    runs: tuple[Run, ...]
    points: tuple[Point, ...]
    regions: tuple[ScaledRegion, ...]


def scale(runs: list[Run]) -> Scaling:
    """Regions of the first run that ran there, the longest of any run first."""
    by_threads = tuple(sorted(runs, key=lambda run: (run.threads, run.experiment.start)))
    first = by_threads[0]
    points = tuple(_point(first.threads, first.duration, r.threads, r.duration) for r in by_threads)
    others = [_counterparts(first, run) for run in by_threads]
    regions = [
        _scaled(profile, by_threads, [other.get(profile.region.id) for other in others])
        for profile in first.profiles
        if profile.ran
    ]
    regions.sort(key=lambda r: (-max(p.time for p in r.points if p), r.region.id))
    return Scaling(by_threads, points, tuple(regions))


def _counterparts(first: Run, run: Run) -> dict[str, RegionProfile]:
    profiles = {profile.region.id: profile for profile in run.profiles}
    pairs = match((p.region for p in first.profiles), (p.region for p in run.profiles))
    return {one.id: profiles[other.id] for one, other in pairs if one and other}


def _scaled(
    profile: RegionProfile, runs: tuple[Run, ...], counterparts: list[RegionProfile | None]
) -> ScaledRegion:
    points: list[Point | None] = []
    present = [each if each is not None and each.ran else None for each in counterparts]
    for run, each in zip(runs, present, strict=True):
        if each is None:
            points.append(None)
        elif profile.region.kind in _WAITING:
            points.append(Point(run.threads, wall(each), None, None, None))
        else:
            first = runs[0].threads, _time(profile, runs[0])
            points.append(_point(*first, run.threads, _time(each, run)))
    return ScaledRegion(
        profile.region,
        tuple(present),
        tuple(points),
        tuple(run.lost(p) if p else 0.0 for run, p in zip(runs, present, strict=True)),
    )


def _time(profile: RegionProfile, run: Run) -> float:
    """The longest of a thread; of tasks, which are whoever's, the mean of all threads."""
    return profile.execT / run.threads if profile.region.kind == "task" else wall(profile)


def _point(first_threads: int, first_time: float, threads: int, time: float) -> Point:
    if first_time <= 0 or time <= 0:
        return Point(threads, time, None, None, None)
    speed_up = first_time / time
    more = threads / first_threads
    serial = (1 / speed_up - 1 / more) / (1 - 1 / more) if more > 1 else None
    return Point(threads, time, speed_up, speed_up / more, serial)
