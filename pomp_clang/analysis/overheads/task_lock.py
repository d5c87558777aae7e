"""The cost of task events in libgomp, where the threads of a team wait for one lock.

libgomp's queue of tasks has one lock. A thread that spends time in events meets less of a queue at
the lock. So tasks of some 100 ns take less additional time than their events. The waits are those of
a closed queueing network with one station (mean value analysis, Reiser and Lavenberg 1980): a thread
works, then waits for the lock and holds it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from pomp_clang.experiment.model import CallPath, EventCosts, Experiment, Measured
from pomp_clang.openmp.kinds import is_parallel
from pomp_clang.shared_dataclass import dataclass

_VISITS = 2
"""Visits to the lock for each task: as it is created, and as it ends and the next one begins."""

_STEPS = 40
"""Steps of the bisection for the time that a thread holds the lock."""


@dataclass(frozen=True, slots=True)
class _TaskCycle:
    """Mean seconds of a thread for each task: all, in events, and at the lock."""

    total: float
    events: float
    at_lock: float


def costs_beside_lock(experiment: Experiment) -> EventCosts | None:
    """Return the costs of events, those of tasks without what the waits for the lock get shorter."""
    costs = experiment.costs
    threads = min(
        experiment.max_threads, experiment.processors_of_threads or experiment.max_threads
    )
    if costs is None or experiment.openmp_runtime != "libgomp" or threads < 2:
        return costs
    cycle = _task_cycle(experiment, costs)
    if cycle is None or not 0 < cycle.events < cycle.total:
        return costs
    factor = (cycle.total - _without_events(cycle, threads)) / cycle.events
    return replace(
        costs,
        creation=costs.creation * factor,
        task=costs.task * factor,
        task_within=costs.task_within * factor,
        wait=costs.wait * factor,
        wait_within=costs.wait_within * factor,
    )


def _task_cycle(experiment: Experiment, costs: EventCosts) -> _TaskCycle | None:
    """Return the mean times of the tasks in parallel regions; None if there are no such tasks."""
    kinds = {region.id: region.kind for region in experiment.regions}
    paths = {path.id: path for path in experiment.callpaths}
    outermost = {path.id: _outermost_parallel(path, paths, kinds) for path in experiment.callpaths}
    created = [
        measured
        for path in experiment.callpaths
        if kinds[path.region] == "task" and not path.task and outermost[path.id]
        for measured in _measured(experiment, path.id)
    ]
    tasks = sum(measured.createC for measured in created)
    if not tasks:
        return None
    teams = {
        outermost[path.id] for path in experiment.callpaths if kinds[path.region] == "task"
    } - {None}
    total = sum(m.execT for team in teams if team for m in _measured(experiment, team))
    waits = sum(
        measured.execC
        for path in experiment.callpaths
        if kinds[path.region] == "taskwait" and outermost[path.id] in teams
        for measured in _measured(experiment, path.id)
    )
    events = (costs.creation or costs.pair) + costs.task + costs.wait * waits / tasks
    # What a creation takes beside the lock, for memory and a part of its events, is about the price
    # of its events.
    creation = sum(measured.createT for measured in created) / tasks - costs.creation
    at_lock = min(_VISITS * max(0.0, creation), max(0.0, total / tasks - events))
    return _TaskCycle(total / tasks, events, at_lock)


def _measured(experiment: Experiment, path: str) -> Iterator[Measured]:
    for tid in range(experiment.max_threads):
        measured = experiment.callpath_profile.get((path, tid))
        if measured is not None:
            yield measured


def _outermost_parallel(
    path: CallPath, paths: dict[str, CallPath], kinds: dict[str, str]
) -> str | None:
    """Return the outermost parallel region on a call path, None if there is none."""
    outermost = None
    at: CallPath | None = path
    while at is not None:
        if is_parallel(kinds[at.region]):
            outermost = at.id
        at = paths.get(at.above or "")
    return outermost


def _without_events(cycle: _TaskCycle, threads: int) -> float:
    """Return the seconds that a thread would take for each task without events."""
    away = cycle.total - cycle.at_lock
    least, most = 0.0, cycle.at_lock
    for _ in range(_STEPS):
        held = (least + most) / 2
        if _at_lock(held, away, threads) > cycle.at_lock:
            most = held
        else:
            least = held
    bare = max(0.0, away - cycle.events)
    return bare + _at_lock(least, bare, threads)


def _at_lock(held: float, away: float, threads: int) -> float:
    """Return the seconds from a request of the lock to its release, if each thread holds it for `held`
    and is away for `away`."""
    queue = seconds = 0.0
    for number in range(1, threads + 1):
        seconds = held * (1 + queue)
        queue = number * seconds / (away + seconds) if seconds else 0.0
    return seconds
