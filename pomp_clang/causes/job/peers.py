"""The runs of a job's processes, and the quantities that need all of them. Among these are the points
of the wait graph for MPI calls, where processes release each other and wait for each other."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from pomp_clang.causes.cube.algebra import of_all
from pomp_clang.causes.cube.instance_statistics import InstanceTables
from pomp_clang.causes.job.job_delay_costs import (
    JobDelays,
    JobLocations,
    by_process,
    delays_between,
)
from pomp_clang.causes.job.job_delay_instances import delay_instances
from pomp_clang.causes.mpi_waits.call_dependencies import Dependencies, dependencies_of
from pomp_clang.causes.mpi_waits.call_waits import Waits
from pomp_clang.causes.mpi_waits.mpi_intervals import ProcessCalls, clock_of, ticks_at
from pomp_clang.causes.mpi_waits.operations import JobOperations, operations_of
from pomp_clang.causes.run.idle import threads_at_once
from pomp_clang.causes.run.instance import Instances
from pomp_clang.causes.run.points import Point, PointRows
from pomp_clang.causes.run.run import Cells, Run
from pomp_clang.causes.timeline.location_timeline import Flags
from pomp_clang.causes.timeline.places import Place
from pomp_clang.causes.waits.delay_costs import Delays
from pomp_clang.causes.waits.find_critical_path import Jumps, jumps_of, leading, ordered
from pomp_clang.trace.model import Ints
from pomp_clang.trace.mpi.columns import Job
from pomp_clang.trace.mpi.workers import Workers

_ENTER, _NEED, _LEAVE = 0, 2, 3
"""The order of a call's points at the same moment."""


def points_of(job: Job, number: int, run: Run, dependencies: Dependencies) -> list[list[PointRows]]:
    """Return, for each location of the process in row `number` of `Job.processes`, the points at
    which its calls release others and wait for others. A call has one point for each state that it
    can wait in, for the object that comes last. The last of these points carries the time that the
    call takes afterwards."""
    if run.mpi is None:
        return [[] for _ in run.timelines]
    calls, location = run.mpi.calls, run.location_of_calls()
    points = [
        _release_points(calls, dependencies, at_end=False), _release_points(calls, dependencies, at_end=True), _needed(job, number, calls, dependencies)
    ]  # fmt: skip
    by_location = [_by_location(rows, location[call], len(run.timelines)) for rows, call in points]
    return [list(rows) for rows in zip(*by_location, strict=True)]


def _release_points(
    calls: ProcessCalls, dependencies: Dependencies, *, at_end: bool
) -> tuple[PointRows, Ints]:
    rows = np.flatnonzero(
        _own_calls(calls, dependencies.releases.call) & (dependencies.releases.at_end == at_end)
    )
    call = dependencies.releases.call[rows] - calls.rows.start
    moment = calls.leave[call] if at_end else calls.enter[call]
    place = 4 * call + (_LEAVE if at_end else _ENTER)
    none = np.zeros(len(call), np.int64)
    return PointRows(
        Point.RELEASE,
        dependencies.releases.object[rows],
        calls.path[call],
        moment,
        moment,
        none,
        place,
    ), call


def _needed(
    job: Job, number: int, calls: ProcessCalls, dependencies: Dependencies
) -> tuple[PointRows, Ints]:
    rows = np.flatnonzero(_own_calls(calls, dependencies.needed.call))
    call, since = dependencies.needed.call[rows] - calls.rows.start, dependencies.needed.since[rows]
    state = dependencies.state[dependencies.needed.object[rows]]
    rows = rows[(order := np.lexsort((since, state, call)))]
    rows = rows[_last(call[order], state[order])]
    call, since = dependencies.needed.call[rows] - calls.rows.start, dependencies.needed.since[rows]
    order = np.lexsort((since, call))
    rows, call, since = rows[order], call[order], since[order]
    enter, leave = calls.enter[call], calls.leave[call]
    free = np.clip(ticks_at(clock_of(job, number), since), enter, leave)
    lag = np.where(_last(call), leave - free, 0)
    place = 4 * call + _NEED
    needed = dependencies.needed.object[rows]
    return PointRows(Point.ACQUIRED, needed, calls.path[call], enter, leave, lag, place), call


def _last(*columns: Ints) -> Flags:
    """Return a mask of the rows after which any of the columns changes."""
    is_last = np.ones(len(columns[0]), np.bool_)
    is_last[:-1] = False
    for column in columns:
        is_last[:-1] |= column[1:] != column[:-1]
    return is_last


