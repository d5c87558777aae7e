"""The simulation of a trace with changed work: the time at which each location reaches its points;
and an inefficiency at a call path as what-if predictions see it.
"""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np
import numpy.typing as npt

from pomp_clang.causes.properties.property import Property
from pomp_clang.causes.run.points import Point
from pomp_clang.causes.run.run import Run, once
from pomp_clang.causes.timeline.columns import Durations, TicksColumn, passed
from pomp_clang.causes.timeline.location_timeline import Flags, Ticks
from pomp_clang.causes.waits.wait_graph import Turns, WaitGraph, graph_of
from pomp_clang.shared_dataclass import dataclass
from pomp_clang.trace.kernel import load, members, point
from pomp_clang.trace.model import Ints

_COLUMNS = {
    "turn": "u4", "first": "i8", "kind": "u1", "object": "i4", "is_free": "u1", "at": "f8",
    "given": "f8", "next": "i8",
}  # fmt: skip


class _PointsStruct(ctypes.Structure):
    """`struct pomp_points` of runtime/replay/retime.h."""

    _fields_ = (
        *members("COUNT", "LOCATIONS", "turn", "first", "kind", "object"),
        ("work", TicksColumn),
        ("lag", TicksColumn),
        *members("is_free", "at", "given", "next"),
    )


@dataclass(frozen=True, slots=True)
class ChangedTrace:
    """A trace with changed work. `is_free` marks points that do not wait for what they need; `tail`
    is the main thread's ticks after its last point."""

    work: Durations
    lag: Durations
    is_free: Flags
    tail: float


@dataclass(frozen=True, slots=True)
class SimulatedPoints:
    """The columns of a `WaitGraph` that a simulation needs, also of several processes together."""

    turn: Turns
    first: Ints
    kind: npt.NDArray[np.uint8]
    object: npt.NDArray[Any]


def end_of(run: Run, graph: WaitGraph, changed: ChangedTrace) -> float:
    """Return the ticks from the program's start to its end."""
    points = SimulatedPoints(graph.turn, graph.first, graph.kind, graph.object)
    work, lag, is_free = changed.work, changed.lag, changed.is_free
    at = reached(points, work, lag, is_free, np.zeros(len(run.timelines)), graph.objects)
    return float(at[run.main]) + changed.tail


def reached(
    points: SimulatedPoints,
    work: Durations,
    lag: Durations,
    is_free: Flags,
    at: Ticks,
    objects: int,
) -> Ticks:
    """Return the time at which each location is done with its last point, if it starts at its
    `at`."""
    locations = len(points.first) - 1
    columns = {
        "turn": points.turn,
        "first": points.first,
        "kind": points.kind,
        "object": points.object,
        "is_free": is_free,
        "at": at,
        "given": np.zeros(objects + 1),
        "next": np.empty(locations, np.int64),
    }
    run = _PointsStruct(
        count=len(points.kind), locations=locations, work=passed(work), lag=passed(lag)
    )
    kept = {name: np.ascontiguousarray(column, _COLUMNS[name]) for name, column in columns.items()}
    for name, column in kept.items():
        point(run, name, column)
    load().pomp_retime(ctypes.byref(run))
    return np.asarray(kept["at"])


def tail_of(run: Run, graph: WaitGraph) -> float:
    """Return the ticks from the main thread's last point to the program's end."""
    last = graph.first[run.main + 1] - 1
    since = graph.after[last] if last >= graph.first[run.main] else np.int64(run.start)
    return float(run.end - since)


@dataclass(frozen=True, slots=True)
class Case:
    """An inefficiency at a call path. `path` is a row of `Run.paths`; `is_here` marks the numbers
    that the trace gives to this call path."""

    run: Run
    graph: WaitGraph
    kind: type[Property]
    path: int
    is_here: Flags

    def at(self, kind: Point) -> Flags:
        """Return the points of a kind at the call path."""
        graph, is_here = self.graph, np.ascontiguousarray(self.is_here)
        is_point = np.empty(len(graph.kind), np.bool_)
        function = load().pomp_mark_points
        function.argtypes = [
            ctypes.c_uint64, ctypes.c_void_p, ctypes.c_uint, *[ctypes.c_void_p] * 3
        ]  # fmt: skip
        function(
            len(is_point), graph.kind.ctypes.data, int(kind), graph.path.ctypes.data,
            is_here.ctypes.data, is_point.ctypes.data,
        )  # fmt: skip
        return is_point


@once
def as_it_is(run: Run) -> ChangedTrace:
    """Return the trace unchanged, with which predictions are compared."""
    graph = graph_of(run)
    free = np.zeros(len(graph.kind), np.bool_)
    return ChangedTrace(graph.work, graph.lag, free, tail_of(run, graph))


@once
def recorded_end(run: Run) -> float:
    """Return the simulated ticks of the unchanged trace, with which predictions are compared."""
    return end_of(run, graph_of(run), as_it_is(run))
