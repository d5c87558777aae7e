"""A stream -> what is done in each of its location's stretches, and only those visits that tell
more than that."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from pomp_clang.trace import kernel
from pomp_clang.trace.model import Ints, Ops, Paths, Trace
from pomp_clang.trace.parts import Parts
from pomp_clang.trace.replay import (
    STRETCHES,
    TABLES,
    Departures,
    Earlier,
    Locks,
    Moments,
    Rows,
    Values,
    Visits,
    paths_of,
    run_through,
)
from pomp_clang.trace.tables import Table, Tables


@dataclass(frozen=True, slots=True, eq=False)
class Words:
    """How what is done is told: `table` has a code by the class of the call path, the frame's
    kind and its phase (that of a fork is 0); `none` is done without a frame.  `marked` says of each
    code whether its stretches are looked at one by one, `kept` of each class and kind whether
    visits are."""

    table: Ops
    none: int
    marked: Ops
    kept: Ops


@dataclass(frozen=True, slots=True)
class Doing:
    """As `replay.Stretches`, with the code of what is done."""

    begin: Ints
    path: Paths
    doing: Ops


@dataclass(frozen=True, slots=True)
class Marks:
    """Stretches with a code that is marked: their rows, phases, and rows of visits."""

    stretch: Rows
    visit: Rows
    phase: Ops


@dataclass(frozen=True, slots=True)
class Told:
    """As `replay.Replay`, with those visits that stay: `gone` counts the others by call path.
    `ticks` are by call path and code, `serial` those outside teams.  Locks and values have no
    visit."""

    location: int
    stretches: Doing
    marks: Marks
    visits: Visits
    earlier: Earlier
    locks: Locks
    departures: Departures
    joined: Moments
    assembled: Moments
    values: Values
    ticks: Ints
    serial: Ints
    gone: Ints


_TABLES = Tables(
    {name: table for name, table in TABLES.items() if name != "numbered"}
    | {
        "stretches": Table(Doing, "i8 u2 u1", STRETCHES),
        "marks": Table(Marks, "i4 i4 u1", STRETCHES),
    }
)


def tell(parts: Parts, trace: Trace, words: Words, classes: Ops) -> Told:
    """`classes` are those of the call paths.  Raises ExperimentError where what is closed was not
    open."""
    paths, codes = max(len(classes), paths_of(parts, trace)), len(words.marked)
    ticks, serial = np.zeros((paths, codes), np.int64), np.zeros(paths, np.int64)
    gone, path_class = np.zeros(paths, np.int64), np.zeros(paths, np.uint8)
    path_class[: len(classes)] = classes
    telling = kernel.Telling(none=words.none, codes=codes)
    columns: dict[str, npt.NDArray[Any]] = {
        "path_class": path_class, "table": words.table, "is_marked": words.marked,
        "is_kept": words.kept, "ticks": ticks, "serial": serial, "gone": gone,
    }  # fmt: skip
    for name, column in columns.items():
        kernel.point(telling, name, column)
    run = kernel.Replaying(telling=ctypes.addressof(telling))
    filled = run_through(run, parts, trace, _TABLES)
    known = slice(len(classes))
    return Told(
        parts.location, **filled, ticks=ticks[known], serial=serial[known], gone=gone[known]
    )
