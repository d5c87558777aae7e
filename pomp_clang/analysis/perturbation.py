"""Perturbation: an estimate of what the measurement itself cost.

The runtime measures its own events at the start, when nothing comes between them. A visit costs as
many of them as its construct has. The part between the two readings of the clock is in the region's
own time; all of it is in the times of the regions around. A barrier that was made explicit at the
end of a parallel region runs in addition to the implied one, and `_second_barrier` has its cost.
Waits for a thread that was held up are not accounted for. Flushes in a loop that waits cost nothing:
the loop would take as long without their events.
"""

from __future__ import annotations

from dataclasses import replace

from pomp_clang.analysis.overheads.event_cost import exposed, masked
from pomp_clang.analysis.overheads.flush_loops import flush_loops
from pomp_clang.analysis.overheads.task_lock import costs_beside_lock
from pomp_clang.experiment.model import CallPath, EventCosts, Experiment, Measured, Region, Snapshot
from pomp_clang.openmp.directives import MEASURED, Directive, ImpliedBarrier
from pomp_clang.openmp.fortran_directives import FORTRAN_MEASURED
from pomp_clang.openmp.kinds import is_parallel
from pomp_clang.shared_dataclass import dataclass

_ROWS = {directive.words: directive for directive in (*MEASURED, *FORTRAN_MEASURED)}
_PHASES = ("enterT", "bodyT", "exitT", "exitBarT", "startupT", "shutdwnT")
_Key = tuple[str, int]

Share = tuple[float, float, float]
"""Seconds in a region's time: by its own events, by events inside, by a second barrier."""


@dataclass(frozen=True, slots=True)
class RegionCost:
    """Seconds of all threads: the cost of the region's own visits, and the cost within its execT."""

    region: Region
    exclusive: float
    within: float
    execT: float


@dataclass(frozen=True, slots=True)
class Perturbation:
    """The estimate for a run.

    `total` is in seconds of all threads, `initial` in seconds of the initial thread: the program
    lasted longer by that. `share` is the share of the total in all threads' time, `barriers` the
    part of second barriers. `most` is the total with the time in which atomic updates wait for
    memory: without events, other work may overlap it. It also has all of the events of tasks, in
    whose place threads may wait for a lock. `regions` have the costliest first.
    `by_thread` has the cost of a region's own visits by thread.
    """

    costs: EventCosts
    share: float
    total: float
    most: float
    initial: float
    barriers: float
    regions: tuple[RegionCost, ...]
    by_region: dict[_Key, Share]
    by_path: dict[_Key, Share]
    by_thread: dict[_Key, float]

    @property
    def share_most(self) -> float:
        """The share of `most` in all threads' time."""
        return self.share * self.most / self.total if self.total > 0 else 0.0


def perturbation(experiment: Experiment) -> Perturbation | None:
    """Estimate the cost in an experiment; None if the runtime did not measure its events."""
    costs = costs_beside_lock(experiment)
    if costs is None or experiment.costs is None:
        return None
    regions = {region.id: region for region in experiment.regions}
    paths = {path.id: path for path in experiment.callpaths}
    below: dict[_Key, float] = {}
    own_cost: dict[str, float] = dict.fromkeys(regions, 0.0)
    by_thread: dict[_Key, float] = {}
    by_region: dict[_Key, Share] = {}
    by_path: dict[_Key, Share] = {}
    total = initial = barriers = waited = 0.0
    in_waits = flush_loops(experiment)
    for path in reversed(experiment.callpaths):
        around, is_within = _around(path, paths, regions), _is_within_itself(path, paths)
        for tid in range(experiment.max_threads):
            measured = experiment.callpath_profile.get((path.id, tid))
            if measured is None or path.region in in_waits:
                continue
            cost, within = _cost(regions[path.region], path.task, measured, costs)
            if costs is not experiment.costs:
                events = _cost(regions[path.region], path.task, measured, experiment.costs)
                waited += events[0] - cost
            barrier = _second_barrier(regions[path.region], measured, costs)
            barriers += barrier
            cost += barrier
            inside = below.get((path.id, tid), 0.0)
            if around is not None:
                key = around, tid
                below[key] = below.get(key, 0.0) + cost + inside
            own_cost[path.region] += cost
            place = path.region, tid
            by_thread[place] = by_thread.get(place, 0.0) + cost
            total += cost
            if regions[path.region].kind == "atomic":
                waited += exposed(measured, costs)
            initial += cost if tid == 0 else 0.0
            by_path[path.id, tid] = within, inside, barrier
            if not is_within:
                before = by_region.get(place, (0.0, 0.0, 0.0))
                by_region[place] = before[0] + within, before[1] + inside, before[2] + barrier
    region_costs = [
        _region_cost(experiment, region, own_cost[region.id], by_region)
        for region in regions.values()
    ]
    ranked = sorted(
        (cost for cost in region_costs if cost.exclusive), key=lambda cost: -cost.exclusive
    )
    whole_time = experiment.duration * experiment.threads_at_once
    return Perturbation(
        experiment.costs,
        total / whole_time if whole_time else 0.0,
        total,
        total + waited,
        initial,
        barriers,
        tuple(ranked),
        by_region,
        by_path,
        by_thread,
    )


def _region_cost(
    experiment: Experiment, region: Region, exclusive: float, by_region: dict[_Key, Share]
) -> RegionCost:
    tids = range(experiment.max_threads)
    measurements = (experiment.profile.get((region.id, tid)) for tid in tids)
    exec_time = sum(measured.execT for measured in measurements if measured is not None)
    within = sum(sum(by_region.get((region.id, tid), ())) for tid in tids)
    return RegionCost(region, exclusive, within, exec_time)


