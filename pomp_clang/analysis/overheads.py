"""The overhead analysis: how much of the threads' time is lost, why, and where.

What a column loses is said in `pomp_clang.openmp.columns`.  Here it is summed over
threads and charged to a parallel region, whose own time is its wall time times its
threads, and to the program, whose time is its duration times the most threads it had.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from pomp_clang.analysis.profile import RegionProfile
from pomp_clang.experiment.model import Experiment, Measured, Region
from pomp_clang.openmp.columns import Overhead, is_parallel

CLASSES = tuple(Overhead)


@dataclass(frozen=True, slots=True)
class Lost:
    """Seconds lost, by class of overhead, in the order of `CLASSES`."""

    seconds: tuple[float, ...] = (0.0,) * len(CLASSES)

    @property
    def total(self) -> float:
        return sum(self.seconds)

    def of(self, overhead: Overhead) -> float:
        return self.seconds[CLASSES.index(overhead)]

    def __add__(self, other: Lost) -> Lost:
        return Lost(tuple(a + b for a, b in zip(self.seconds, other.seconds, strict=True)))


@dataclass(frozen=True, slots=True)
class Charged:
    """What is lost in a parallel region, itself and the constructs within it."""

    region: Region
    wallT: float
    threads: int
    lost: Lost

    @property
    def totalT(self) -> float:
        return self.wallT * self.threads


@dataclass(frozen=True, slots=True)
class Analysis:
    """The whole program: its parallel regions, and what belongs to none of them.

    `own` is what each region loses itself, by its id.  `coverage` is the wall time
    spent in parallel regions.
    """

    duration: float
    threads: int
    regions: tuple[Charged, ...]
    orphaned: Lost
    own: dict[str, Lost]
    coverage: float

    @property
    def totalT(self) -> float:
        return self.duration * self.threads

    @property
    def lost(self) -> Lost:
        return sum((charged.lost for charged in self.regions), start=self.orphaned)


def share(part: float, whole: float) -> float:
    """The part's share of the whole; none of nothing."""
    return part / whole if whole > 0 else 0.0


def own_lost(profile: RegionProfile) -> Lost:
    """What the columns of one region lose, over all threads."""
    return _lost(profile, tuple(row.measured for row in profile.rows))


def _lost(profile: RegionProfile, parts: tuple[Measured, ...]) -> Lost:
    seconds = dict.fromkeys(CLASSES, 0.0)
    for column in profile.columns:
        overhead = column.overhead_of(profile.execC, profile.bodyC)
        if overhead is not None:
            seconds[overhead] += sum(column.lost(measured) for measured in parts)
    return Lost(tuple(seconds[overhead] for overhead in CLASSES))


def enclosing(region: Region, parallels: list[Region]) -> Region | None:
    """The parallel region that pays for what `region` loses, if there is one.

    A parallel region, combined or not, pays for itself.  Any other construct is
    charged to the innermost parallel region around it in the source text, where a
    profile has no call paths: the one with the fewest lines, and of those that
    share their lines the one that begins last.
    """
    if is_parallel(region.kind):
        return region
    around = [p for p in parallels if _contains(p, region)]
    return min(around, key=lambda p: (_lines(p), -p.begin_column), default=None)


def _last_line(region: Region) -> int:
    # A lone directive or a call may have no end of its own.
    return max(region.begin_line1, region.begin_lineN, region.end_line1, region.end_lineN)


def _lines(region: Region) -> int:
    return _last_line(region) - region.begin_line1


def _contains(outer: Region, inner: Region) -> bool:
    begins = (outer.begin_line1, outer.begin_column) <= (inner.begin_line1, inner.begin_column)
    return outer.file == inner.file and begins and _last_line(inner) <= _last_line(outer)


