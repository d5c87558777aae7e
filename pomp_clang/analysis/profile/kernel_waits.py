"""Waits for kernels at barriers: which part of a construct's wait passes while a thread of the team is
in a target construct, or while target constructs with `nowait` have not ended.

A profile has sums, and not the moments. A wait for a late thread is at most the kernels' time for each
other thread, and a wait for `nowait` is at most what all threads wait alike.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from pomp_clang.analysis.columns import COLUMNS, Overhead, target_time, without_tasks
from pomp_clang.experiment.model import CallPath, Experiment, Measured, Region
from pomp_clang.openmp.kernel_tasks import PathStep, waits_for_kernels
from pomp_clang.openmp.kinds import is_parallel, is_target

_ENDS_WITH_BARRIER = frozenset(
    kind
    for kind, columns in COLUMNS.items()
    if any(
        column.name == "exitBarT" and column.overhead in (Overhead.IMBAL, Overhead.LIMPAR)
        for column in columns
    )
)
_BLOCKS_OF_ONE = ("master", "masked")
_LEAST, _MOST = 0.02, 0.95
"""Shares of a wait below which kernels are no reason of it, and above which they are the only one."""


def kernel_parts(experiment: Experiment) -> dict[str, dict[str, float]]:
    """Return, for regions with waits for kernels, the part of each column's time that is one.

    The part of a master's block is the time in which its thread waits for kernels.
    """
    if not any(is_target(region.kind) for region in experiment.regions):
        return {}
    kernels = _KernelsByBarrier(experiment)
    parts: dict[str, dict[str, float]] = defaultdict(dict)
    for (region, column), (awaited, whole) in kernels.by_column().items():
        part = awaited / whole if whole > 0 else 0.0
        if part >= _LEAST:
            parts[region][column] = 1.0 if part > _MOST else part
    return dict(parts)


def regions_for_kernels(experiment: Experiment) -> set[str]:
    """Return the regions that wait for tasks, of which all are kernels, on all of their call paths."""
    if not any(is_target(region.kind) for region in experiment.regions):
        return set()
    if not experiment.callpaths:
        steps = [PathStep(-1, region.kind, region.kind == "task") for region in experiment.regions]
        rows = zip(experiment.regions, waits_for_kernels(steps), strict=True)
        return {region.id for region, awaits in rows if awaits and _defers(experiment)}
    for_kernels = _paths_for_kernels(experiment)
    others = {path.region for path in experiment.callpaths if path.id not in for_kernels}
    return {path.region for path in experiment.callpaths if path.id in for_kernels} - others


def _paths_for_kernels(experiment: Experiment) -> set[str]:
    if not _defers(experiment):
        return set()
    kinds = {region.id: region.kind for region in experiment.regions}
    rows = {path.id: row for row, path in enumerate(experiment.callpaths)}
    steps = [
        PathStep(rows[path.above] if path.above else -1, kinds[path.region], path.task)
        for path in experiment.callpaths
    ]
    awaits = waits_for_kernels(steps)
    return {path.id for path, is_one in zip(experiment.callpaths, awaits, strict=True) if is_one}


def _defers(experiment: Experiment) -> bool:
    """Return whether target constructs ran as tasks."""
    target = experiment.target
    return target is not None and any(use.deferC for use in target.activities.values())


@dataclass(slots=True)
class _Awaited:
    """Kernels that threads of a team wait for at the barrier of one call path: the seconds of each
    thread, the most visits of a construct, and the seconds of constructs with `nowait`."""

    seconds: dict[int, float] = field(default_factory=lambda: defaultdict(float))
    visits: int = 0
    deferred: float = 0.0
    waited: float = 0.0
    """Seconds in which threads waited for `nowait` before the barrier"""


@dataclass(slots=True)
class _Wait:
    """A wait at a barrier: the column, and the seconds of each thread of the team; `for_kernels` are
    those of all threads that were found to be for kernels."""

    region: str
    column: str
    seconds: dict[int, float]
    visits: int
    for_kernels: float = 0.0

    @property
    def whole(self) -> float:
        return sum(self.seconds.values())

    @property
    def alike(self) -> float:
        """The seconds that each thread waits at least."""
        return min(self.seconds.values(), default=0.0)


class _KernelsByBarrier:
    """The waits for kernels of a run, by call path."""

    def __init__(self, experiment: Experiment) -> None:
        self._experiment = experiment
        self._regions = {region.id: region for region in experiment.regions}
        self._paths = {path.id: path for path in experiment.callpaths}
        self._rows: dict[str, dict[int, Measured]] = defaultdict(dict)
        for (path, tid), measured in experiment.callpath_profile.items():
            if measured.execC:
                self._rows[path][tid] = measured
        self._for_kernels = _paths_for_kernels(experiment)
        self._barriers = {path: self._barrier_of(path) for path in self._paths}
        self._awaited: dict[str, _Awaited] = defaultdict(_Awaited)
        self._in_blocks: dict[str, float] = defaultdict(float)
        self._collect()

    def by_column(self) -> dict[tuple[str, str], tuple[float, float]]:
        """Return the seconds of waits for kernels and of all waits, by region and column."""
        sums: dict[tuple[str, str], tuple[float, float]] = defaultdict(lambda: (0.0, 0.0))

        def add(key: tuple[str, str], awaited: float, whole: float) -> None:
            before = sums[key]
            sums[key] = before[0] + awaited, before[1] + whole

        waits = self._waits()
        for barrier in sorted(waits, key=self._is_region):
            if barrier in self._awaited:
                _divide(self._awaited[barrier], waits[barrier])
        for wait in {
            id(wait): wait for at_barrier in waits.values() for wait in at_barrier
        }.values():
            add((wait.region, wait.column), wait.for_kernels, wait.whole)
        for path in self._paths.values():
            if self._region(path).kind in _BLOCKS_OF_ONE:
                whole = sum(measured.execT for measured in self._rows[path.id].values())
                add((path.region, "execT"), self._in_blocks[path.id], whole)
        return sums

    def _region(self, path: CallPath) -> Region:
        return self._regions[path.region]

    def _above(self, path: str) -> Iterator[CallPath]:
        above = self._paths[path].above
        while above is not None:
            yield self._paths[above]
            above = self._paths[above].above

    def _barrier_of(self, path: str) -> str:
        """Return the innermost construct around a call path whose end is a barrier, "" for none."""
        for outer in self._above(path):
            region = self._region(outer)
            if region.kind in _ENDS_WITH_BARRIER and "nowait" not in region.clauses.split():
                return outer.id
        return ""

    def _collect(self) -> None:
        inside: set[str] = set()
        for path in self._paths.values():
            kind = self._region(path).kind
            if path.above in inside:
                inside.add(path.id)
            elif is_target(kind):
                self._add(
                    path, {tid: target_time(kind, m) for tid, m in self._rows[path.id].items()}
                )
                if kind != "target data":
                    inside.add(path.id)
            elif path.id in self._for_kernels:
                self._add_wait(path, kind)
        target = self._experiment.target
        for (ident, _), use in target.activities.items() if target else ():
            if use.deferC and ident in self._paths and not self._is_in_group(ident):
                part = use.deferC / max(use.targetC, use.deferC)
                self._awaited[self._barriers[ident]].deferred += use.targetT * part

    def _add(self, path: CallPath, seconds: Mapping[int, float]) -> None:
        awaited = self._awaited[self._barriers[path.id]]
        for tid, time in seconds.items():
            awaited.seconds[tid] += time
        visits = sum(measured.execC for measured in self._rows[path.id].values())
        awaited.visits = max(awaited.visits, visits)
        for outer in self._above(path.id):
            if self._region(outer).kind in _BLOCKS_OF_ONE:
                self._in_blocks[outer.id] += sum(seconds.values())

    def _add_wait(self, path: CallPath, kind: str) -> None:
        seconds = {
            tid: without_tasks(measured) if kind == "taskwait" else measured.exitBarT
            for tid, measured in self._rows[path.id].items()
        }
        self._add(path, seconds)
        if kind == "taskwait":
            self._awaited[self._barriers[path.id]].waited += sum(seconds.values())

    def _is_in_group(self, path: str) -> bool:
        """Return whether a taskgroup waits for a call path's tasks before a barrier does."""
        for outer in self._above(path):
            if outer.id == self._barriers[path]:
                return False
            if self._region(outer).kind == "taskgroup":
                return True
        return False

    def _waits(self) -> dict[str, list[_Wait]]:
        """Return the waits at which threads may wait for the kernels of each construct with a barrier:
        its own end, and barriers in it."""
        waits: dict[str, list[_Wait]] = defaultdict(list)
        for path in self._paths.values():
            kind = self._region(path).kind
            if kind == "barrier":
                waits[self._barriers[path.id]].append(self._wait(path, "execT"))
            elif kind in _ENDS_WITH_BARRIER:
                wait = self._wait(path, "exitBarT")
                waits[path.id].append(wait)
                if is_parallel(kind):
                    waits[path.id].append(self._wait(path, "shutdwnT"))
                else:
                    waits[self._barriers[path.id]].append(wait)
        return waits

    def _wait(self, path: CallPath, column: str) -> _Wait:
        rows = self._rows[path.id]
        seconds = {
            tid: without_tasks(measured) if column == "execT" else float(getattr(measured, column))
            for tid, measured in rows.items()
        }
        visits = max((measured.execC for measured in rows.values()), default=0)
        return _Wait(path.region, column, seconds, visits)

    def _is_region(self, path: str) -> bool:
        return path in self._paths and is_parallel(self._region(self._paths[path]).kind)


