"""Devices in an OTF2 archive: each is a location group, and each of its lanes a location.

A kernel, a transfer and an allocation are regions. A transfer is an access to memory, too: a device
gets what goes to it, and puts what comes from it, as in the archives of Score-P.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from pomp_clang.experiment.records import Records
from pomp_clang.export.otf2.encode import ENDS, ByteField, Encoder, chunk_head, record
from pomp_clang.export.otf2.region_rows import ConstructPart, RegionNumbers, RegionRow
from pomp_clang.otf2.events import Events
from pomp_clang.otf2.layout import (
    ACCELERATOR,
    MOST_FIELDS,
    Definition,
    Event,
    Paradigm,
    RegionRole,
)
from pomp_clang.trace.devices import (
    OPERATION_NAMES,
    DeviceIntervals,
    DeviceLane,
    DeviceOperation,
    device_intervals,
    lanes_of,
)
from pomp_clang.trace.model import Ints

_ROLES = {
    DeviceOperation.TO: RegionRole.DATA_TRANSFER,
    DeviceOperation.FROM: RegionRole.DATA_TRANSFER,
    DeviceOperation.ALLOC: RegionRole.ALLOCATE,
    DeviceOperation.DELETE: RegionRole.DEALLOCATE,
}
_ACCESSES = {DeviceOperation.TO: Event.RMA_GET, DeviceOperation.FROM: Event.RMA_PUT}


@dataclass(frozen=True, slots=True)
class DeviceNumbers:
    """The first numbers of a process's devices in an archive; `process` is its own location group,
    and `threads` is its first location."""

    process: int
    threads: int
    regions: int
    locations: int
    location_groups: int
    groups: int
    comms: int
    windows: int


class ArchivedDevices:
    """The devices of a process in an archive. `threads` are its locations in the order of ranks."""

    def __init__(
        self,
        records: Records,
        regions: RegionNumbers,
        threads: Sequence[int],
        numbers: DeviceNumbers,
    ) -> None:
        self.intervals: DeviceIntervals = device_intervals(records)
        self.lanes: list[DeviceLane] = lanes_of(self.intervals)
        self.devices: list[int] = sorted({lane.device for lane in self.lanes})
        self.rows: list[RegionRow] = []
        self.ranks = {location: rank for rank, location in enumerate(threads)}
        self.numbers = numbers
        self.events: list[int] = []
        self._region: Ints = np.zeros(len(self.intervals), np.int64)
        self._number_regions(regions)

    def next_numbers(self) -> DeviceNumbers:
        """Return the numbers behind those of these devices; those of the process stay."""
        numbers, has = self.numbers, bool(self.lanes)
        return replace(
            numbers,
            regions=numbers.regions + len(self.rows),
            locations=numbers.locations + len(self.lanes),
            location_groups=numbers.location_groups + len(self.devices),
            groups=numbers.groups + has,
            comms=numbers.comms + has,
            windows=numbers.windows + has,
        )

    @property
    def locations(self) -> tuple[int, ...]:
        return tuple(range(self.numbers.locations, self.numbers.locations + len(self.lanes)))

    def write(self, folder: Path, at: Callable[[Ints], Ints]) -> int:
        """Write the files of all lanes; return the number of events. `at` converts moments of the
        trace to those of the archive."""
        for number, lane in zip(self.locations, self.lanes, strict=True):
            encoder = Encoder()
            with open(folder / f"{number}.evt", "wb") as file:
                file.writelines(encoder.add(self._events(lane, at)))
                file.write(encoder.finish())
            (folder / f"{number}.def").write_bytes(chunk_head() + ENDS)
            self.events.append(encoder.written)
        return sum(self.events)

    def location_records(self, string: Callable[[str], int], node: int) -> Iterator[bytes]:
        """Yield the definitions of the devices and their lanes."""
        for place, device in enumerate(self.devices, self.numbers.location_groups):
            yield record(
                Definition.LOCATION_GROUP, place, string(f"device {device}"),
                ByteField(ACCELERATOR), node, self.numbers.process,
            )  # fmt: skip
        for number, lane, count in zip(self.locations, self.lanes, self.events, strict=True):
            device = self.numbers.location_groups + self.devices.index(lane.device)
            name = string(lane.name)
            yield record(Definition.LOCATION, number, name, ByteField(ACCELERATOR), count, device)

    def window_records(
        self, string: Callable[[str], int], group_of: Callable[[int, tuple[int, ...]], bytes]
    ) -> Iterator[bytes]:
        """Yield the definitions of the window that transfers name, whose members are the threads
        and the lanes of the process."""
        if not self.lanes:
            return
        threads = range(self.numbers.threads, self.numbers.threads + len(self.ranks))
        yield group_of(self.numbers.groups, (*threads, *self.locations))
        name = string("devices")
        yield record(Definition.COMM, self.numbers.comms, name, self.numbers.groups, -1, 0)
        yield record(Definition.RMA_WIN, self.numbers.windows, name, self.numbers.comms, 0)

    def _number_regions(self, regions: RegionNumbers) -> None:
        """Number the regions: of a kernel for each construct, of other operations one each."""
        numbers: dict[tuple[int, int], int] = {}
        is_kernel = self.intervals.operation == DeviceOperation.KERNEL
        construct = regions.numbers[ConstructPart.WHOLE][self.intervals.path]
        keys = np.where(is_kernel, construct, -1)
        pairs = zip(self.intervals.operation.tolist(), keys.tolist(), strict=True)
        for row, key in enumerate(pairs):
            if key not in numbers:
                numbers[key] = len(self.rows)
                self.rows.append(_region(DeviceOperation(key[0]), key[1], regions))
            self._region[row] = numbers[key]

    def _events(self, lane: DeviceLane, at: Callable[[Ints], Ints]) -> Events:
        """Return the events of a lane: enter and leave, and the access of a transfer within."""
        rows = lane.rows
        operation = self.intervals.operation[rows]
        is_transfer = np.isin(operation, list(_ACCESSES))
        steps = np.where(is_transfer, 4, 2)
        count = int(steps.sum())
        first = np.cumsum(steps) - steps
        time, type_ = np.zeros(count, np.int64), np.zeros(count, np.uint8)
        fields = [np.zeros(count, np.int64) for _ in range(MOST_FIELDS)]
        begin, end = at(self.intervals.begin[rows]), at(self.intervals.end[rows])
        region = self._region[rows] + self.numbers.regions
        last = first + steps - 1
        time[first], time[last] = begin, end
        type_[first], type_[last] = Event.ENTER, Event.LEAVE
        fields[0][first] = fields[0][last] = region
        access, complete = first[is_transfer] + 1, first[is_transfer] + 2
        time[access], time[complete] = begin[is_transfer], end[is_transfer]
        type_[access] = np.where(
            operation[is_transfer] == DeviceOperation.TO, Event.RMA_GET, Event.RMA_PUT
        )
        type_[complete] = Event.RMA_COMPLETE
        fields[0][access] = fields[0][complete] = self.numbers.windows
        fields[1][access] = [
            self.ranks.get(location, 0)
            for location in self.intervals.location[rows][is_transfer].tolist()
        ]
        fields[2][access] = self.intervals.bytes[rows][is_transfer]
        fields[3][access] = fields[1][complete] = rows[is_transfer]
        return Events(np.maximum.accumulate(time), type_, tuple(fields))


def _region(operation: DeviceOperation, construct: int, regions: RegionNumbers) -> RegionRow:
    words = OPERATION_NAMES[operation]
    if operation != DeviceOperation.KERNEL:
        return RegionRow(words, _ROLES[operation], Paradigm.OPENMP, "", (0, 0))
    if construct <= 0:
        return RegionRow(words, RegionRole.FUNCTION, Paradigm.OPENMP, "", (0, 0))
    row = regions.rows[construct]
    return RegionRow(
        f"{words} {row.name}", RegionRole.FUNCTION, Paradigm.OPENMP, row.file, row.lines
    )