def analyse(experiment: Experiment, profiles: tuple[RegionProfile, ...]) -> Analysis:
    by = _by_callpath if experiment.callpaths else _by_text
    charged, orphaned = by(experiment, profiles)
    regions = tuple(
        _charged(profile, charged[profile.region.id])
        for profile in profiles
        if is_parallel(profile.region.kind)
    )
    return Analysis(
        duration=experiment.duration,
        threads=experiment.max_threads,
        regions=tuple(c for c in regions if c.threads or c.lost.total),
        orphaned=orphaned,
        own={profile.region.id: own_lost(profile) for profile in profiles},
        coverage=_coverage(experiment, regions),
    )


def _by_callpath(
    experiment: Experiment, profiles: tuple[RegionProfile, ...]
) -> tuple[dict[str, Lost], Lost]:
    """What each parallel region pays for, and what none does: the innermost on the call path."""
    known = {profile.region.id: profile for profile in profiles}
    payers = _payers(experiment)
    charged: dict[str, Lost] = defaultdict(Lost)
    orphaned = Lost()
    regions = {path.id: path.region for path in experiment.callpaths}
    for (path, _), measured in experiment.callpath_profile.items():
        lost = _lost(known[regions[path]], (measured,))
        if payers[path]:
            charged[payers[path]] += lost
        else:
            orphaned += lost
    return charged, orphaned


def _payers(experiment: Experiment) -> dict[str, str]:
    """Of each call path the innermost parallel region on it, or ""."""
    kinds = {region.id: region.kind for region in experiment.regions}
    payers: dict[str, str] = {}
    for path in experiment.callpaths:
        above = payers[path.above] if path.above is not None else ""
        payers[path.id] = path.region if is_parallel(kinds[path.region]) else above
    return payers


def _by_text(
    experiment: Experiment, profiles: tuple[RegionProfile, ...]
) -> tuple[dict[str, Lost], Lost]:
    """The same where there are no call paths: the innermost around it in the source."""
    parallels: dict[str, list[Region]] = defaultdict(list)
    for profile in profiles:
        if is_parallel(profile.region.kind):
            parallels[profile.region.file].append(profile.region)
    charged: dict[str, Lost] = defaultdict(Lost)
    orphaned = Lost()
    for profile in profiles:
        payer = enclosing(profile.region, parallels[profile.region.file])
        if payer is None:
            orphaned += own_lost(profile)
        else:
            charged[payer.id] += own_lost(profile)
    return charged, orphaned


def _charged(profile: RegionProfile, lost: Lost) -> Charged:
    """The wall time is the longest execT: the master's, who is there from fork to join."""
    wall = max((row.measured.execT for row in profile.rows), default=0.0)
    return Charged(profile.region, wall, len(profile.reached), lost)


def outermost(regions: Iterable[Region]) -> tuple[Region, ...]:
    """The parallel regions that stand in no other in the source text."""
    parallels: dict[str, list[Region]] = defaultdict(list)
    for region in regions:
        if is_parallel(region.kind):
            parallels[region.file].append(region)
    return tuple(
        region
        for each in parallels.values()
        for region in each
        if all(_contains(region, p) for p in each if _contains(p, region))
    )


def _coverage(experiment: Experiment, regions: tuple[Charged, ...]) -> float:
    """Wall time in parallel regions that stand in no other, on their call path or, where
    there are none, in the source.

    Never more than the duration: without call paths, regions that are nested through calls
    are counted as if they were not.
    """
    if experiment.callpaths:
        return min(experiment.duration, _outermost_time(experiment))
    ids = {region.id for region in outermost(c.region for c in regions)}
    return min(experiment.duration, sum(c.wallT for c in regions if c.region.id in ids))


def _outermost_time(experiment: Experiment) -> float:
    payers = _payers(experiment)
    longest: dict[str, float] = defaultdict(float)
    tops = {
        path.id
        for path in experiment.callpaths
        if payers[path.id] == path.region and (path.above is None or not payers[path.above])
    }
    for (path, _), measured in experiment.callpath_profile.items():
        if path in tops:
            longest[path] = max(longest[path], measured.execT)
    return sum(longest.values())
