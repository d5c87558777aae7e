"""How long threads are in parallel regions: all of them together, and each.

Of regions that are nested the outer one counts: on their call path or, where an experiment
has none, in the source.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from pomp_clang.analysis.nesting import outermost, payers
from pomp_clang.analysis.profile import RegionProfile
from pomp_clang.experiment.model import Experiment
from pomp_clang.openmp.columns import is_parallel

_Profiles = tuple[RegionProfile, ...]


def wall(profile: RegionProfile) -> float:
    """The longest time of a thread in the region, all its executions together."""
    return max((row.measured.execT for row in profile.rows), default=0.0)


def covered(experiment: Experiment, profiles: _Profiles) -> float:
    """Wall time in parallel regions.

    Never more than the duration: without call paths, regions that are nested through calls
    are counted as if they were not.
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
    """Of the call path of each parallel region that of the next one outside."""
    payer_of = payers(experiment)
    nearest: dict[str | None, str | None] = {None: None}
    found = {}
    for path in experiment.callpaths:
        outside = nearest[path.id] = nearest[path.above]
        if payer_of[path.id] == path.region:
            found[path.id] = outside
            nearest[path.id] = path.id
    return found


def busy(experiment: Experiment, profiles: _Profiles, most: float) -> tuple[float, ...]:
    """Each thread's time in parallel regions; a thread that comes to an inner one alone is
    busy there."""
    by = _busy_by_callpath if experiment.callpaths else _busy_by_text
    return tuple(min(most, each) for each in by(experiment, profiles))


def _busy_by_callpath(experiment: Experiment, profiles: _Profiles) -> Iterator[float]:
    above = _parallels_above(experiment)
    times: dict[int, float] = defaultdict(float)
    for (path, tid), measured in experiment.callpath_profile.items():
        if path in above:
            outside = above[path]
            while outside is not None and (outside, tid) not in experiment.callpath_profile:
                outside = above[outside]
            if outside is None:
                times[tid] += measured.execT
    return (times[tid] for tid in sorted(each.tid for each in experiment.locations))


def _busy_by_text(experiment: Experiment, profiles: _Profiles) -> Iterator[float]:
    parallels = [p for p in profiles if is_parallel(p.region.kind)]
    outer = {region.id for region in outermost(p.region for p in parallels)}
    for row in range(len(experiment.locations)):
        times = {True: 0.0, False: 0.0}
        for profile in parallels:
            times[profile.region.id in outer] += profile.rows[row].measured.execT
        yield times[True] or times[False]
