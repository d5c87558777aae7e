"""The operations of devices as profiles of speedscope: one for each lane of a device."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator

from pomp_clang.export.otf2.region_rows import ConstructPart
from pomp_clang.export.thread_events import ProcessEvents
from pomp_clang.trace.devices import (
    DeviceIntervals,
    DeviceLane,
    DeviceOperation,
    device_intervals,
    lanes_of,
    operation_name,
)
from pomp_clang.trace.model import Ints

Frame = dict[str, str | int]


class DeviceProfiles:
    """The profiles of a process's devices. Their frames are kernels, transfers and allocations, each
    with the place of its construct; they are added to `frames`."""

    def __init__(self, shared: ProcessEvents, frames: list[Frame]) -> None:
        self._shared = shared
        self._intervals: DeviceIntervals = device_intervals(shared.trace.records)
        self._lanes = lanes_of(self._intervals)
        numbers: dict[tuple[str, str | int, str | int], int] = {}
        self._frames = []
        for row in range(len(self._intervals)):
            frame = self._frame(row)
            key = frame["name"], frame.get("file", ""), frame.get("line", 0)
            if key not in numbers:
                numbers[str(key[0]), key[1], key[2]] = len(frames)
                frames.append(frame)
            self._frames.append(numbers[str(key[0]), key[1], key[2]])

    def __len__(self) -> int:
        return len(self._lanes)

    def texts(self, prefix: str, nanoseconds: Callable[[Ints], list[int]]) -> Iterator[str]:
        """Yield the profile of each lane; `nanoseconds` converts moments of the process's trace."""
        for lane in self._lanes:
            profile = {
                "type": "evented", "name": prefix + lane.name, "unit": "nanoseconds",
                "startValue": 0, **self._events(lane, nanoseconds),
            }  # fmt: skip
            yield json.dumps(profile, separators=(",", ":"))

    def _frame(self, row: int) -> Frame:
        intervals, shared = self._intervals, self._shared
        operation = DeviceOperation(int(intervals.operation[row]))
        construct = int(shared.regions.numbers[ConstructPart.WHOLE][int(intervals.path[row])])
        if construct <= 0:
            return {"name": operation_name(operation, "", intervals.names[row])}
        region = shared.rows[construct]
        name = operation_name(operation, region.name, intervals.names[row])
        place: Frame = {"file": region.file, "line": region.lines[0]} if region.file else {}
        return {"name": name} | place

    def _events(
        self, lane: DeviceLane, nanoseconds: Callable[[Ints], list[int]]
    ) -> dict[str, object]:
        begins = nanoseconds(self._intervals.begin[lane.rows])
        ends = nanoseconds(self._intervals.end[lane.rows])
        events = []
        for row, begin, end in zip(lane.rows.tolist(), begins, ends, strict=True):
            frame = self._frames[row]
            events.append({"type": "O", "frame": frame, "at": begin})
            events.append({"type": "C", "frame": frame, "at": max(begin, end)})
        return {"endValue": max(ends, default=0), "events": events}
