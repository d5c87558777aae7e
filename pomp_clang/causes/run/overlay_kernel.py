"""Intervals laid over a timeline, by the compiled part in NumPy's memory."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np
import numpy.typing as npt

from pomp_clang.trace.kernel import load, members, point

Column = npt.NDArray[Any]

_TIMELINE = {"begin": np.int64, "path": np.int32, "doing": np.uint8}
_LAID = {"since": np.int64, "until": np.int64, "laid_path": np.int64}
_DISORDER = (1 << 64) - 1


class _Overlaying(ctypes.Structure):
    """`struct pomp_overlaying` of runtime/replay/overlay.h."""

    _fields_ = (
        *members("COUNT", *_TIMELINE),
        ("end", ctypes.c_int64),
        *members("LAID", *_LAID, "LAID_DOING", "OVER", *(f"new_{name}" for name in _TIMELINE)),
    )  # fmt: skip


def overlaid(
    timeline: tuple[Column, Column, Column],
    end: int,
    laid: tuple[Column, Column, Column],
    doing: int,
    over: int,
) -> tuple[Column, Column, Column] | None:
    """Return begins, call paths and activities of a timeline up to `end` (ticks), with the activity
    `doing` where it has `over` within the `laid` intervals: begins, ends and call paths. Return None
    if any of them are not in the order of time."""
    pairs = [
        *zip(_TIMELINE.items(), timeline, strict=True), *zip(_LAID.items(), laid, strict=True),
    ]  # fmt: skip
    columns = {name: np.ascontiguousarray(column, kind) for (name, kind), column in pairs}
    overlaps = len(laid[0]) + int(np.count_nonzero(timeline[2] == over))
    room = len(timeline[0]) + 2 * overlaps
    results = {name: np.empty(room, kind) for name, kind in _TIMELINE.items()}
    run = _Overlaying(
        count=len(timeline[0]), end=end, laid=len(laid[0]), laid_doing=doing, over=over
    )
    for name, column in columns.items():
        point(run, name, column)
    for name, column in results.items():
        point(run, f"new_{name}", column)
    function = load().pomp_overlay
    function.argtypes, function.restype = [ctypes.c_void_p], ctypes.c_uint64
    count = function(ctypes.byref(run))
    if count == _DISORDER:
        return None
    begin, path, activity = (column[:count] for column in results.values())
    return begin, path, activity
