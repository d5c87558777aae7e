"""The trace once more, with other work: when each point would have been reached."""

from __future__ import annotations

import numpy as np

from pomp_clang.causes.course import Flags, Ticks
from pomp_clang.causes.graph import Graph, Point
from pomp_clang.causes.run import Run


def end_of(run: Run, graph: Graph, work: Ticks, lag: Ticks, is_free: Flags, tail: float) -> float:
    """Ticks from the program's start to its end.  `is_free` are locks that are got without what
    they need; `tail` is the main thread's work after its last point."""
    at = [0.0] * len(run.courses)
    given = [0.0] * (graph.objects + 1)
    order = graph.order
    columns = (
        graph.kind[order], graph.course[order], graph.object[order], work[order], lag[order],
        is_free[order],
    )  # fmt: skip
    for kind, course, what, took, more, free in zip(
        *(each.tolist() for each in columns), strict=True
    ):
        now = at[course] + took
        if kind >= Point.BEGIN:
            if kind == Point.GOT:
                now = (now if free or what < 0 else max(now, given[what])) + more
            elif kind == Point.PASS:
                now = max(now, given[what] + more)
            else:
                now = given[what] + more
        else:
            given[what] = max(given[what], now)
        at[course] = now
    return at[run.main] + tail


def tail_of(run: Run, graph: Graph) -> float:
    last = graph.first[run.main + 1] - 1
    since = graph.after[last] if last >= graph.first[run.main] else np.int64(run.start)
    return float(run.end - since)
