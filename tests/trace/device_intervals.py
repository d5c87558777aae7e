"""Intervals of devices made by hand, as a record of the profile has them."""

from __future__ import annotations

import struct
from dataclasses import dataclass

from pomp_clang.experiment.layout import DEVICE_INTERVAL
from pomp_clang.experiment.records import RawDeviceIntervals
from pomp_clang.trace.devices import NO_LOCATION, DeviceOperation


@dataclass(frozen=True)
class MadeInterval:
    begin: int
    end: int
    operation: DeviceOperation = DeviceOperation.KERNEL
    device: int = 0
    path: int = 0
    bytes: int = 0
    address: int = 0
    location: int = NO_LOCATION
    is_bound: bool = False
    teams: int = 0


def recorded(*intervals: MadeInterval, lost: int = 0, order: str = "=") -> RawDeviceIntervals:
    content = b"".join(
        struct.pack(
            order + DEVICE_INTERVAL,
            interval.begin, interval.end, interval.address, interval.bytes, interval.path, interval.device, interval.location,
            interval.operation, interval.is_bound, interval.teams, 0,
        )
        for interval in intervals
    )  # fmt: skip
    return RawDeviceIntervals(content, struct.calcsize("=" + DEVICE_INTERVAL), order, lost)
