"""Operations of devices in a trace: kernels, transfers, allocations, as intervals in lanes and
as lines of text.

A device executes operations at the same time, as those of constructs with `nowait`. They are in
different lanes, in each of which no two intervals overlap.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterator, Mapping
from enum import IntEnum

import numpy as np
import numpy.typing as npt

from pomp_clang.experiment.records import RawDeviceIntervals, Records
from pomp_clang.shared_dataclass import dataclass
from pomp_clang.trace.model import Ints, Window

NO_LOCATION = 0xFFFFFFFF
"""The location of intervals that a thread without a location reported: one that runs the tasks of
`nowait`."""


class DeviceOperation(IntEnum):
    KERNEL = 1
    TO = 2
    FROM = 3
    ALLOC = 4
    DELETE = 5


OPERATION_NAMES = {
    DeviceOperation.KERNEL: "kernel",
    DeviceOperation.TO: "transfer to device",
    DeviceOperation.FROM: "transfer from device",
    DeviceOperation.ALLOC: "allocation",
    DeviceOperation.DELETE: "deletion",
}


def operation_name(operation: DeviceOperation, construct: str, variable: str) -> str:
    """Return the name of an interval: that of a kernel has the construct, and others the variable."""
    words = OPERATION_NAMES[operation]
    if operation is DeviceOperation.KERNEL:
        return f"{words} {construct}".rstrip()
    return f"{words}: {variable}" if variable else words


_FIELDS = (
    ("begin", "u8"), ("end", "u8"), ("address", "u8"), ("bytes", "u8"), ("path", "u4"),
    ("device", "i4"), ("location", "u4"), ("operation", "u2"), ("is_bound", "u2"),
    ("teams", "u4"), ("unused", "u4"),
)  # fmt: skip
_SIZE = 56


@dataclass(frozen=True, slots=True)
class DeviceIntervals:
    """The intervals of all devices as columns, by device and then by begin. Times are ticks.

    `operation` are numbers of `DeviceOperation`, and `address` is the data's on the host, 0 if
    unknown. `location` reported the interval, or `NO_LOCATION`. `teams` is the number that a kernel
    was launched for, 0 if none was given. Where `is_bound`, the end is an upper bound. `lost`
    intervals had no room.
    """

    device: Ints
    lane: Ints
    begin: Ints
    end: Ints
    operation: Ints
    path: Ints
    location: Ints
    address: Ints
    bytes: Ints
    teams: Ints
    is_bound: npt.NDArray[np.bool_]
    names: tuple[str, ...]
    """The variable of each interval, "" if it is not known."""
    lost: int = 0

    def __len__(self) -> int:
        return len(self.begin)


@dataclass(frozen=True, slots=True)
class DeviceLane:
    """A lane of a device, numbered from 0, with the rows of its intervals in time order."""

    device: int
    lane: int
    rows: Ints

    @property
    def name(self) -> str:
        return f"device {self.device}" + (f", lane {self.lane + 1}" if self.lane else "")


def device_intervals(records: Records) -> DeviceIntervals:
    """Return the intervals of a trace's devices."""
    table = np.concatenate([_table(raw) for raw in records.devices] or [_empty()])
    known = (table["operation"] >= 1) & (table["operation"] <= len(DeviceOperation))
    known &= table["begin"] <= table["end"]
    known &= table["end"] < 1 << 62
    paths = np.isin(table["path"], [0, *records.paths])
    table = table[known]
    path = np.where(paths[known], table["path"], 0).astype(np.int64)
    order = np.lexsort((table["end"], table["begin"], table["device"]))
    columns = {
        name: table[name][order].astype(np.int64)
        for name in (
            "device", "begin", "end", "operation", "location", "address", "bytes", "teams",
        )
    }  # fmt: skip
    path = path[order]
    return DeviceIntervals(
        lane=_lanes(columns["device"], columns["begin"], columns["end"]),
        path=path,
        is_bound=table["is_bound"][order] != 0,
        names=_names(records, columns["device"], path, columns["address"]),
        lost=sum(raw.lost for raw in records.devices),
        **columns,
    )


