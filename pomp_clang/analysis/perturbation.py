"""What the measurement itself cost: an estimate, from what an event was measured to cost.

The runtime tries its own events at the start, when nothing comes between them.  A visit
costs as many of them as its construct has; what of that lies between the two readings
of the clock is in the region's own time, all of it is in the times of what is around it.
A barrier that was made explicit at the end of a parallel region is run beside the implied one:
a barrier more, that took what is in `_second_barrier`.  Threads that wait for one that was held
up are not accounted for.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from pomp_clang.experiment.model import CallPath, Costs, Experiment, Measured, Region, Snapshot
from pomp_clang.openmp.columns import is_parallel
from pomp_clang.openmp.directives import MEASURED, Barrier, Directive

_ROWS = {directive.words: directive for directive in MEASURED}
_PHASES = ("enterT", "bodyT", "exitT", "exitBarT", "startupT", "shutdwnT")
_Key = tuple[str, int]

Share = tuple[float, float, float]
"""Seconds in a region's time: by its own events, by those inside, by a second barrier."""


@dataclass(frozen=True, slots=True)
class RegionCost:
    """Seconds of all threads: that its own visits cost, and that are in its execT."""

    region: Region
    own: float
    within: float
    execT: float


@dataclass(frozen=True, slots=True)
class Perturbation:
    """`total` seconds of all threads, `initial` of the initial thread: by so much the
    program lasted longer; `share` is that of the total in all threads' time, `barriers` what
    of it second barriers took; `regions` with the costliest first."""

    costs: Costs
    share: float
    total: float
    initial: float
    barriers: float
    regions: tuple[RegionCost, ...]
    by_region: dict[_Key, Share]
    by_path: dict[_Key, Share]


def perturbation(experiment: Experiment) -> Perturbation | None:
    """Of an experiment as it was measured; None where the runtime did not measure what its
    events cost."""
    if experiment.costs is None:
        return None
    regions = {region.id: region for region in experiment.regions}
    paths = {path.id: path for path in experiment.callpaths}
    below: dict[_Key, float] = {}
    own: dict[str, float] = dict.fromkeys(regions, 0.0)
    by_region: dict[_Key, Share] = {}
    by_path: dict[_Key, Share] = {}
    total = initial = barriers = 0.0
    for path in reversed(experiment.callpaths):
        around, is_within = _around(path, paths, regions), _is_within_itself(path, paths)
        for tid in range(experiment.max_threads):
            measured = experiment.callpath_profile.get((path.id, tid))
            if measured is None:
                continue
            whole, within = _cost(regions[path.region], path.task, measured, experiment.costs)
            barrier = _second_barrier(regions[path.region], measured, experiment.costs)
            barriers += barrier
            whole += barrier
            inside = below.get((path.id, tid), 0.0)
            if around is not None:
                key = around, tid
                below[key] = below.get(key, 0.0) + whole + inside
            own[path.region] += whole
            total += whole
            initial += whole if tid == 0 else 0.0
            by_path[path.id, tid] = within, inside, barrier
            if not is_within:
                place = path.region, tid
                before = by_region.get(place, (0.0, 0.0, 0.0))
                by_region[place] = before[0] + within, before[1] + inside, before[2] + barrier
    found = [
        _region_cost(experiment, region, own[region.id], by_region) for region in regions.values()
    ]
    ranked = sorted((each for each in found if each.own), key=lambda each: -each.own)
    whole_time = experiment.duration * experiment.max_threads
    return Perturbation(
        experiment.costs,
        total / whole_time if whole_time else 0.0,
        total,
        initial,
        barriers,
        tuple(ranked),
        by_region,
        by_path,
    )


def _region_cost(
    experiment: Experiment, region: Region, own: float, by_region: dict[_Key, Share]
) -> RegionCost:
    tids = range(experiment.max_threads)
    booked = (experiment.profile.get((region.id, tid)) for tid in tids)
    took = sum(measured.execT for measured in booked if measured is not None)
    within = sum(sum(by_region.get((region.id, tid), ())) for tid in tids)
    return RegionCost(region, own, within, took)


def _around(path: CallPath, paths: dict[str, CallPath], regions: dict[str, Region]) -> str | None:
    """What a thread is in meanwhile: of a task, which may run anywhere in it, the parallel
    region."""
    above = path.above
    while path.task and above is not None:
        if is_parallel(regions[paths[above].region].kind) or paths[above].above is None:
            break
        above = paths[above].above
    return above


def _is_within_itself(path: CallPath, paths: dict[str, CallPath]) -> bool:
    above = paths.get(path.above or "")
    while above is not None:
        if above.region == path.region and above.task == path.task:
            return True
        above = paths.get(above.above or "")
    return False


def _cost(region: Region, task: bool, m: Measured, costs: Costs) -> tuple[float, float]:
    """Seconds of the visits, and what of them is in the region's own time; createT, the
    making of a task, is let be."""
    if task:
        return _of_task(task, m, costs)
    if is_parallel(region.kind):
        pairs = m.execC if " " in region.kind else 0
        whole = m.execC * costs.parallel + pairs * costs.pair
        return whole, m.execC * costs.parallel_within + pairs * costs.pair
    row = _ROWS.get(region.kind)
    tried = _tried(region.kind, costs)
    if tried[0]:
        return m.execC * tried[0], m.execC * tried[1]
    if region.kind == "task":
        return _of_task(task, m, costs)
    if region.kind == "lock":
        pairs, steps = 2 * m.execC, 0
    else:
        pairs, steps = m.execC, events_inside(row, region, m) if row else 0
    inside = steps * costs.step
    return pairs * costs.pair + inside, pairs * costs.pair_within + inside


