"""The operations of devices in JSON, from traces."""

from __future__ import annotations

from typing import Any

import numpy as np

from pomp_clang.experiment.records import Records
from pomp_clang.trace.devices import covered, device_intervals, device_sums


def devices(records: Records, process: int) -> list[dict[str, Any]]:
    """Build the JSON objects of a process's devices."""
    if not records.devices:
        return []
    intervals = device_intervals(records)
    second = records.header.ticks_per_second
    sums = device_sums(intervals)
    every = []
    for device in np.unique(intervals.device).tolist():
        rows = intervals.device == device
        busy = covered(intervals.begin[rows], intervals.end[rows])
        every.append(
            {
                "process": process,
                "device": device,
                "kind": records.texts.get(f"target_device_{device}", ""),
                "lanes": int(intervals.lane[rows].max()) + 1,
                "busy": busy / second,
                "operations": [
                    {
                        "operation": item.operation.name.lower(),
                        "count": item.count,
                        "bytes": item.bytes,
                        "time": item.ticks / second,
                        "busy": item.busy / second,
                    }
                    for item in sums
                    if item.device == device
                ],
            }
        )
    return every
