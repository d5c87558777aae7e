"""The operations of devices as lines: device by device, each operation with its duration."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

import numpy as np
import numpy.typing as npt

from pomp_clang.trace.devices import (
    NO_LOCATION,
    OPERATION_NAMES,
    DeviceIntervals,
    DeviceOperation,
)
from pomp_clang.trace.model import Ints
from pomp_clang.trace.window import Window

_PART = 1 << 14
"""The number of intervals that are formatted together."""


def device_lines(
    intervals: DeviceIntervals,
    seconds: Callable[[Ints], npt.NDArray[np.float64]],
    places: Mapping[int, str],
    most: int | None,
    window: Window | None,
) -> Iterator[str]:
    """Yield the lines of all devices, at most `most` intervals of each, those in a window of time.

    `seconds` converts ticks to seconds since the program's start, and `places` are the words of the
    call paths.
    """
    for device in np.unique(intervals.device).tolist():
        rows = np.flatnonzero(intervals.device == device)
        lanes = int(intervals.lane[rows].max()) + 1
        about = f", {lanes} lanes" if lanes > 1 else ""
        plural = "s" * (len(rows) != 1)
        yield f"device {device}: {len(rows)} interval{plural}{about}"
        begin, end = seconds(intervals.begin[rows]), seconds(intervals.end[rows])
        if window is not None:
            is_in = (begin <= window[1]) & (end >= window[0])
            rows, begin, end = rows[is_in], begin[is_in], end[is_in]
        count = len(rows) if most is None else min(most, len(rows))
        for first in range(0, count, _PART):
            part = slice(first, min(first + _PART, count))
            yield "\n".join(
                f"{since:14.9f}  {_operation(intervals, row, lanes, places)} took {until - since:.9f} s"
                for row, since, until in zip(
                    rows[part].tolist(), begin[part].tolist(), end[part].tolist(), strict=True
                )
            )
    if intervals.lost:
        yield f"{'':14}  {intervals.lost} intervals of devices were not recorded"


def _operation(intervals: DeviceIntervals, row: int, lanes: int, places: Mapping[int, str]) -> str:
    columns = [f"{OPERATION_NAMES[DeviceOperation(int(intervals.operation[row]))]:20}"]
    if lanes > 1:
        columns.append(f"lane {intervals.lane[row] + 1}")
    path = int(intervals.path[row])
    columns.append(places.get(path, "") if path else "outside all regions")
    if intervals.bytes[row]:
        columns.append(f"{intervals.bytes[row]} bytes")
    if intervals.names[row]:
        columns.append(f"of {intervals.names[row]}")
    if intervals.teams[row]:
        columns.append(f"teams {intervals.teams[row]}")
    if intervals.location[row] != NO_LOCATION:
        columns.append(f"location {intervals.location[row]}")
    if intervals.is_bound[row]:
        columns.append("at most")
    return " ".join(columns)