def _table(raw: RawDeviceIntervals) -> npt.NDArray[np.void]:
    """Return the intervals of a record; a newer runtime's may be longer."""
    offsets = np.cumsum([0, *(int(form[1]) for _, form in _FIELDS[:-1])])
    assert int(offsets[-1]) + 4 == _SIZE
    layout = np.dtype(
        {
            "names": [name for name, _ in _FIELDS],
            "formats": [raw.order + form for _, form in _FIELDS],
            "offsets": offsets.tolist(),
            "itemsize": raw.size,
        }
    )
    return np.frombuffer(raw.content, layout).astype(_NATIVE)


_NATIVE = np.dtype([(name, form) for name, form in _FIELDS])


def _empty() -> npt.NDArray[np.void]:
    return np.zeros(0, _NATIVE)


def _lanes(device: Ints, begin: Ints, end: Ints) -> Ints:
    """Return the lowest lane of the device that is free when an interval begins."""
    lane = np.zeros(len(begin), np.int64)
    overlaps = (begin[1:] < end[:-1]) & (device[1:] == device[:-1])
    for number in np.unique(device[1:][overlaps]).tolist():
        rows = np.flatnonzero(device == number)
        lane[rows] = list(_lanes_of_device(begin[rows].tolist(), end[rows].tolist()))
    return lane


def _lanes_of_device(begin: list[int], end: list[int]) -> Iterator[int]:
    busy: list[tuple[int, int]] = []
    free: list[int] = []
    count = 0
    for since, until in zip(begin, end, strict=True):
        while busy and busy[0][0] <= since:
            heapq.heappush(free, heapq.heappop(busy)[1])
        if free:
            lane = heapq.heappop(free)
        else:
            lane, count = count, count + 1
        heapq.heappush(busy, (until, lane))
        yield lane


def _names(records: Records, device: Ints, path: Ints, address: Ints) -> tuple[str, ...]:
    """Return the variables at addresses, as the profile has them."""
    known = {(row.path, row.device, row.address): row.name for row in records.target if row.name}
    if not known:
        return ("",) * len(device)
    keys = zip(path.tolist(), device.tolist(), address.tolist(), strict=True)
    return tuple(known.get(key, "") for key in keys)


def lanes_of(intervals: DeviceIntervals) -> list[DeviceLane]:
    """Return the lanes of all devices, in their order."""
    pairs = sorted(set(zip(intervals.device.tolist(), intervals.lane.tolist(), strict=True)))
    return [
        DeviceLane(
            device,
            lane,
            np.flatnonzero((intervals.device == device) & (intervals.lane == lane)),
        )
        for device, lane in pairs
    ]


@dataclass(frozen=True, slots=True)
class DeviceSum:
    """A device's number of operations, bytes and ticks of one kind; `busy` is the number of ticks in
    which at least one is under way."""

    device: int
    operation: DeviceOperation
    count: int
    bytes: int
    ticks: int
    busy: int


def device_sums(intervals: DeviceIntervals) -> list[DeviceSum]:
    """Sum the intervals up by device and operation."""
    sums = []
    for device in np.unique(intervals.device).tolist():
        for operation in DeviceOperation:
            rows = (intervals.device == device) & (intervals.operation == operation)
            if not rows.any():
                continue
            begin, end = intervals.begin[rows], intervals.end[rows]
            sums.append(
                DeviceSum(
                    device,
                    operation,
                    len(begin),
                    int(intervals.bytes[rows].sum()),
                    int((end - begin).sum()),
                    covered(begin, end),
                )
            )
    return sums


def covered(begin: Ints, end: Ints) -> int:
    """Return the length of the union of intervals, which are in the order of their begins."""
    if not len(begin):
        return 0
    latest = np.maximum.accumulate(end)
    since = np.maximum(begin, np.concatenate([begin[:1], latest[:-1]]))
    return int(np.maximum(0, end - since).sum())


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
