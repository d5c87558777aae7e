"""The call-path profile: inclusive and exclusive time of each call path, and its columns.

The exclusive time of a path is what its threads spent there, neither in a path below nor in tasks.
The inclusive time adds all paths below, with their tasks on whichever thread. So exclusive times
add up to the whole.

The columns are those of the path's region, with inclusive and exclusive body times. As in ompP,
`bodyT/I` is inclusive, as in the flat profile. `bodyT/E` is exclusive: without the call paths
below. Constructs without a body have execT in both ways.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import cached_property
from operator import attrgetter

from pomp_clang.analysis.columns import ReportColumn, columns_of, without_tasks
from pomp_clang.analysis.profile import NOTHING, RegionProfile, ThreadValues, summed, with_further
from pomp_clang.experiment.model import CallPath, Experiment, Measured, Region
from pomp_clang.openmp.kinds import TASKLOOPS, is_parallel
from pomp_clang.shared_dataclass import dataclass

_WAITS = frozenset((*TASKLOOPS, "taskwait", "taskyield", "taskgroup"))
"""Constructs in which an explicit task is suspended.

Tasks can run in tasks that run there. The wall time around contains their time, their own taskT
does not.
"""


@dataclass(frozen=True, slots=True)
class ThreadVisits:
    """One thread's visits of a call path, with inclusive and exclusive seconds.

    `execC` is 0 if the thread only ran tasks that other threads created there.
    """

    tid: int
    execC: int
    inclusive: float
    exclusive: float


@dataclass(frozen=True)
class PathProfile:
    """A call path with the visits of each thread that was on it or below; `depth` counts from 0."""

    path: CallPath
    region: Region
    depth: int
    threads: tuple[ThreadVisits, ...]

    @cached_property
    def execC(self) -> int:
        """Visits of all threads."""
        return sum(visits.execC for visits in self.threads)

    @cached_property
    def inclusive(self) -> float:
        """Seconds of all threads."""
        return sum(visits.inclusive for visits in self.threads)

    @cached_property
    def exclusive(self) -> float:
        """Seconds of all threads."""
        return sum(visits.exclusive for visits in self.threads)


_Key = tuple[str, int]
"""A call path and a thread."""


def callpath_profile(experiment: Experiment) -> tuple[PathProfile, ...]:
    """Compute the call-path profile, callers before their callees."""
    regions = {region.id: region for region in experiment.regions}
    exclusive = _ExclusiveTimes(experiment, regions).times()
    inclusive = dict(exclusive)
    by_path: dict[str, set[int]] = defaultdict(set)
    for path_id, tid in exclusive:
        by_path[path_id].add(tid)
    for path in reversed(experiment.callpaths):
        if path.above is not None:
            for tid in by_path[path.id]:
                key = path.above, tid
                inclusive[key] = inclusive.get(key, 0.0) + inclusive[path.id, tid]
            by_path[path.above] |= by_path[path.id]
    depths: dict[str | None, int] = {None: -1}
    profiles = []
    for path in experiment.callpaths:
        depths[path.id] = depths[path.above] + 1
        threads = tuple(
            ThreadVisits(
                tid,
                _count(experiment.callpath_profile.get((path.id, tid), NOTHING)),
                inclusive[path.id, tid],
                exclusive.get((path.id, tid), 0.0),
            )
            for tid in sorted(by_path[path.id])
        )
        profiles.append(PathProfile(path, regions[path.region], depths[path.id], threads))
    return tuple(profiles)


def _count(measured: Measured) -> int:
    return measured.execC or measured.createC


def spent(measured: Measured, region: Region) -> float:
    """Return the seconds of a thread at a place, as booked by the runtime.

    The creation of a task has no execT; the creation of a taskloop's tasks is part of execT. A lock
    is held
    longer than its call lasts, so the holding time is subtracted.
    """
    lock_time = measured.bodyT if region.kind == "lock" else 0.0
    created = 0.0 if region.kind in TASKLOOPS else measured.createT
    return measured.execT + created - lock_time


class _ExclusiveTimes:
    """The computation of exclusive times from the booked ones, which contain all that runs
    meanwhile.
    """

    def __init__(self, experiment: Experiment, regions: dict[str, Region]) -> None:
        self._profile = experiment.callpath_profile
        self._paths = experiment.callpaths
        self._region = {path.id: regions[path.region] for path in experiment.callpaths}
        self._above = {path.id: path.above for path in experiment.callpaths}
        self._explicit: dict[str | None, bool] = {None: False}
        """whether the path is in an explicit task"""
        self._team: dict[str | None, str | None] = {None: None}
        """the path of the innermost parallel region around the path"""
        self._tasks = {path.id for path in experiment.callpaths if path.task}
        for path in experiment.callpaths:
            forks = is_parallel(self._region[path.id].kind) and not path.task
            self._explicit[path.id] = path.task or (self._explicit[path.above] and not forks)
            self._team[path.id] = path.id if forks else self._team[path.above]

    def times(self) -> dict[_Key, float]:
        times = {
            key: spent(measured, self._region[key[0]]) - measured.taskT
            for key, measured in self._profile.items()
        }
        for (path, tid), measured in self._profile.items():
            above = self._above[path]
            if above is not None and path not in self._tasks and (above, tid) in times:
                times[above, tid] -= spent(measured, self._region[path])
                if self._explicit[above] and self._region[path].kind in _WAITS:
                    times[above, tid] += measured.taskT
        times = {key: max(0.0, value) for key, value in times.items()}
        for key, part in self._within_others(times).items():
            times[key] -= part
        return times

    def _within_others(self, times: dict[_Key, float]) -> dict[_Key, float]:
        """Return the time that is booked as an implicit task's own but belongs to explicit tasks.

        These tasks were undeferred, or ran inside waits of tasks that ran in the implicit task's
        waits. The total is known for each thread of a team. It is distributed over the places that
        create tasks or wait for them, in proportion to their time.
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
                if (measured.createC or kind in _WAITS) and (above, tid) in times:
                    places[group].add((above or "", tid))
        task_times: dict[_Key, float] = {}
        for group, keys in places.items():
            total = sum(times[key] for key in keys)
            if total > 0 and missing[group] > 0:
                part = min(1.0, missing[group] / total)
                task_times |= {key: part * times[key] for key in keys}
        return task_times