def _by_location(rows: PointRows, location: Ints, locations: int) -> list[PointRows]:
    order = np.argsort(location, kind="stable")
    first = np.searchsorted(location[order], np.arange(locations + 1))
    return [rows.take(order[begin:end]) for begin, end in pairwise(first)]


def _own_calls(calls: ProcessCalls, call: Ints) -> Flags:
    is_mine: Flags = (call >= calls.rows.start) & (call < calls.rows.stop)
    return is_mine


@dataclass(frozen=True, slots=True, eq=False)
class ProcessInfo:
    """A process as all workers know it.

    Of its threads, `threads_at_once` have work at a time. `thread` has the thread number of each
    location, and `main` is the row of the main thread's. `start` and `end` are on the job's clock.
    """

    paths: tuple[Place, ...]
    threads: int
    threads_at_once: int
    thread: tuple[int, ...]
    main: int
    start: int
    end: int

    @property
    def locations(self) -> int:
        return len(self.thread)


@dataclass(frozen=True, slots=True, eq=False)
class JobPeers:
    """The processes of a job. `runs` are this worker's, by row in `Job.processes`; `about`
    describes all processes. `rows` maps each process's call paths to the job's, of which there are
    `paths`."""

    job: Job
    runs: dict[int, Run]
    workers: Workers
    waits: Waits
    about: list[ProcessInfo]
    rows: tuple[Ints, ...]
    paths: int
    memo: dict[Any, Any] = field(default_factory=dict, repr=False)

    @property
    def threads(self) -> int:
        return sum(process.threads for process in self.about)

    @property
    def threads_at_once(self) -> int:
        return sum(process.threads_at_once for process in self.about)

    def total(self, run: Run, compute: Callable[[Run], Cells]) -> Cells:
        """Return a column of one value for each of a run's call paths: the severity of all
        processes, rounded to ns."""
        if compute not in self.memo:
            total_ns = np.zeros(self.paths, np.int64)
            for number, peer in self.runs.items():
                sums = np.rint(compute(peer).sum(axis=1) * 1e9).astype(np.int64)
                np.add.at(total_ns, self.rows[number], sums)
            self.memo[compute] = self.workers.sum(total_ns) / 1e9
        column: Cells = self.memo[compute][self.rows[self._number(run)]][:, None]
        return column

    def critical(self, run: Run) -> tuple[Ints, Ints, Ints]:
        if "critical" not in self.memo:
            self.memo["critical"] = self._critical()
        pieces: tuple[Ints, Ints, Ints] = self.memo["critical"][self._number(run)]
        return pieces

    def points(self, run: Run) -> tuple[list[list[PointRows]], int]:
        dependencies = self.dependencies()
        return points_of(self.job, self._number(run), run, dependencies), len(dependencies.state)

    def dependencies(self) -> Dependencies:
        """Return the dependencies between the calls of all processes."""
        if "dependencies" not in self.memo:
            self.memo["dependencies"] = dependencies_of(self.job, self.waits, self.operations())
        dependencies: Dependencies = self.memo["dependencies"]
        return dependencies

    def operations(self) -> JobOperations:
        """Return the operations that several processes take part in."""
        if "operations" not in self.memo:
            self.memo["operations"] = operations_of(self.job)
        operations: JobOperations = self.memo["operations"]
        return operations

    def delays(self, run: Run) -> Delays:
        if "delays" not in self.memo:
            self.memo["delays"] = by_process(self._whole_job(), self._between())
        delays: Delays = self.memo["delays"][self._number(run)]
        return delays

    def rank(self, run: Run) -> int:
        return self._rank(self._number(run))

    def seconds(self, run: Run, ticks: Ints) -> npt.NDArray[np.float64]:
        return (clock_of(self.job, self._number(run)).at(ticks) - self._begin()) / 1e9

    def caller(self, call: int) -> tuple[int, int, int, float]:
        locations = self._whole_job()
        location = int(locations.location[call])
        number = int(np.searchsorted(locations.first, location, "right")) - 1
        thread = self.about[number].thread[location - int(locations.first[number])]
        begin = float(self.job.calls.enter[call] - self._begin()) / 1e9
        return self._rank(number), thread, int(locations.path[call]), begin

    def _begin(self) -> int:
        return min(process.start for process in self.about)

    def _rank(self, number: int) -> int:
        return self.job.processes[number].rank if len(self.job.processes) > 1 else 0

    def placed(self, run: Run, tally: InstanceTables) -> InstanceTables:
        number = self._number(run)
        first = sum(process.threads for process in self.about[:number])
        return tally.placed(self.rows[number], first)

    def delaying(self, run: Run, kind: str) -> Instances:
        return delay_instances(self._whole_job(), self._between(), self._number(run), run, kind)

    def locations_of_calls(self) -> Ints:
        """Return the location of each call, as the locations of all processes are numbered."""
        return self._whole_job().location

    def paths_of_calls(self) -> Ints:
        """Return the job's call path of each call."""
        return self._whole_job().path

    def _between(self) -> JobDelays:
        if "between" not in self.memo:
            self.memo["between"] = delays_between(self._whole_job(), self.waits.for_others())
        delays: JobDelays = self.memo["between"]
        return delays

    def _number(self, run: Run) -> int:
        return next(n for n, peer in self.runs.items() if peer.records is run.records)

    def _critical(self) -> dict[int, tuple[Ints, Ints, Ints]]:
        """Return the critical path's pieces on each of this worker's processes: location, begin and
        end. It is followed backwards from the end of the process that ends last."""
        locations = self._whole_job()
        jumps = self._jumps(locations)
        last = int(np.argmax([process.end for process in self.about]))
        location = int(locations.first[last]) + self.about[last].main
        rows = leading(jumps, int(locations.first[-1]), location)
        on_location = np.append(np.int64(location), jumps.cause[rows])
        since = jumps.since[rows]
        end = np.append(np.int64(self.about[last].end), since)
        process = np.searchsorted(locations.first, on_location, "right") - 1
        begin = np.append(since, np.int64(self.about[int(process[-1])].start))
        pieces = {}
        for number in self.runs:
            own_rows = np.flatnonzero(process == number)
            clock = clock_of(self.job, number)
            span = (ticks_at(clock, moments[own_rows]) for moments in (begin, end))
            pieces[number] = (on_location[own_rows] - locations.first[number], *span)
        return pieces

    def _whole_job(self) -> JobLocations:
        if "whole" not in self.memo:
            first = np.cumsum([0, *(process.locations for process in self.about)])
            location, path = (np.zeros(len(self.job.calls.enter), np.int64) for _ in range(2))
            for number, run in self.runs.items():
                if run.mpi is not None:
                    calls = run.mpi.calls
                    location[calls.rows] = first[number] + run.location_of_calls()
                    path[calls.rows] = self.rows[number][run.places.rows[calls.path]]
            location, path = self.workers.sum(location), self.workers.sum(path)
            self.memo["whole"] = JobLocations(
                self.job, self.runs, self.workers, first, self.rows, self.paths, location, path,
                self.operations(),
            )  # fmt: skip
        locations: JobLocations = self.memo["whole"]
        return locations

    def _jumps(self, locations: JobLocations) -> Jumps:
        by_process: dict[int, tuple[Ints, Ints, Ints, Ints]] = {}
        for number, run in self.runs.items():
            jumps, base = jumps_of(run), locations.first[number]
            clock = clock_of(self.job, number)
            after, since = clock.at(jumps.after), clock.at(jumps.since)
            by_process[number] = jumps.location + base, after, jumps.cause + base, since
        waits = self.waits.for_others()
        leave = self.job.calls.leave[waits.call]
        location, cause = locations.location[waits.call], locations.location[waits.cause]
        parts = self.workers.allgather(by_process)
        parts.append((location, leave, cause, np.minimum(waits.since, leave)))
        return ordered(*(np.concatenate(column) for column in zip(*parts, strict=True)))


def connected_runs(
    job: Job, runs: dict[int, Run], waits: Waits, workers: Workers
) -> dict[int, Run]:
    """Return the runs with each of them connected to the others."""
    about = workers.allgather({number: _about(job, number, run) for number, run in runs.items()})
    paths, rows = of_all([process.paths for process in about])
    peers = JobPeers(job, {}, workers, waits, about, tuple(rows), len(paths))
    for number, run in runs.items():
        peers.runs[number] = replace(run, peers=peers, memo={})
    return peers.runs


def _about(job: Job, number: int, run: Run) -> ProcessInfo:
    start, end = clock_of(job, number).at(np.array([run.start, run.end])).tolist()
    thread = tuple(run.threads[row].thread for row in run.thread)
    threads = len(run.threads), threads_at_once(run)
    return ProcessInfo(run.paths, *threads, thread, run.main, start, end)
