"""The call-path profile: what each path took, and what of that was its own.

A path's own time is what its threads spent there and neither in what it calls nor in tasks;
with all that is below it, tasks included whoever ran them, it is inclusive.  So own times
add up to the whole.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from functools import cached_property

from pomp_clang.analysis.profile import NOTHING
from pomp_clang.experiment.model import CallPath, Experiment, Measured, Region
from pomp_clang.openmp.columns import TASKLOOPS, is_parallel

_WAITS = frozenset((*TASKLOOPS, "taskwait", "taskyield", "taskgroup"))
"""Where an explicit task stands still.  What runs in tasks that run there, while these wait
in turn, is in the wall time around it and not in their own taskT."""


@dataclass(frozen=True, slots=True)
class Visits:
    """Of one thread: `inclusive` and `exclusive` are seconds.

    `execC` is 0 where the thread only ran tasks that others made there.
    """

    tid: int
    execC: int
    inclusive: float
    exclusive: float


@dataclass(frozen=True)
class PathProfile:
    """A call path with those of the threads that were on it or below; `depth` counts from 0."""

    path: CallPath
    region: Region
    depth: int
    threads: tuple[Visits, ...]

    @cached_property
    def execC(self) -> int:
        """Visits of all threads."""
        return sum(each.execC for each in self.threads)

    @cached_property
    def inclusive(self) -> float:
        """Seconds of all threads."""
        return sum(each.inclusive for each in self.threads)

    @cached_property
    def exclusive(self) -> float:
        """Seconds of all threads."""
        return sum(each.exclusive for each in self.threads)


_Key = tuple[str, int]
"""A call path and a thread."""


def callpath_profile(experiment: Experiment) -> tuple[PathProfile, ...]:
    """Every call path, callers before what they call."""
    regions = {region.id: region for region in experiment.regions}
    own = _Own(experiment, regions).times()
    inclusive = dict(own)
    by_path: dict[str, set[int]] = defaultdict(set)
    for path, tid in own:
        by_path[path].add(tid)
    for each in reversed(experiment.callpaths):
        if each.above is not None:
            for tid in by_path[each.id]:
                key = each.above, tid
                inclusive[key] = inclusive.get(key, 0.0) + inclusive[each.id, tid]
            by_path[each.above] |= by_path[each.id]
    depths: dict[str | None, int] = {None: -1}
    profiles = []
    for each in experiment.callpaths:
        depths[each.id] = depths[each.above] + 1
        threads = tuple(
            Visits(
                tid,
                _count(experiment.callpath_profile.get((each.id, tid), NOTHING)),
                inclusive[each.id, tid],
                own.get((each.id, tid), 0.0),
            )
            for tid in sorted(by_path[each.id])
        )
        profiles.append(PathProfile(each, regions[each.region], depths[each.id], threads))
    return tuple(profiles)


def _count(measured: Measured) -> int:
    return measured.execC or measured.createC


def spent(measured: Measured, region: Region) -> float:
    """A task's creation has no execT, that of a taskloop's tasks is in it; a lock is held beyond
    the place where it was got."""
    held = measured.bodyT if region.kind == "lock" else 0.0
    created = 0.0 if region.kind in TASKLOOPS else measured.createT
    return measured.execT + created - held


class _Own:
    """The own times, from those that the runtime books: with all that runs meanwhile."""

    def __init__(self, experiment: Experiment, regions: dict[str, Region]) -> None:
        self._profile = experiment.callpath_profile
        self._paths = experiment.callpaths
        self._region = {path.id: regions[path.region] for path in experiment.callpaths}
        self._above = {path.id: path.above for path in experiment.callpaths}
        self._explicit: dict[str | None, bool] = {None: False}
        """whether it is in an explicit task"""
        self._team: dict[str | None, str | None] = {None: None}
        """the path of the parallel region that it is in"""
        self._tasks = {path.id for path in experiment.callpaths if path.task}
        for path in experiment.callpaths:
            forks = is_parallel(self._region[path.id].kind) and not path.task
            self._explicit[path.id] = path.task or (self._explicit[path.above] and not forks)
            self._team[path.id] = path.id if forks else self._team[path.above]

    def times(self) -> dict[_Key, float]:
        own = {
            key: spent(measured, self._region[key[0]]) - measured.taskT
            for key, measured in self._profile.items()
        }
        for (path, tid), measured in self._profile.items():
            above = self._above[path]
            if above is not None and path not in self._tasks and (above, tid) in own:
                own[above, tid] -= spent(measured, self._region[path])
                if self._explicit[above] and self._region[path].kind in _WAITS:
                    own[above, tid] += measured.taskT
        own = {key: max(0.0, value) for key, value in own.items()}
        for key, part in self._within_others(own).items():
            own[key] -= part
        return own

    def _within_others(self, own: dict[_Key, float]) -> dict[_Key, float]:
        """What is part of an implicit task's own time as booked, and in truth of tasks: those
        that were not deferred, or run in waits of such as ran in its waits.

        How much that is is known for a thread in a team; it is shared out to the places
        that make tasks or wait for them by what they have.
        """
        missing: dict[tuple[str | None, int], float] = defaultdict(float)
        places: dict[tuple[str | None, int], set[_Key]] = defaultdict(set)
        for (path, tid), measured in self._profile.items():
            group = self._team[path], tid
            above = self._above[path]
            if path in self._tasks:
                missing[group] += measured.execT
            elif not self._explicit[path]:
                missing[group] -= measured.taskT
                kind = self._region[path].kind
                if (measured.createC or kind in _WAITS) and (above, tid) in own:
                    places[group].add((above or "", tid))
        taken: dict[_Key, float] = {}
        for group, keys in places.items():
            whole = sum(own[key] for key in keys)
            if whole > 0 and missing[group] > 0:
                part = min(1.0, missing[group] / whole)
                taken |= {key: part * own[key] for key in keys}
        return taken
