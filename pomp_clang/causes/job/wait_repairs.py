"""Traces of a process in which its waits for other processes are repaired."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from pomp_clang.causes.job.peers import JobPeers
from pomp_clang.causes.job.work_shares import shares_of
from pomp_clang.causes.mpi_waits.call_waits import WaitState
from pomp_clang.causes.mpi_waits.mpi_intervals import clock_of, ticks_at
from pomp_clang.causes.properties.property import Remedy
from pomp_clang.causes.run.points import Point
from pomp_clang.causes.run.run import Run
from pomp_clang.causes.timeline.location_timeline import Flags
from pomp_clang.causes.waits.wait_graph import WaitGraph, graph_of
from pomp_clang.causes.what_if.scale_work import scale
from pomp_clang.causes.what_if.simulate import ChangedTrace, as_it_is
from pomp_clang.trace.model import Ints

_PART_OF = {
    WaitState.LATE_SENDER_ORDER: WaitState.LATE_SENDER,
    WaitState.LATE_RECEIVER_ORDER: WaitState.LATE_RECEIVER,
    WaitState.NXN_COMPLETION: WaitState.NXN,
    WaitState.BARRIER_COMPLETION: WaitState.BARRIER,
}
"""States that are part of another state: their calls depend on others in the same way."""

_LEAST = 0.1
"""A process that works less than this part of the mean gets its share at the begin of the segment.
Its own work is too little to show where the share belongs."""

_LOCATIONS = 1 << 16
"""More locations than a process has."""


@dataclass(frozen=True, slots=True, eq=False)
class WaitAt:
    """A process's waits in one state at a call path of the job."""

    peers: JobPeers
    number: int
    state: WaitState
    path: int

    @property
    def run(self) -> Run:
        return self.peers.runs[self.number]

    @property
    def dependent(self) -> WaitState:
        return _PART_OF.get(self.state, self.state)


Repair = Callable[[WaitAt], ChangedTrace]


def _in_time(at: WaitAt) -> ChangedTrace:
    """Return the trace in which everything that the calls need is there when they begin."""
    same, graph = as_it_is(at.run), graph_of(at.run)
    is_free = same.is_free.copy()
    rows = _waiting(at, graph)
    if at.state != at.dependent:
        rows = rows[np.isin(graph.object[rows] - graph.calls_from, _needed_in_state(at))]
    is_free[rows] = True
    return ChangedTrace(same.work, same.lag, is_free, same.tail)


def _waiting(at: WaitAt, graph: WaitGraph) -> Ints:
    """Return the points at which the calls at the call path wait."""
    at_path = np.flatnonzero(at.peers.rows[at.number] == at.path)
    is_here: Flags = np.isin(at.run.places.rows, at_path)
    rows = np.flatnonzero(
        (graph.kind == Point.ACQUIRED)
        & (graph.object >= graph.calls_from)
        & is_here.take(graph.path)
    )
    state = at.peers.dependencies().state[graph.object[rows] - graph.calls_from]
    waiting: Ints = rows[state == at.dependent]
    return waiting


def _needed_in_state(at: WaitAt) -> Ints:
    """Return the objects that are needed by the calls which waited in the state itself."""
    needed = at.peers.dependencies().needed
    return needed.object[np.isin(needed.call, at.peers.waits.of(at.state).call)]


def _shortened(at: WaitAt) -> ChangedTrace:
    """Return the trace in which the calls end earlier by the time that they spent in the state."""
    same, graph, run = as_it_is(at.run), graph_of(at.run), at.run
    assert run.mpi is not None
    waits, calls = run.mpi.waits.of(at.state), run.mpi.calls
    rows = _waiting(at, graph)
    rows = rows[same.lag[rows] > 0]
    since = graph.after[rows].min(initial=run.end)
    point = _key(graph.location_of(rows), graph.after[rows] - since)
    ended = _key(run.location_of_calls()[waits.call], calls.leave[waits.call] - since)
    _, ended_row, wait = np.intersect1d(point, ended, return_indices=True)
    lag = same.lag.astype(np.float64)
    spared = waits.ns[wait] * (run.second / 1e9)
    lag[rows[ended_row]] = np.maximum(0, lag[rows[ended_row]] - spared)
    return ChangedTrace(same.work, lag, same.is_free, same.tail)


def _key(location: Ints, time: Ints) -> Ints:
    key: Ints = time * _LOCATIONS + location
    return key


def _shared(at: WaitAt) -> ChangedTrace:
    """Return the trace in which the processes share evenly the work that each did before the
    operation since they last synchronized."""
    same, graph, clock = as_it_is(at.run), graph_of(at.run), clock_of(at.peers.job, at.number)
    work = same.work.astype(np.float64)
    shares = shares_of(at.peers, at.dependent, at.path).of(at.number)
    since, until = ticks_at(clock, shares.since), ticks_at(clock, shares.until)
    factor = shares.mean / np.maximum(shares.work, 1)
    is_scaled = shares.work >= _LEAST * shares.mean
    ticks = (shares.mean - shares.work) * (at.run.second / 1e9)
    for location in range(len(at.run.timelines)):
        begin, end = graph.first[location], graph.first[location + 1]
        after = graph.after[begin:end]
        first, last = (
            begin - 1 + np.searchsorted(after, moments[is_scaled], "right")
            for moments in (since, until)
        )
        scale(same.work, first, last, factor[is_scaled], work)
        if location == at.run.main:
            next_row = np.searchsorted(after, since, "right")
            changed = np.flatnonzero(~is_scaled & (next_row < len(after)))
            np.add.at(work[begin:end], next_row[changed], ticks[changed])
    return ChangedTrace(work, same.lag, same.is_free, same.tail)


REPAIRS: dict[Remedy, tuple[Repair, ...]] = {
    Remedy.IN_TIME: (_in_time,),
    Remedy.SHARE: (_shared,),
    Remedy.IN_TIME_OR_SHARE: (_in_time, _shared),
    Remedy.SHORTEN: (_shortened,),
}
"""The repairs that a remedy stands for. The one which gains most counts; the advice names all."""