def _divide(awaited: _Awaited, waits: list[_Wait]) -> None:
    """Distribute the kernels of a construct to the waits in it and at its end, the longest first."""
    deferred, left = max(0.0, awaited.deferred - awaited.waited), 1.0
    for wait in sorted(waits, key=lambda wait: -wait.whole):
        team = len(wait.seconds)
        alike = min(wait.alike, deferred)
        deferred -= alike
        wait.for_kernels = min(wait.whole, wait.for_kernels + team * alike)
        if wait.column == "shutdwnT":
            continue  # All have come.
        longest = _longest_wait(awaited, wait) * left
        part = min(wait.whole - wait.for_kernels, longest)
        wait.for_kernels += part
        left *= 1 - part / longest if longest > 0 else 1.0
        left = left if left > 1 - _MOST else 0.0


def _longest_wait(awaited: _Awaited, wait: _Wait) -> float:
    """Return the seconds for which a team waits at most for threads that wait for kernels.

    If no more than one thread meets a construct's kernel each time, all others wait for it.
    """
    seconds = [awaited.seconds.get(tid, 0.0) for tid in wait.seconds]
    if awaited.visits <= wait.visits:
        return (len(seconds) - 1) * sum(awaited.seconds.values())
    longest = max(seconds, default=0.0)
    pairs = zip(wait.seconds.values(), seconds, strict=True)
    return sum(min(waited, longest - own) for waited, own in pairs)
