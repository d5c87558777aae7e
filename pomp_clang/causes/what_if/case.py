"""An inefficiency at a call path as what-if predictions see it, and the unchanged trace."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass

import numpy as np

from pomp_clang.causes.properties.property import Property
from pomp_clang.causes.run.points import Point
from pomp_clang.causes.run.run import Run, once
from pomp_clang.causes.timeline.location_timeline import Flags
from pomp_clang.causes.waits.wait_graph import WaitGraph, graph_of
from pomp_clang.causes.what_if.simulate import ChangedTrace, end_of, tail_of
from pomp_clang.trace.kernel import load


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
