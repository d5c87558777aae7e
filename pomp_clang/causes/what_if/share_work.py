"""Even shares of the work of members before their barriers: calls of the compiled kernel on NumPy's
memory."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np
import numpy.typing as npt

from pomp_clang.causes.timeline.columns import Durations, TicksColumn, passed
from pomp_clang.causes.timeline.location_timeline import Numbers, Ticks
from pomp_clang.causes.waits.wait_graph import WaitGraph
from pomp_clang.trace.kernel import load, members, point


class _BalancingStruct(ctypes.Structure):
    """`struct pomp_balancing` of runtime/replay/balance.h."""

    _fields_ = (
        *members("ARRIVALS", "arrival", "since", "object"),
        ("first_barrier", ctypes.c_int64),
        ("work", TicksColumn),
        ("changed", TicksColumn),
        *members("scaled", "done", "members", "amount"),
    )


def shared(
    graph: WaitGraph, changed: Durations, arrivals: Numbers, since: Numbers, done: Ticks
) -> Ticks:
    """Return the `changed` work of all points, with even shares for the members of a team between
    each `since` and the arrival, which are rows of points. `done` is what they do by barrier instance
    beside the work of these points, and is changed. A member with too little work gets the rest
    where it arrives."""
    scaled = changed.astype(np.float64)
    count, amount = np.zeros(len(done), np.int64), np.empty(len(arrivals))
    run = _BalancingStruct(
        arrivals=len(arrivals),
        first_barrier=graph.instances_from,
        work=passed(graph.work),
        changed=passed(changed),
    )
    columns: dict[str, npt.NDArray[Any]] = {
        "arrival": arrivals, "since": since, "object": graph.object, "scaled": scaled,
        "done": done, "members": count, "amount": amount,
    }  # fmt: skip
    for name, column in columns.items():
        point(run, name, column)
    load().pomp_sum_work(ctypes.byref(run))
    done /= np.maximum(1, count)
    load().pomp_share_work(ctypes.byref(run))
    return scaled
