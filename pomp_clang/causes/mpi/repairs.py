"""A process's trace as it would be if a wait for other processes were repaired."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from pomp_clang.causes.course import Flags
from pomp_clang.causes.graph import Graph, Point, graph_of
from pomp_clang.causes.mpi.inserted import clock_of, ticks_at
from pomp_clang.causes.mpi.peers import Together
from pomp_clang.causes.mpi.sharing import shares_of
from pomp_clang.causes.mpi.waits import State
from pomp_clang.causes.predict import as_it_is
from pomp_clang.causes.property import Remedy
from pomp_clang.causes.retime import Changed
from pomp_clang.causes.rework import scale
from pomp_clang.causes.run import Run
from pomp_clang.trace.model import Ints

_PART_OF = {
    State.LATE_SENDER_ORDER: State.LATE_SENDER,
    State.LATE_RECEIVER_ORDER: State.LATE_RECEIVER,
    State.NXN_COMPLETION: State.NXN,
    State.BARRIER_COMPLETION: State.BARRIER,
}
"""States of calls that depend on others as those in another state do."""

_LEAST = 0.1
"""A process that works less than this part of the mean gets its share as additional work at
first: its own work says too little about where the share would be."""

_COURSES = 1 << 16
"""More than a process has."""


@dataclass(frozen=True, slots=True, eq=False)
class WaitAt:
    """A process's waits in a state at a call path of the job."""

    peers: Together
    number: int
    state: State
    path: int

    @property
    def run(self) -> Run:
        return self.peers.runs[self.number]

    @property
    def dependent(self) -> State:
        return _PART_OF.get(self.state, self.state)


Repair = Callable[[WaitAt], Changed]


def _in_time(at: WaitAt) -> Changed:
    """What the calls need is there when they begin."""
    same, graph = as_it_is(at.run), graph_of(at.run)
    is_free = same.is_free.copy()
    rows = _waiting(at, graph)
    if at.state != at.dependent:
        rows = rows[np.isin(graph.object[rows] - graph.calls_from, _needed_in_state(at))]
    is_free[rows] = True
    return Changed(same.work, same.lag, is_free, same.tail)


def _waiting(at: WaitAt, graph: Graph) -> Ints:
    """The points that the calls at the call path wait at."""
    here = np.flatnonzero(at.peers.rows[at.number] == at.path)
    is_here: Flags = np.isin(at.run.places.rows, here)
    rows = np.flatnonzero(
        (graph.kind == Point.GOT) & (graph.object >= graph.calls_from) & is_here.take(graph.path)
    )
    state = at.peers.dependencies().state[graph.object[rows] - graph.calls_from]
    found: Ints = rows[state == at.dependent]
    return found


def _needed_in_state(at: WaitAt) -> Ints:
    """What those calls need that waited in the state itself."""
    needed = at.peers.dependencies().needed
    return needed.object[np.isin(needed.call, at.peers.waits.of(at.state).call)]


def _shortened(at: WaitAt) -> Changed:
    """The calls end earlier by the time that they were in the state."""
    same, graph, run = as_it_is(at.run), graph_of(at.run), at.run
    assert run.mpi is not None
    waits, own = run.mpi.waits.of(at.state), run.mpi.own
    rows = _waiting(at, graph)
    rows = rows[same.lag[rows] > 0]
    since = graph.after[rows].min(initial=run.end)
    point = _key(graph.course_of(rows), graph.after[rows] - since)
    ended = _key(run.course_of_calls()[waits.call], own.leave[waits.call] - since)
    _, mine, wait = np.intersect1d(point, ended, return_indices=True)
    lag = same.lag.astype(np.float64)
    spared = waits.ns[wait] * (run.second / 1e9)
    lag[rows[mine]] = np.maximum(0, lag[rows[mine]] - spared)
    return Changed(same.work, lag, same.is_free, same.tail)


def _key(course: Ints, time: Ints) -> Ints:
    key: Ints = time * _COURSES + course
    return key


def _shared(at: WaitAt) -> Changed:
    """The processes share evenly what each did before the operation since they last met."""
    same, graph, clock = as_it_is(at.run), graph_of(at.run), clock_of(at.peers.job, at.number)
    work = same.work.astype(np.float64)
    shares = shares_of(at.peers, at.dependent, at.path).of(at.number)
    since, until = ticks_at(clock, shares.since), ticks_at(clock, shares.until)
    factor = shares.mean / np.maximum(shares.own, 1)
    is_scaled = shares.own >= _LEAST * shares.mean
    ticks = (shares.mean - shares.own) * (at.run.second / 1e9)
    for course in range(len(at.run.courses)):
        begin, end = graph.first[course], graph.first[course + 1]
        after = graph.after[begin:end]
        first, last = (
            begin - 1 + np.searchsorted(after, each[is_scaled], "right") for each in (since, until)
        )
        scale(same.work, first, last, factor[is_scaled], work)
        if course == at.run.main:
            goes_on = np.searchsorted(after, since, "right")
            some = np.flatnonzero(~is_scaled & (goes_on < len(after)))
            np.add.at(work[begin:end], goes_on[some], ticks[some])
    return Changed(work, same.lag, same.is_free, same.tail)


REPAIRS: dict[Remedy, tuple[Repair, ...]] = {
    Remedy.IN_TIME: (_in_time,),
    Remedy.SHARE: (_shared,),
    Remedy.IN_TIME_OR_SHARE: (_in_time, _shared),
    Remedy.SHORTEN: (_shortened,),
}
"""Of several the one counts that gains most: the advice names them all."""
