"""The use of devices by target constructs, by construct and by the data that they move."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from pomp_clang.experiment.model import Experiment, Region, TargetActivity, TargetProfile
from pomp_clang.openmp.kinds import has_kernel

NOTHING = TargetActivity()

OTHER_ADDRESSES = 1
"""The address of the data beyond the first addresses of a call path."""


@dataclass(frozen=True, slots=True)
class MovedData:
    """The data at an address of the host that a construct allocates on a device, or transfers.

    `bytes` is the size of the largest allocation or transfer.
    """

    device: int
    address: int
    bytes: int
    activity: TargetActivity

    @property
    def is_one(self) -> bool:
        """True if this is the data at one address."""
        return self.address != OTHER_ADDRESSES


@dataclass(frozen=True)
class ConstructOnDevices:
    """A construct's use of devices; `region` is None for what is in no region.

    `execC` are visits, and `hostC` visits without a launch, None if that is not known or the construct
    launches nothing. `devices` are the activities by device, and `data` the parts of them by
    address, those that took longest first.
    """

    region: Region | None
    execC: int
    hostC: int | None
    devices: Mapping[int, TargetActivity]
    data: tuple[MovedData, ...]

    @cached_property
    def total(self) -> TargetActivity:
        return sum(self.devices.values(), start=NOTHING)


@dataclass(frozen=True, slots=True)
class DeviceUse:
    """A program's use of devices.

    `runtime` reports it, "" if it has another tool. With `is_reported` false nothing is known but the
    visits. `devices` are the kinds of the devices by number. `constructs` are the target
    constructs that ran, and other regions in which data moved, in the order of the regions.
    """

    runtime: str
    is_reported: bool
    devices: Mapping[int, str]
    constructs: tuple[ConstructOnDevices, ...]

    @property
    def total(self) -> TargetActivity:
        return sum((construct.total for construct in self.constructs), start=NOTHING)


def device_use(experiment: Experiment) -> DeviceUse | None:
    """Return the use of devices; None in a program that does not offload."""
    target = experiment.target
    if target is None:
        return None
    region_of = {path.id: path.region for path in experiment.callpaths}
    visits: dict[str, int] = {}
    for (ident, _), measured in experiment.profile.items():
        visits[ident] = visits.get(ident, 0) + measured.execC
    devices: dict[str, dict[int, TargetActivity]] = {}
    for (path, device), activity in target.activities.items():
        of_region = devices.setdefault(region_of.get(path, ""), {})
        of_region[device] = of_region.get(device, NOTHING) + activity
    data = _data(target, region_of)
    constructs = [
        _construct(region, visits.get(region.id, 0), devices, data, target.is_reported)
        for region in experiment.regions
        if region.id in devices or (has_kernel(region.kind) and visits.get(region.id))
    ]
    if "" in devices:
        constructs.append(_construct(None, 0, devices, data, target.is_reported))
    return DeviceUse(target.runtime, target.is_reported, target.devices, tuple(constructs))


def _construct(
    region: Region | None,
    visits: int,
    devices: Mapping[str, Mapping[int, TargetActivity]],
    data: Mapping[str, tuple[MovedData, ...]],
    is_reported: bool,
) -> ConstructOnDevices:
    ident = region.id if region else ""
    own = dict(sorted(devices.get(ident, {}).items()))
    launches = sum(activity.launchC for activity in own.values())
    is_known = region is not None and has_kernel(region.kind) and is_reported
    on_host = max(0, visits - launches) if is_known else None
    return ConstructOnDevices(region, visits, on_host, own, data.get(ident, ()))


def _data(target: TargetProfile, region_of: Mapping[str, str]) -> dict[str, tuple[MovedData, ...]]:
    """Return the data by region: that of all its call paths."""
    merged: dict[tuple[str, int, int], MovedData] = {}
    for item in target.data:
        place = item.device, item.address
        key = region_of.get(item.callpath, ""), *place
        before = merged.get(key, MovedData(*place, 0, NOTHING))
        largest = max(before.bytes, item.bytes)
        merged[key] = MovedData(*place, largest, before.activity + item.activity)
    by_region: dict[str, list[MovedData]] = {}
    for (ident, *_), moved in merged.items():
        by_region.setdefault(ident, []).append(moved)
    return {ident: tuple(sorted(items, key=_rank)) for ident, items in by_region.items()}


def _rank(moved: MovedData) -> tuple[float, int, int]:
    return -moved_time(moved.activity), moved.device, moved.address


def moved_time(activity: TargetActivity) -> float:
    """Return the seconds of transfers and allocations."""
    return activity.toT + activity.fromT + activity.allocT