_NOTHING_INSIDE = frozenset(("atomic", "flush", "barrier", "lock"))

_BODIES = frozenset(("bodyT", "singleT", "sectT"))


@dataclass(frozen=True, slots=True)
class PathColumn(ReportColumn):
    """A column of a call path; `exclusive` if the time of paths below is subtracted."""

    exclusive: bool = False


_EXECT = (
    PathColumn("execT/I", attrgetter("execT")),
    PathColumn("execT/E", without_tasks, exclusive=True),
)
_TASK = {True: ("execT", "execC"), False: ("createT", "createC")}
"""Columns of a task's execution and of its creation, which are two call paths."""

_LOOP_TASKS = frozenset(("loopT", "loopC"))
"""Columns of a taskloop's tasks, which have a call path of their own."""


def path_columns(kind: str, task: bool) -> tuple[ReportColumn, ...]:
    """Return the columns of a kind; `task` if the region runs as a task on this path."""
    columns = columns_of(kind)
    if kind in _NOTHING_INSIDE:
        return columns
    if task or kind == "task":
        columns = tuple(c for c in columns if c.name in _TASK[task])
    columns = tuple(c for c in columns if c.name not in _LOOP_TASKS)
    bodies = _BODIES.intersection(column.name for column in columns)
    return tuple(part for column in columns for part in _parts(column, bodies))


def _parts(column: ReportColumn, bodies: frozenset[str]) -> tuple[ReportColumn, ...]:
    if column.name in bodies:
        return (
            PathColumn(f"{column.name}/I", column.value),
            PathColumn(f"{column.name}/E", column.value, exclusive=True),
        )
    return _EXECT if column.name == "execT" and not bodies else (column,)


def column_profiles(
    experiment: Experiment, paths: Iterable[PathProfile]
) -> Iterator[RegionProfile]:
    """Yield the profile of each call path, with the columns of its region."""
    tids = sorted(location.tid for location in experiment.locations)
    for path in paths:
        columns = columns_at(experiment, path)
        nothing = tuple(column.value(NOTHING) for column in columns)
        rows = {tid: ThreadValues(tid, NOTHING, nothing) for tid in tids}
        rows |= {visits.tid: row_of(experiment, path, columns, visits) for visits in path.threads}
        all_rows = tuple(rows.values())
        yield RegionProfile(path.region, columns, all_rows, summed(all_rows, columns))


def columns_at(experiment: Experiment, path: PathProfile) -> tuple[ReportColumn, ...]:
    """Return the columns of a path that any of its threads has."""
    measured = (_measured(experiment, path, visits) for visits in path.threads)
    return with_further(path_columns(path.region.kind, path.path.task), measured)


def row_of(
    experiment: Experiment,
    path: PathProfile,
    columns: tuple[ReportColumn, ...],
    visits: ThreadVisits,
) -> ThreadValues:
    """Build one thread's row at a path."""
    measured = _measured(experiment, path, visits)
    below = spent(measured, path.region) - measured.taskT - visits.exclusive
    return ThreadValues(
        visits.tid, measured, tuple(_value(column, measured, below) for column in columns)
    )


def _measured(experiment: Experiment, path: PathProfile, visits: ThreadVisits) -> Measured:
    return experiment.callpath_profile.get((path.path.id, visits.tid), NOTHING)


def _value(column: ReportColumn, measured: Measured, below: float) -> float:
    value = column.value(measured)
    if isinstance(column, PathColumn) and column.exclusive:
        return max(0.0, min(value, value - below))
    return value
