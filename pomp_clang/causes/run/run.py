"""The run of a process: sums and meetings of all its threads, as columns from which properties are
computed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

import numpy as np
import numpy.typing as npt

from pomp_clang.causes.timeline.activity import Activity
from pomp_clang.causes.timeline.barriers import (
    BarrierInstances,
)
from pomp_clang.causes.timeline.contention import Contention
from pomp_clang.causes.timeline.location_timeline import (
    Flags,
    LocationTimeline,
    Ticks,
    sums,
)
from pomp_clang.causes.timeline.places import Place, Places, Thread
from pomp_clang.causes.timeline.teams import (
    Membership,
    TeamTable,
)
from pomp_clang.experiment.layout import STATE_ENDED
from pomp_clang.experiment.records import Records
from pomp_clang.shared_dataclass import dataclass
from pomp_clang.trace.layout import Type
from pomp_clang.trace.model import Ints
from pomp_clang.trace.replay import ValueColumns

if TYPE_CHECKING:
    from pomp_clang.causes.mpi_waits.call_counts import CallCount
    from pomp_clang.causes.mpi_waits.process_view import ProcessView
    from pomp_clang.causes.run.instance import Instances
    from pomp_clang.causes.run.points import PointRows

Cells = npt.NDArray[np.float64]
"""A severity: by call path and thread, their rows in `Run.paths` and `Run.threads`."""

Progress = Callable[[str, float], None]


class Peers(Protocol):
    """The processes of a job that a run is part of."""

    @property
    def threads(self) -> int:
        """The number of threads of all processes."""

    @property
    def threads_at_once(self) -> int:
        """The number of threads that have work at a time, of all processes."""

    def total(self, run: Run, compute: Callable[[Run], Cells]) -> Cells:
        """Return a column of one value for each of a run's call paths: a severity of every process,
        summed over all threads."""

    def critical(self, run: Run) -> tuple[Ints, Ints, Ints]:
        """Return the pieces of the job's critical path on a run's locations, the latest first:
        location, begin and end."""

    def points(self, run: Run) -> tuple[list[list[PointRows]], int]:
        """Return, for each location of a run, the points at which it waits in MPI for other
        processes; and the number of the objects of these points."""

    def delays(self, run: Run) -> Between:
        """Return the delays between the processes, at the call paths and threads of a run."""

    def rank(self, run: Run) -> int:
        """Return the process's number in the cube."""

    def seconds(self, run: Run, ticks: Ints) -> npt.NDArray[np.float64]:
        """Return moments of a run as seconds since the begin of the job."""

    def caller(self, call: int) -> tuple[int, int, int, float]:
        """Return the rank, thread, call path (in the cube) and begin (in seconds) of a row of the
        job's calls."""

    def delaying(self, run: Run, what: str) -> Instances:
        """Return the instances of one kind of delay: the name of a field of `Between`, or
        "terminal"."""


class Between(Protocol):
    """Seconds of waits between processes, by call path and thread; `waits.delay_costs.Delays` has
    the same for a process's threads."""

    @property
    def short_term(self) -> Cells: ...

    @property
    def long_term(self) -> Cells: ...

    @property
    def direct(self) -> Cells: ...

    @property
    def indirect(self) -> Cells: ...

    @property
    def propagating(self) -> Cells: ...


def silent(_: str, __: float) -> None:
    pass


