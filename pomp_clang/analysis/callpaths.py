"""The call-path profile: what each path took, and what of that was its own."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from pomp_clang.experiment.model import CallPath, Experiment, Measured, Region


@dataclass(frozen=True, slots=True)
class Visits:
    """Of one thread: `inclusive` and `exclusive` are seconds.

    What a path calls is not exclusively its own, nor are the tasks that a thread runs
    while it waits there: these have paths below the parallel region.
    """

    tid: int
    execC: int
    inclusive: float
    exclusive: float


@dataclass(frozen=True, slots=True)
class PathProfile:
    """A call path with those of the threads that were on it; `depth` counts from 0."""

    path: CallPath
    region: Region
    depth: int
    threads: tuple[Visits, ...]

    @property
    def execC(self) -> int:
        """Visits of all threads."""
        return sum(each.execC for each in self.threads)

    @property
    def inclusive(self) -> float:
        """Seconds of all threads."""
        return sum(each.inclusive for each in self.threads)

    @property
    def exclusive(self) -> float:
        """Seconds of all threads."""
        return sum(each.exclusive for each in self.threads)


def callpath_profile(experiment: Experiment) -> tuple[PathProfile, ...]:
    """Every call path, callers before what they call."""
    regions = {region.id: region for region in experiment.regions}
    called: dict[tuple[str, int], float] = {}
    for path in experiment.callpaths:
        if path.above is not None and not path.task:
            for tid in range(experiment.max_threads):
                measured = experiment.callpath_profile.get((path.id, tid))
                if measured is not None:
                    key = path.above, tid
                    called[key] = called.get(key, 0.0) + _spent(measured, regions[path.region])
    depths: dict[str, int] = {}
    profiles = []
    for path in experiment.callpaths:
        depths[path.id] = depths[path.above] + 1 if path.above is not None else 0
        threads = _visits(path, experiment, called)
        profiles.append(PathProfile(path, regions[path.region], depths[path.id], threads))
    return tuple(profiles)


def _took(measured: Measured) -> float:
    """A task's creation has no execT."""
    return measured.execT + measured.createT


def _spent(measured: Measured, region: Region) -> float:
    """What of it passed where the region stands: a lock is held beyond that."""
    return _took(measured) - (measured.bodyT if region.kind == "lock" else 0.0)


def _visits(
    path: CallPath, experiment: Experiment, called: Mapping[tuple[str, int], float]
) -> tuple[Visits, ...]:
    found = []
    for tid in range(experiment.max_threads):
        measured = experiment.callpath_profile.get((path.id, tid))
        if measured is not None:
            took = _took(measured)
            own = max(0.0, took - called.get((path.id, tid), 0.0) - measured.taskT)
            count = measured.execC or measured.createC
            found.append(Visits(tid, count, took, own))
    return tuple(found)
