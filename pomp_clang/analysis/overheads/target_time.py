"""The time for which threads of the host are in target constructs."""

from __future__ import annotations

from collections.abc import Iterator

from pomp_clang.analysis.columns import target_time
from pomp_clang.analysis.profile import RegionProfile, enclosing, payers
from pomp_clang.experiment.model import Experiment, Measured, Region
from pomp_clang.openmp.kinds import is_parallel, is_target
from pomp_clang.shared_dataclass import dataclass

_Profiles = tuple[RegionProfile, ...]


@dataclass(frozen=True, slots=True)
class TargetTimes:
    """Seconds in target constructs: of the initial thread `outside` parallel regions, and of
    all threads `inside` them."""

    outside: float
    inside: float


def target_times(experiment: Experiment, profiles: _Profiles) -> TargetTimes | None:
    """Return None for a program that has no target construct."""
    if not any(is_target(region.kind) for region in experiment.regions):
        return None
    times_of = _by_callpath if experiment.callpaths else _by_text
    outside, inside = 0.0, 0.0
    initial = min((location.tid for location in experiment.locations), default=0)
    for region, is_inside, tid, measured in times_of(experiment, profiles):
        time = target_time(region.kind, measured)
        if is_inside:
            inside += time
        elif tid == initial:
            outside += time
    return TargetTimes(outside, inside)


_Visits = Iterator[tuple[Region, bool, int, Measured]]
"""A target region, whether it is in a parallel region, and what a thread measured there."""


def _by_callpath(experiment: Experiment, profiles: _Profiles) -> _Visits:
    """Yield the outermost target construct of each call path: host code runs in no other."""
    regions = {region.id: region for region in experiment.regions}
    payer_of = payers(experiment)
    covered: set[str | None] = set()
    targets: dict[str, Region] = {}
    for path in experiment.callpaths:
        region = regions[path.region]
        if path.above in covered:
            covered.add(path.id)
        elif is_target(region.kind):
            targets[path.id] = region
            if region.kind != "target data":
                covered.add(path.id)
    for (path_id, tid), measured in experiment.callpath_profile.items():
        if path_id in targets:
            yield targets[path_id], bool(payer_of[path_id]), tid, measured


def _by_text(experiment: Experiment, profiles: _Profiles) -> _Visits:
    parallels = [p.region for p in profiles if is_parallel(p.region.kind)]
    for profile in profiles:
        if is_target(profile.region.kind):
            inside = enclosing(profile.region, parallels) is not None
            for row in profile.rows:
                yield profile.region, inside, row.tid, row.measured
