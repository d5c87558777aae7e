"""What a job would gain: the traces of all its processes once more, in which they wait for each other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

import numpy as np
import numpy.typing as npt

from pomp_clang.causes.algebra import of_all
from pomp_clang.causes.graph import graph_of, turns_of
from pomp_clang.causes.mpi.inserted import clock_of
from pomp_clang.causes.mpi.peers import Together
from pomp_clang.causes.mpi.repairs import REPAIRS, Repair, WaitAt
from pomp_clang.causes.predict import as_it_is, changed_of
from pomp_clang.causes.properties.mpi import Waiting
from pomp_clang.causes.property import Property
from pomp_clang.causes.retime import Changed, Points, reached
from pomp_clang.causes.run import Run
from pomp_clang.trace.model import Ints
from pomp_clang.trace.mpi.columns import Job
from pomp_clang.trace.mpi.workers import ALONE, Workers

_COLUMNS = ("work", "lag", "is_free")


@dataclass(frozen=True, slots=True, eq=False)
class _Own:
    """A process's points, whose objects from `calls_from` on are those of all processes, and its
    times: points in ns of the job, others in ticks, of which `second` are one."""

    kind: npt.NDArray[np.uint8]
    first: Ints
    object: npt.NDArray[Any]
    when: Ints
    objects: int
    calls_from: int
    same: Changed
    courses: int
    main: int
    start: float
    second: int


@dataclass(frozen=True, slots=True, eq=False)
class _Changes:
    """What is otherwise in a process: by column the rows and what they are instead."""

    columns: dict[str, tuple[Ints, npt.NDArray[Any]]]
    tail: float


class Coupled:
    """Call paths are those of all, as the cube has them that they are merged to.  Times are seconds
    of the job.  `runs` are this worker's, by the job's processes; the first goes through all."""

    def __init__(self, job: Job, runs: dict[int, Run], workers: Workers = ALONE) -> None:
        self._runs, self._workers = runs, workers
        paths = workers.every({number: run.paths for number, run in runs.items()})
        self._rows = of_all(paths)[1]
        own = workers.gathered({number: _own(job, number, run) for number, run in runs.items()})
        self._whole = _Whole(own) if workers.is_first else None

    @property
    def duration(self) -> float:
        return self._whole.duration if self._whole else 0.0

    def gain_of(self, kind: type[Property], path: int) -> float | None:
        """Seconds, at the first worker; None where it cannot be told of a process that comes to the
        call path.  All workers have to ask for the same."""
        if not issubclass(kind, Waiting) or kind.remedy not in REPAIRS:
            return self._gain({each: self._changed(each, kind, path) for each in self._runs})
        gains = [
            self._gain({each: self._repaired(each, kind, path, repair) for each in self._runs})
            for repair in REPAIRS[kind.remedy]
        ]
        return max((each for each in gains if each is not None), default=None)

    def _gain(self, own: dict[int, Changed | None]) -> float | None:
        changes = self._workers.gathered(
            {number: self._changes(number, changed) for number, changed in own.items()}
        )
        if self._whole is None or any(each is None for each in changes):
            return None
        known = [each for each in changes if each is not None]
        return max(0.0, self._whole.duration - self._whole.end(known))

    def _changed(self, number: int, kind: type[Property], path: int) -> Changed | None:
        run = self._runs[number]
        here = np.flatnonzero(self._rows[number] == path)
        if not len(here) or not run.courses:
            return as_it_is(run)
        return changed_of(run, kind, int(here[0]))

    def _repaired(
        self, number: int, kind: type[Waiting], path: int, repair: Repair
    ) -> Changed | None:
        """All processes are changed, also those that others wait for at the call path."""
        run = self._runs[number]
        if not isinstance(run.peers, Together) or run.mpi is None:
            return None
        return repair(WaitAt(run.peers, number, kind.state, path))

    def _changes(self, number: int, changed: Changed | None) -> _Changes | None:
        if changed is None:
            return None
        same = as_it_is(self._runs[number])
        columns = {}
        for name in _COLUMNS:
            before, after = getattr(same, name), getattr(changed, name)
            if before is not after:
                rows = np.flatnonzero(before != after)
                columns[name] = rows, after[rows]
        return _Changes(columns, changed.tail)


def _own(job: Job, number: int, run: Run) -> _Own:
    graph, clock = graph_of(run), clock_of(job, number)
    return _Own(
        graph.kind, graph.first, graph.object, clock.at(graph.after), graph.objects,
        graph.calls_from, as_it_is(run), len(run.courses), run.main,
        float(clock.at(np.array([run.start]))[0]) / 1e9, run.second,
    )  # fmt: skip


class _Whole:
    """All processes, one behind the other."""

    def __init__(self, every: Sequence[_Own]) -> None:
        self._every = every
        self._first = np.cumsum([0, *(each.courses for each in every)])
        self._start = np.repeat([each.start for each in every], np.diff(self._first))
        self._begin = min((each.start for each in every), default=0.0)
        self._rows = np.cumsum([0, *(len(each.kind) for each in every)])
        shared = max((each.objects - each.calls_from for each in every), default=0)
        objects = np.cumsum([shared, *(each.calls_from for each in every)])
        self._objects = int(objects[-1])
        self._points = self._ordered(objects)
        self._same = {name: self._column(name) for name in _COLUMNS}
        self.duration = self.end([_Changes({}, each.same.tail) for each in every])

    def _ordered(self, objects: Ints) -> Points:
        kind = np.concatenate([each.kind for each in self._every])
        first = np.cumsum([0, *chain.from_iterable(np.diff(each.first) for each in self._every)])
        wanted = []
        for each, start in zip(self._every, objects, strict=False):
            is_call = each.object >= each.calls_from
            number = np.where(is_call, each.object - each.calls_from, each.object + start)
            wanted.append(np.where(each.object < 0, -1, number))
        when = np.concatenate([each.when for each in self._every])
        return Points(turns_of(when, kind, first), first, kind, np.concatenate(wanted))

    def _column(self, name: str) -> npt.NDArray[Any]:
        """In seconds, if it is a time."""
        return np.concatenate(
            [_in_seconds(name, getattr(each.same, name), each.second) for each in self._every]
        )

    def end(self, changes: Sequence[_Changes]) -> float:
        columns = dict(self._same)
        for number, change in enumerate(changes):
            for name, (rows, values) in change.columns.items():
                if columns[name] is self._same[name]:
                    columns[name] = columns[name].copy()
                at = self._rows[number] + rows
                columns[name][at] = _in_seconds(name, values, self._every[number].second)
        at = reached(
            self._points,
            columns["work"],
            columns["lag"],
            columns["is_free"],
            self._start.copy(),
            self._objects,
        )
        ends = [
            at[first + each.main] + change.tail * (1.0 / each.second)
            for each, first, change in zip(self._every, self._first, changes, strict=False)
            if each.courses
        ]
        return float(max(ends, default=self._begin)) - self._begin


def _in_seconds(name: str, values: npt.NDArray[Any], second: int) -> npt.NDArray[Any]:
    return values if name == "is_free" else values * (1.0 / second)
