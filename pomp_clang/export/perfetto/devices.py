"""The operations of devices as JSON of the Trace Event Format.

Each lane of a device is a track below the threads of its process. A slice has the bytes, the
variable and the construct as arguments.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence

from pomp_clang.export.otf2.region_rows import ConstructPart
from pomp_clang.export.thread_events import ProcessEvents
from pomp_clang.report.phrases import number as counted
from pomp_clang.trace.devices import (
    NO_LOCATION,
    DeviceIntervals,
    DeviceLane,
    DeviceOperation,
    device_intervals,
    lanes_of,
    operation_name,
)
from pomp_clang.trace.model import Ints


class DeviceTracks:
    """The tracks of a process's devices; `nanoseconds` converts moments of its trace."""

    def __init__(
        self, pid: int, shared: ProcessEvents, nanoseconds: Callable[[Ints], list[int]]
    ) -> None:
        self.pid = pid
        self.shared = shared
        self.nanoseconds = nanoseconds
        self.intervals: DeviceIntervals = device_intervals(shared.trace.records)
        self.lanes = lanes_of(self.intervals)

    def metadata(self) -> Iterator[str]:
        """Yield the metadata events of the tracks."""
        for number, lane in enumerate(self.lanes, self.shared.count):
            for field, value in (("name", lane.name), ("sort_index", number)):
                about: Mapping[str, object] = {field: value}
                event = {"ph": "M", "pid": self.pid, "tid": number, "name": f"thread_{field}"}
                yield _json({**event, "args": about})

    def writers(self) -> Iterator[Iterator[tuple[int, str]]]:
        """Yield for each lane an iterator over its slices in time order: the begin in ns, and a line
        with a comma before it."""
        for number, lane in enumerate(self.lanes, self.shared.count):
            yield self._slices(number, lane)

    def _slices(self, track: int, lane: DeviceLane) -> Iterator[tuple[int, str]]:
        rows = lane.rows
        begins = self.nanoseconds(self.intervals.begin[rows])
        ends = self.nanoseconds(self.intervals.end[rows])
        for row, begin, end in zip(rows.tolist(), begins, ends, strict=True):
            name, category, arguments = self._about(row)
            event = {"ph": "X", "name": name, "cat": category, "pid": self.pid, "tid": track}
            times = f'"ts":{_microseconds(begin)},"dur":{_microseconds(max(0, end - begin))}'
            yield begin, f",\n{_json({**event, 'args': arguments})[:-1]},{times}}}"

    def _about(self, row: int) -> tuple[str, str, dict[str, object]]:
        """Return an interval's name, category and arguments."""
        intervals = self.intervals
        operation = DeviceOperation(int(intervals.operation[row]))
        construct = int(self.shared.regions.numbers[ConstructPart.WHOLE][int(intervals.path[row])])
        region = self.shared.rows[construct] if construct > 0 else None
        variable, location = intervals.names[row], int(intervals.location[row])
        arguments: dict[str, object] = {}
        if region is not None:
            arguments |= {"construct": region.name, "file": region.file, "line": region.lines[0]}
        if variable:
            arguments["variable"] = variable
        if intervals.bytes[row]:
            arguments["bytes"] = int(intervals.bytes[row])
        if intervals.teams[row]:
            arguments["teams"] = int(intervals.teams[row])
        if location != NO_LOCATION and location in self.shared.ranks:
            arguments["thread"] = self.shared.name(location)
        if intervals.is_bound[row]:
            arguments["end"] = "upper bound"
        name = operation_name(operation, region.name if region else "", variable)
        return name, operation.name.lower(), arguments


def devices_phrase(all_tracks: Sequence[DeviceTracks]) -> str:
    """Return what a summary says of the devices of all processes."""
    intervals = sum(len(tracks.intervals) for tracks in all_tracks)
    devices = sum(len({lane.device for lane in tracks.lanes}) for tracks in all_tracks)
    return f", {intervals} of {counted(devices, 'device')}" if intervals else ""


def _microseconds(nanoseconds: int) -> str:
    return f"{nanoseconds // 1000}.{nanoseconds % 1000:03}"


def _json(event: Mapping[str, object]) -> str:
    return json.dumps(event, separators=(",", ":"))
