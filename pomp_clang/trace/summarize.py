"""The activity of a location in each interval, and only those visits that carry more than that."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np
import numpy.typing as npt

from pomp_clang.shared_dataclass import dataclass
from pomp_clang.trace import kernel
from pomp_clang.trace.model import Ints, Ops, Paths, Trace
from pomp_clang.trace.replay import (
    INTERVALS,
    TABLES,
    Departures,
    EarlierBarriers,
    LockColumns,
    Rows,
    TeamMoments,
    ValueColumns,
    VisitColumns,
    paths_of,
    run_through,
)
from pomp_clang.trace.replay_buffers import KernelTable, KernelTables, LocationEvents


@dataclass(frozen=True, slots=True, eq=False)
class ActivityRules:
    """The codes of activities. `table` has the code by class of the call path, kind and phase of
    the frame (0 for a fork); `none` is the code without a frame.

    `marked` says for each code whether its intervals are listed one by one, `keeps` for each
    class and kind whether visits are.
    """

    table: Ops
    none: int
    marked: Ops
    keeps: Ops


@dataclass(frozen=True, slots=True)
class ActivityIntervals:
    """Intervals as in `replay.IntervalColumns`, with the code of the activity."""

    begin: Ints
    path: Paths
    doing: Ops


@dataclass(frozen=True, slots=True)
class MarkedIntervals:
    """Intervals with a marked code: their rows, phases, and rows of visits."""

    interval: Rows
    visit: Rows
    phase: Ops


@dataclass(frozen=True, slots=True)
class LocationSummary:
    """Tables as in `replay.Replay`, with only the visits that are kept; `other_visits`
    counts the others by call path.

    `ticks` are by call path and code, `serial` those outside teams. Locks and values have no visit.
    """

    location: int
    intervals: ActivityIntervals
    marks: MarkedIntervals
    visits: VisitColumns
    earlier: EarlierBarriers
    locks: LockColumns
    departures: Departures
    joined: TeamMoments
    assembled: TeamMoments
    values: ValueColumns
    ticks: Ints
    serial: Ints
    other_visits: Ints


_TABLES = KernelTables(
    {name: table for name, table in TABLES.items() if name != "numbered"}
    | {
        "intervals": KernelTable(ActivityIntervals, "i8 u2 u1", INTERVALS),
        "marks": KernelTable(MarkedIntervals, "i4 i4 u1", INTERVALS),
    }
)


def summarize(
    parts: LocationEvents, trace: Trace, rules: ActivityRules, classes: Ops
) -> LocationSummary:
    """Replay events into a summary; `classes` are those of the call paths. Raises ExperimentError
    if an event closes a frame that was not open."""
    paths, codes = max(len(classes), paths_of(parts, trace)), len(rules.marked)
    ticks, serial = np.zeros((paths, codes), np.int64), np.zeros(paths, np.int64)
    ended, path_class = np.zeros(paths, np.int64), np.zeros(paths, np.uint8)
    path_class[: len(classes)] = classes
    telling = kernel.Telling(none=rules.none, codes=codes)
    columns: dict[str, npt.NDArray[Any]] = {
        "path_class": path_class, "table": rules.table, "is_marked": rules.marked,
        "is_kept": rules.keeps, "ticks": ticks, "serial": serial, "gone": ended,
    }  # fmt: skip
    for name, column in columns.items():
        kernel.point(telling, name, column)
    run = kernel.Replaying(telling=ctypes.addressof(telling))
    filled = run_through(run, parts, trace, _TABLES)
    known = slice(len(classes))
    return LocationSummary(
        parts.location,
        **filled,
        ticks=ticks[known],
        serial=serial[known],
        other_visits=ended[known],
    )
