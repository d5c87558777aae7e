"""What-if predictions for a job: all processes are simulated together, with their mutual
waits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

import numpy as np
import numpy.typing as npt

from pomp_clang.causes.cube.algebra import of_all
from pomp_clang.causes.job.peers import JobPeers
from pomp_clang.causes.job.wait_repairs import REPAIRS, Repair, WaitAt
from pomp_clang.causes.mpi_waits.mpi_intervals import clock_of
from pomp_clang.causes.properties.mpi import Waiting
from pomp_clang.causes.properties.property import Property
from pomp_clang.causes.run.run import Run
from pomp_clang.causes.waits.wait_graph import graph_of, turns_of
from pomp_clang.causes.what_if.predict_gain import changed_of, together
from pomp_clang.causes.what_if.simulate import ChangedTrace, SimulatedPoints, as_it_is, reached
from pomp_clang.trace.model import Ints
from pomp_clang.trace.mpi.columns import Job
from pomp_clang.trace.mpi.workers import ALONE, Workers

_COLUMNS = ("work", "lag", "is_free")


@dataclass(frozen=True, slots=True, eq=False)
class _ProcessPoints:
    """The points of one process's wait graph. Objects from `calls_from` on are shared by all
    processes. `time` is ns on the job's clock, other times are ticks, of which `second` are one
    second."""

    kind: npt.NDArray[np.uint8]
    first: Ints
    object: npt.NDArray[Any]
    time: Ints
    objects: int
    calls_from: int
    same: ChangedTrace
    locations: int
    main: int
    start: float
    second: int


@dataclass(frozen=True, slots=True, eq=False)
class _ProcessChanges:
    """The changes to a process's trace: by column the rows that differ and their new values."""

    columns: dict[str, tuple[Ints, npt.NDArray[Any]]]
    tail: float


class JobPrediction:
    """Predictions for the call paths of a job, numbered as in its merged cube. Times are seconds of
    the job. `runs` are this worker's, by row in `Job.processes`; the first worker simulates all."""

    def __init__(self, job: Job, runs: dict[int, Run], workers: Workers = ALONE) -> None:
        self._runs, self._workers = runs, workers
        paths = workers.allgather({number: run.paths for number, run in runs.items()})
        self._rows = of_all(paths)[1]
        processes = workers.gather(
            {number: _process_points(job, number, run) for number, run in runs.items()}
        )
        self._whole = _JobSimulation(processes) if workers.is_first else None

    @property
    def duration(self) -> float:
        return self._whole.duration if self._whole else 0.0

    def gain_of(self, kind: type[Property], path: int, *others: int) -> float | None:
        """Return the predicted gain in seconds; None if it is unknown for a process that has the
        call path, and on all workers but the first. All workers must ask for the same."""
        paths = (path, *others)
        if not issubclass(kind, Waiting) or kind.remedy not in REPAIRS:
            return self._gain(
                {
                    number: self._of_all(number, [self._changed(number, kind, p) for p in paths])
                    for number in self._runs
                }
            )
        gains = [
            self._gain(
                {
                    number: self._of_all(
                        number, [self._repaired(number, kind, p, repair) for p in paths]
                    )
                    for number in self._runs
                }
            )
            for repair in REPAIRS[kind.remedy]
        ]
        return max((gain for gain in gains if gain is not None), default=None)

    def _of_all(self, number: int, changes: Sequence[ChangedTrace | None]) -> ChangedTrace | None:
        return together(changes, as_it_is(self._runs[number]))

    def _gain(self, traces: dict[int, ChangedTrace | None]) -> float | None:
        changes = self._workers.gather(
            {number: self._changes(number, changed) for number, changed in traces.items()}
        )
        if self._whole is None or any(change is None for change in changes):
            return None
        known = [change for change in changes if change is not None]
        return max(0.0, self._whole.duration - self._whole.end(known))

    def _changed(self, number: int, kind: type[Property], path: int) -> ChangedTrace | None:
        run = self._runs[number]
        rows = np.flatnonzero(self._rows[number] == path)
        if not len(rows) or not run.timelines:
            return as_it_is(run)
        return changed_of(run, kind, int(rows[0]))

    def _repaired(
        self, number: int, kind: type[Waiting], path: int, repair: Repair
    ) -> ChangedTrace | None:
        """Return the repaired trace of any process: processes that others wait for at the call path
        change, too."""
        run = self._runs[number]
        if not isinstance(run.peers, JobPeers) or run.mpi is None:
            return None
        return repair(WaitAt(run.peers, number, kind.state, path))

    def _changes(self, number: int, changed: ChangedTrace | None) -> _ProcessChanges | None:
        if changed is None:
            return None
        same = as_it_is(self._runs[number])
        columns = {}
        for name in _COLUMNS:
            before, after = getattr(same, name), getattr(changed, name)
            if before is not after:
                rows = np.flatnonzero(before != after)
                columns[name] = rows, after[rows]
        return _ProcessChanges(columns, changed.tail)