def _around(path: CallPath, paths: dict[str, CallPath], regions: dict[str, Region]) -> str | None:
    """Return the call path in whose time a visit lies.

    For a task, which may run anywhere in it, this is the parallel region.
    """
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


def _cost(region: Region, task: bool, m: Measured, costs: EventCosts) -> tuple[float, float]:
    """Return the seconds of the visits, and the part in the region's own time.

    The creation of a task, createT, is left as measured.
    """
    if task:
        return _of_task(task, m, costs)
    if is_parallel(region.kind):
        pairs = m.execC if " " in region.kind else 0
        seconds = m.execC * costs.parallel + pairs * costs.pair
        return seconds, m.execC * costs.parallel_within + pairs * costs.pair
    row = _ROWS.get(region.kind)
    pair_cost = _pair_cost(region.kind, costs)
    if pair_cost[0]:
        return m.execC * pair_cost[0], m.execC * pair_cost[1]
    if region.kind == "task":
        return _of_task(task, m, costs)
    if region.kind == "lock":
        pairs, steps = 2 * m.execC, 0
    else:
        pairs, steps = m.execC, events_inside(row, region, m) if row else 0
    inside = steps * costs.step
    return pairs * costs.pair + inside, pairs * costs.pair_within + inside


def _of_task(runs: bool, m: Measured, costs: EventCosts) -> tuple[float, float]:
    if not runs:
        return m.createC * (costs.creation or costs.pair), 0.0
    if not costs.task:
        return m.execC * costs.pair, m.execC * costs.pair_within
    return m.execC * costs.task, m.execC * costs.task_within


def _pair_cost(kind: str, costs: EventCosts) -> tuple[float, float]:
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


def _second_barrier(region: Region, m: Measured, costs: EventCosts) -> float:
    """Return the seconds of the second barriers, without their events.

    The runtime booked the first barrier, or the region's end if that was shorter.
    """
    return max(0.0, m.againT - m.execC * costs.pair_within) if is_parallel(region.kind) else 0.0


def events_inside(row: Directive, region: Region, m: Measured) -> int:
    """Return the number of events between the first and the last one of the visits."""
    blocks = m.bodyC if region.kind in ("single", "sections") else m.execC
    steps = 2 * blocks if (row.around and row.inside) or region.kind == "sections" else 0
    waits = row.barrier is not ImpliedBarrier.NONE and not region.nowait and region.barrier_measured
    return steps + (2 * m.execC if waits else 0)


def without(experiment: Experiment) -> Experiment:
    """Subtract the estimate from the experiment: from execT and bodyT of regions, and from the
    duration.
    """
    estimate = perturbation(experiment)
    if estimate is None:
        return experiment
    return replace(
        experiment,
        costs=None,
        duration=max(0.0, experiment.duration - estimate.initial),
        profile=_less(experiment.profile, estimate.by_region),
        callpath_profile=_less(experiment.callpath_profile, estimate.by_path),
        snapshots=tuple(
            _snapshot_without(experiment, snapshot) for snapshot in experiment.snapshots
        ),
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
    """Subtract a cost: own events from all phases, events inside from the body, and a second
    barrier from the region's end.
    """
    exclusive, inside, barrier = cost
    phases = {name: value for name in _PHASES if (value := getattr(m, name)) > 0}
    if not phases:
        return replace(m, execT=max(0.0, m.execT - exclusive - inside))
    left = {name: max(0.0, value - exclusive / len(phases)) for name, value in phases.items()}
    for name, part in (("bodyT", inside), ("shutdwnT", barrier)):
        if name in left:
            left[name] = max(0.0, left[name] - part)
    subtracted = sum(phases.values()) - sum(left.values())
    return replace(m, execT=max(0.0, m.execT - subtracted), **left)


@dataclass(frozen=True, slots=True)
class PlaceCost:
    """The cost of events for a thread at a call path, without the paths below.

    `within` are its own visits in its own phases, `around` the events of what is inside, in its
    body, and `barrier` a second barrier. For no call path, "", `around` is outside all regions.
    """

    within: float = 0.0
    around: float = 0.0
    barrier: float = 0.0


def costs_by_place(experiment: Experiment) -> dict[_Key, PlaceCost]:
    """Return the estimate by call path and thread.

    The parts add up to the total, and to the time of atomic updates that their events dominate.
    """
    costs = costs_beside_lock(experiment)
    if costs is None:
        return {}
    regions = {region.id: region for region in experiment.regions}
    paths = {path.id: path for path in experiment.callpaths}
    place_costs: dict[_Key, PlaceCost] = {}
    in_waits = flush_loops(experiment)
    for path in experiment.callpaths:
        around, region = _around(path, paths, regions) or "", regions[path.region]
        for tid in range(experiment.max_threads):
            measured = experiment.callpath_profile.get((path.id, tid))
            if measured is None or region.id in in_waits:
                continue
            cost, within = _cost(region, path.task, measured, costs)
            barrier = _second_barrier(region, measured, costs)
            known = place_costs.get((path.id, tid), PlaceCost())
            if region.kind == "atomic":
                added = masked(measured, costs, experiment.max_threads)
                cost, within = cost + added, within + added
            place_costs[path.id, tid] = replace(known, within=within, barrier=barrier)
            outside = place_costs.get((around, tid), PlaceCost())
            place_costs[around, tid] = replace(outside, around=outside.around + cost - within)
    return place_costs