@dataclass(frozen=True, slots=True, eq=False)
class Run:
    """The run of one process. Times are ticks of the trace, `second` of them are one second;
    `start` and `end` are the program's.

    `timelines` are those of the locations, and `thread` has the row in `threads` of each.
    `is_worker` marks the locations that OpenMP made, `main` is the row of the initial one. `spent`
    is ticks by thread, call path and `Activity`, `serial` the ticks of the main thread outside
    teams by call path. `mpi` is the process's MPI calls and waits, and `peers` the processes of its
    job; both are None outside a job.
    """

    records: Records
    places: Places
    second: int
    start: int
    end: int
    timelines: tuple[LocationTimeline, ...]
    values: tuple[ValueColumns, ...]
    thread: Ints
    is_worker: Flags
    main: int
    spent: Ticks
    serial: Ticks
    visits: Ints
    teams: TeamTable
    membership: Membership
    instances: BarrierInstances
    contention: Contention
    mpi: ProcessView | None = None
    peers: Peers | None = None
    memo: dict[Any, Any] = field(default_factory=dict, repr=False)

    @property
    def duration(self) -> float:
        return (self.end - self.start) / self.second

    @property
    def complete(self) -> bool:
        """False where the program ended early: it was killed, or crashed."""
        return self.records.header.state == STATE_ENDED

    @property
    def paths(self) -> tuple[Place, ...]:
        return self.places.paths

    @property
    def threads(self) -> tuple[Thread, ...]:
        return self.places.threads

    def as_worker(self, thread: int) -> Ints:
        """Return the rows of the membership in which a thread is not the master."""
        rows = [
            self.membership.worker_of(int(row)) for row in np.flatnonzero(self.thread == thread)
        ]
        return np.concatenate([np.zeros(0, np.int64), *rows])

    def cells(self) -> Cells:
        """Return a severity that is 0 everywhere: an array of call paths by threads."""
        return np.zeros((len(self.paths), len(self.threads)))

    @property
    def everyone(self) -> int:
        """The number of threads of all processes of the job."""
        return self.peers.threads if self.peers else len(self.threads)

    def over_all(self, compute: Callable[[Run], Cells]) -> Cells:
        """Return a severity summed over all threads of all processes, as a column of one value for
        each call path."""
        if self.peers is not None:
            return self.peers.total(self, compute)
        return np.asarray(compute(self).sum(axis=1, keepdims=True))

    def seconds(self, *activities: Activity) -> Cells:
        """Return the seconds of threads in some activities."""
        is_done = _activities_done(self)
        numbers = [int(activity) for activity in activities if is_done[activity]]
        if not numbers:
            return self.cells()
        if len(numbers) == 1:
            return np.asarray(self.spent[:, :, numbers[0]].T / self.second)
        return np.asarray(self.spent[:, :, numbers].sum(axis=2).T / self.second)

    def variable_sums(self) -> Cells:
        """Return the values that the program recorded of its variables, summed by call path and
        thread."""
        severity = self.cells()
        for row, values in enumerate(self.values):
            amounts = values.value.astype(np.float64)
            unsigned = values.type == Type.UNSIGNED
            amounts[unsigned] = values.value[unsigned].view(np.uint64)
            real = values.type == Type.REAL
            amounts[real] = values.value[real].view(np.float64)
            self.add(severity, row, values.path, amounts)
        return severity

    def sum(self, location: Ints, path: npt.NDArray[Any], amount: npt.NDArray[Any]) -> Cells:
        """Sum amounts by call path and thread; paths are as the trace numbers them, `location` are
        locations."""
        row = self.places.rows[path] * len(self.threads) + self.thread[location]
        shape = len(self.paths), len(self.threads)
        totals = sums(row, amount, shape[0] * shape[1])
        return totals.reshape(shape)

    def add(
        self, cells: Cells, location: int, path: npt.NDArray[Any], amount: npt.NDArray[Any]
    ) -> None:
        """Sum the amounts of one location by call path, and add them to a severity."""
        rows = self.places.rows[path]
        cells[:, self.thread[location]] += sums(rows, amount, len(self.paths))

    def of_calls(self, calls: Ints, amount: npt.NDArray[Any]) -> Cells:
        """Sum the amounts of some of the process's MPI calls, at the call paths and threads of the
        calls."""
        if self.mpi is None:
            return self.cells()
        return self.sum(self.location_of_calls()[calls], self.mpi.calls.path[calls], amount)

    def location_of_calls(self) -> Ints:
        """Return the location of each of the process's MPI calls."""
        if self.mpi is None:
            return np.zeros(0, np.int64)
        numbers = np.array([timeline.location for timeline in self.timelines], np.int64)
        order = np.argsort(numbers)
        rows: Ints = order[np.searchsorted(numbers[order], self.mpi.calls.location)]
        return rows

    def counted(self, *counts: CallCount) -> Cells:
        """Sum what the process's MPI calls count for, by call path and thread."""
        severity = self.cells()
        for amount in (self.mpi.counts[count] for count in counts) if self.mpi else ():
            calls = np.flatnonzero(amount)
            severity += self.of_calls(calls, amount[calls].astype(np.float64))
        return severity


T = TypeVar("T")


def once(compute: Callable[[Run], T]) -> Callable[[Run], T]:
    """Compute a function of a run for the first caller, and keep the result in `run.memo` for the
    others."""

    def known(run: Run) -> T:
        if compute not in run.memo:
            run.memo[compute] = compute(run)
        value: T = run.memo[compute]
        return value

    return known


@once
def _activities_done(run: Run) -> list[bool]:
    """Return, for each activity, whether any thread did it."""
    return [bool(is_any) for is_any in np.any(run.spent, axis=(0, 1))]


def last_of(run: Run, row: int) -> int:
    """Return the last moment at which a thread that the program made is known to have run."""
    timeline = run.timelines[row]
    if not len(timeline.begin) or timeline.activity[-1] != Activity.OUTSIDE:
        return run.end
    last = run.records.locations[timeline.location].last
    return int(min(run.end, max(last, int(timeline.begin[-1]))))
