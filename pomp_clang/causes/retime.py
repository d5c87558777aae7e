"""The trace once more, with other work: when each point would have been reached."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from pomp_clang.causes.course import Flags, Ticks
from pomp_clang.causes.graph import Graph, Turns
from pomp_clang.causes.run import Run
from pomp_clang.causes.ticks import Durations, TicksColumn, passed
from pomp_clang.trace.kernel import load, members, point
from pomp_clang.trace.model import Ints

_COLUMNS = {
    "turn": "u4", "first": "i8", "kind": "u1", "object": "i4", "is_free": "u1", "at": "f8",
    "given": "f8", "next": "i8",
}  # fmt: skip


class _Points(ctypes.Structure):
    """struct pomp_points of runtime/replay/retime.h"""

    _fields_ = (
        *members("COUNT", "COURSES", "turn", "first", "kind", "object"),
        ("work", TicksColumn),
        ("lag", TicksColumn),
        *members("is_free", "at", "given", "next"),
    )


@dataclass(frozen=True, slots=True)
class Changed:
    """The trace with other work: `is_free` are locks that are got without what they need, `tail`
    is the main thread's work after its last point."""

    work: Durations
    lag: Durations
    is_free: Flags
    tail: float


@dataclass(frozen=True, slots=True)
class Points:
    """As a `Graph` has them, whichever courses they are of."""

    turn: Turns
    first: Ints
    kind: npt.NDArray[np.uint8]
    object: npt.NDArray[Any]


def end_of(run: Run, graph: Graph, changed: Changed) -> float:
    """Ticks from the program's start to its end."""
    points = Points(graph.turn, graph.first, graph.kind, graph.object)
    work, lag, is_free = changed.work, changed.lag, changed.is_free
    at = reached(points, work, lag, is_free, np.zeros(len(run.courses)), graph.objects)
    return float(at[run.main]) + changed.tail


def reached(
    points: Points, work: Durations, lag: Durations, is_free: Flags, at: Ticks, objects: int
) -> Ticks:
    """When each course is done with its last point, which begins at `at`."""
    courses = len(points.first) - 1
    columns = {
        "turn": points.turn,
        "first": points.first,
        "kind": points.kind,
        "object": points.object,
        "is_free": is_free,
        "at": at,
        "given": np.zeros(objects + 1),
        "next": np.empty(courses, np.int64),
    }
    run = _Points(count=len(points.kind), courses=courses, work=passed(work), lag=passed(lag))
    kept = {name: np.ascontiguousarray(column, _COLUMNS[name]) for name, column in columns.items()}
    for name, column in kept.items():
        point(run, name, column)
    load().pomp_retime(ctypes.byref(run))
    return np.asarray(kept["at"])


def tail_of(run: Run, graph: Graph) -> float:
    """Ticks from the main thread's last point to the program's end."""
    last = graph.first[run.main + 1] - 1
    since = graph.after[last] if last >= graph.first[run.main] else np.int64(run.start)
    return float(run.end - since)