def _of_task(runs: bool, m: Measured, costs: Costs) -> tuple[float, float]:
    if not runs:
        return m.createC * (costs.creation or costs.pair), 0.0
    if not costs.task:
        return m.execC * costs.pair, m.execC * costs.pair_within
    return m.execC * costs.task, m.execC * costs.task_within


def _tried(kind: str, costs: Costs) -> tuple[float, float]:
    match kind:
        case "atomic":
            return costs.atomic, costs.atomic_within
        case "critical":
            return costs.critical, costs.critical_within
        case "master" | "masked":
            return costs.master, costs.master_within
        case "taskwait" | "taskyield":
            return costs.wait, costs.wait_within
    return 0.0, 0.0


def _second_barrier(region: Region, m: Measured, costs: Costs) -> float:
    """Of the visits: the first one, or the region's end if that was shorter, without the events."""
    return max(0.0, m.againT - m.execC * costs.pair_within) if is_parallel(region.kind) else 0.0


def events_inside(row: Directive, region: Region, m: Measured) -> int:
    """The events between the first of a visit and its last."""
    blocks = m.bodyC if region.kind in ("single", "sections") else m.execC
    steps = 2 * blocks if (row.around and row.inside) or region.kind == "sections" else 0
    waits = row.barrier is not Barrier.NONE and not region.nowait and region.barrier_measured
    return steps + (2 * m.execC if waits else 0)


def without(experiment: Experiment) -> Experiment:
    """The experiment with the estimate taken out of its times: of each region's execT and
    bodyT, and of the duration."""
    found = perturbation(experiment)
    if found is None:
        return experiment
    return replace(
        experiment,
        costs=None,
        duration=max(0.0, experiment.duration - found.initial),
        profile=_less(experiment.profile, found.by_region),
        callpath_profile=_less(experiment.callpath_profile, found.by_path),
        snapshots=tuple(_snapshot_without(experiment, each) for each in experiment.snapshots),
    )


def _snapshot_without(experiment: Experiment, snapshot: Snapshot) -> Snapshot:
    then = without(experiment.at(snapshot))
    return replace(
        snapshot,
        time=then.duration,
        profile=then.profile,
        callpath_profile=then.callpath_profile,
    )


def _less(profile: dict[_Key, Measured], costs: dict[_Key, Share]) -> dict[_Key, Measured]:
    return {key: _without(m, costs.get(key, (0.0, 0.0, 0.0))) for key, m in profile.items()}


def _without(m: Measured, cost: Share) -> Measured:
    """What its own events cost is spread over the phases, what is inside is in the body's, and
    a second barrier in the region's end."""
    own, inside, barrier = cost
    phases = {name: value for name in _PHASES if (value := getattr(m, name)) > 0}
    if not phases:
        return replace(m, execT=max(0.0, m.execT - own - inside))
    left = {name: max(0.0, value - own / len(phases)) for name, value in phases.items()}
    for name, part in (("bodyT", inside), ("shutdwnT", barrier)):
        if name in left:
            left[name] = max(0.0, left[name] - part)
    taken = sum(phases.values()) - sum(left.values())
    return replace(m, execT=max(0.0, m.execT - taken), **left)


@dataclass(frozen=True, slots=True)
class PlaceCost:
    """Seconds of a thread that events take at a call path, without the call paths below: `within`
    are its own visits' in its own phases, `around` those of what is inside, in its body, and
    `barrier` a second barrier's.  Of no call path, "", `around` is outside all regions."""

    within: float = 0.0
    around: float = 0.0
    barrier: float = 0.0


def costs_by_place(experiment: Experiment) -> dict[_Key, PlaceCost]:
    """Return the estimate by call path and thread, each part once: they add up to the total."""
    if experiment.costs is None:
        return {}
    regions = {region.id: region for region in experiment.regions}
    paths = {path.id: path for path in experiment.callpaths}
    found: dict[_Key, PlaceCost] = {}
    for path in experiment.callpaths:
        around, region = _around(path, paths, regions) or "", regions[path.region]
        for tid in range(experiment.max_threads):
            measured = experiment.callpath_profile.get((path.id, tid))
            if measured is None:
                continue
            whole, within = _cost(region, path.task, measured, experiment.costs)
            barrier = _second_barrier(region, measured, experiment.costs)
            here = found.get((path.id, tid), PlaceCost())
            found[path.id, tid] = replace(here, within=within, barrier=barrier)
            there = found.get((around, tid), PlaceCost())
            found[around, tid] = replace(there, around=there.around + whole - within)
    return found


def visit_costs(costs: Costs | None) -> dict[str, float]:
    """Return the seconds that events take in the time of a visit, by the kinds of regions that
    have nothing but that time."""
    if costs is None:
        return {}
    return {"atomic": costs.atomic_within or costs.pair_within, "flush": costs.pair_within}
