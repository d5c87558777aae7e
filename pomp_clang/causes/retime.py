"""The trace once more, with other work: when each point would have been reached."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass

import numpy as np

from pomp_clang.causes.course import Flags, Ticks
from pomp_clang.causes.graph import Graph
from pomp_clang.causes.run import Run
from pomp_clang.trace.kernel import load, point

_COLUMNS = {
    "order": "i8", "kind": "u1", "course": "i4", "object": "i4", "work": "f8", "lag": "f8",
    "is_free": "u1", "at": "f8", "given": "f8",
}  # fmt: skip


class _Points(ctypes.Structure):
    """struct pomp_points of runtime/replay/retime.h"""

    _fields_ = (("count", ctypes.c_uint64), *((name, ctypes.c_void_p) for name in _COLUMNS))


@dataclass(frozen=True, slots=True)
class Changed:
    """The trace with other work: `is_free` are locks that are got without what they need, `tail`
    is the main thread's work after its last point."""

    work: Ticks
    lag: Ticks
    is_free: Flags
    tail: float


def end_of(run: Run, graph: Graph, changed: Changed) -> float:
    """Ticks from the program's start to its end."""
    at = np.zeros(len(run.courses))
    columns = {
        "order": graph.order,
        "kind": graph.kind,
        "course": graph.course,
        "object": graph.object,
        "work": changed.work,
        "lag": changed.lag,
        "is_free": changed.is_free,
        "at": at,
        "given": np.zeros(graph.objects + 1),
    }
    points = _Points(count=len(graph.kind))
    kept = {name: np.ascontiguousarray(column, _COLUMNS[name]) for name, column in columns.items()}
    for name, column in kept.items():
        point(points, name, column)
    load().pomp_retime(ctypes.byref(points))
    return float(kept["at"][run.main]) + changed.tail


def tail_of(run: Run, graph: Graph) -> float:
    last = graph.first[run.main + 1] - 1
    since = graph.after[last] if last >= graph.first[run.main] else np.int64(run.start)
    return float(run.end - since)