def _process_points(job: Job, number: int, run: Run) -> _ProcessPoints:
    graph, clock = graph_of(run), clock_of(job, number)
    return _ProcessPoints(
        graph.kind, graph.first, graph.object, clock.at(graph.after), graph.objects,
        graph.calls_from, as_it_is(run), len(run.timelines), run.main,
        float(clock.at(np.array([run.start]))[0]) / 1e9, run.second,
    )  # fmt: skip


class _JobSimulation:
    """The points of all processes in one table, process after process."""

    def __init__(self, processes: Sequence[_ProcessPoints]) -> None:
        self._every = processes
        self._first = np.cumsum([0, *(process.locations for process in processes)])
        self._start = np.repeat([process.start for process in processes], np.diff(self._first))
        self._begin = min((process.start for process in processes), default=0.0)
        self._rows = np.cumsum([0, *(len(process.kind) for process in processes)])
        shared = max((process.objects - process.calls_from for process in processes), default=0)
        objects = np.cumsum([shared, *(process.calls_from for process in processes)])
        self._objects = int(objects[-1])
        self._points = self._ordered(objects)
        self._same = {name: self._column(name) for name in _COLUMNS}
        self.duration = self.end([_ProcessChanges({}, process.same.tail) for process in processes])

    def _ordered(self, objects: Ints) -> SimulatedPoints:
        kind = np.concatenate([process.kind for process in self._every])
        first = np.cumsum(
            [0, *chain.from_iterable(np.diff(process.first) for process in self._every)]
        )
        order = []
        for process, start in zip(self._every, objects, strict=False):
            is_call = process.object >= process.calls_from
            number = np.where(is_call, process.object - process.calls_from, process.object + start)
            order.append(np.where(process.object < 0, -1, number))
        moments = np.concatenate([process.time for process in self._every])
        return SimulatedPoints(turns_of(moments, kind, first), first, kind, np.concatenate(order))

    def _column(self, name: str) -> npt.NDArray[Any]:
        """Return a column of all processes; times are converted to seconds."""
        return np.concatenate(
            [
                _in_seconds(name, getattr(process.same, name), process.second)
                for process in self._every
            ]
        )

    def end(self, changes: Sequence[_ProcessChanges]) -> float:
        """Return the seconds from the begin of the job to its end with changes, one per process."""
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
            at[first + process.main] + change.tail * (1.0 / process.second)
            for process, first, change in zip(self._every, self._first, changes, strict=False)
            if process.locations
        ]
        return float(max(ends, default=self._begin)) - self._begin


def _in_seconds(name: str, values: npt.NDArray[Any], second: int) -> npt.NDArray[Any]:
    """Return a column's values; times are converted from ticks to seconds."""
    return values if name == "is_free" else values * (1.0 / second)
