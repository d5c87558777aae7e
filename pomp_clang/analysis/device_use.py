"""The use of devices by target constructs, by construct and by the data that they move."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

from pomp_clang.experiment.model import Experiment, Region
from pomp_clang.experiment.target_profile import TargetActivity, TargetProfile
from pomp_clang.openmp.kinds import has_kernel, is_parallel, is_target
from pomp_clang.shared_dataclass import dataclass

NOTHING = TargetActivity()

_WAITS = ("taskwait", "taskgroup", "barrier")
"""Constructs in which the host may wait for kernels; a taskgroup is one from its begin."""

OTHER_ADDRESSES = 1
"""The address of the data beyond the first addresses of a call path."""


@dataclass(frozen=True, slots=True)
class MovedData:
    """The data at an address of the host that a construct allocates on a device, or transfers.

    `bytes` is the size of the largest allocation or transfer, `name` the variable's, "" if unknown.
    """

    device: int
    address: int
    bytes: int
    activity: TargetActivity
    name: str = ""

    @property
    def is_one(self) -> bool:
        """True if this is the data at one address."""
        return self.address != OTHER_ADDRESSES


@dataclass(frozen=True)
class ConstructOnDevices:
    """A construct's use of devices; `region` is None outside all regions.

    `execC` are visits, and `hostC` visits without a launch, None if that is not known or the construct
    launches nothing. `innerC` are launches of constructs within a `target data`, and `betweenT` seconds of its block in no
    target construct, no parallel region and no wait for tasks. `devices` are the activities by device,
    `off_host` their sum on devices other than the host itself, and `data` the parts of them by
    address, those that took longest first.
    """

    region: Region | None
    execC: int
    hostC: int | None
    innerC: int
    devices: Mapping[int, TargetActivity]
    off_host: TargetActivity
    data: tuple[MovedData, ...]
    betweenT: float = 0.0

    @cached_property
    def total(self) -> TargetActivity:
        return sum(self.devices.values(), start=NOTHING)


@dataclass(frozen=True, slots=True)
class DeviceUse:
    """A program's use of devices.

    `runtime` reports it, "" if it has another tool. `number` is the number of devices, None if unknown.
    With `is_reported` false nothing is known but the
    visits. `devices` are the kinds of the devices by number. `constructs` are the target
    constructs that ran, and other regions in which data moved, in the order of the regions.
    """

    runtime: str
    number: int | None
    is_reported: bool
    devices: Mapping[int, str]
    constructs: tuple[ConstructOnDevices, ...]
    compares: bool = False
    """True if the contents of transfers were compared"""

    @property
    def total(self) -> TargetActivity:
        return sum((construct.total for construct in self.constructs), start=NOTHING)

    @property
    def is_unnamed(self) -> bool:
        """True if constructs moved data, and no variable's name is known."""
        names = [moved.name for construct in self.constructs for moved in construct.data]
        moves = any(construct.data for construct in self.constructs if construct.region)
        return moves and not any(names)


HOST = "generic-64bit"
"""The kind of a device that is the host itself."""


def is_host_alone(target: TargetProfile | None) -> bool:
    """Return whether all devices that the program used are the host itself."""
    return target is not None and set(target.devices.values()) == {HOST}


def device_use(experiment: Experiment) -> DeviceUse | None:
    """Return the use of devices; None in a program that does not offload."""
    target = experiment.target
    if target is None:
        return None
    collected = _Collected(experiment, target)
    constructs = [
        collected.construct(region)
        for region in experiment.regions
        if region.id in collected.devices
        or (has_kernel(region.kind) and collected.visits.get(region.id))
    ]
    if "" in collected.devices:
        constructs.append(collected.construct(None))
    return DeviceUse(
        target.runtime,
        target.number,
        target.is_reported,
        target.devices,
        tuple(constructs),
        target.compares,
    )


class _Collected:
    """The use of devices by region, "" for none."""

    def __init__(self, experiment: Experiment, target: TargetProfile) -> None:
        self.is_reported = target.is_reported
        self.kinds = target.devices
        self.region_of = {path.id: path.region for path in experiment.callpaths}
        self.above = {path.id: path.above for path in experiment.callpaths}
        self.visits: dict[str, int] = {}
        for (ident, _), measured in experiment.profile.items():
            self.visits[ident] = self.visits.get(ident, 0) + measured.execC
        self.devices: dict[str, dict[int, TargetActivity]] = {}
        self.inner: dict[str, int] = {}
        for (path, device), activity in target.activities.items():
            of_region = self.devices.setdefault(self.region_of.get(path, ""), {})
            of_region[device] = of_region.get(device, NOTHING) + activity
            for ident in self._around(path):
                self.inner[ident] = self.inner.get(ident, 0) + activity.launchC
        self.data = _data(target, self.region_of)
        self.between = self._between(experiment)

    def _between(self, experiment: Experiment) -> dict[str, float]:
        """Return the seconds of blocks of `target data` outside the constructs within, and outside
        waits for kernels that are tasks."""
        kinds = {region.id: region.kind for region in experiment.regions}
        ends = {path.id: _ends_host_work(kinds[path.region]) for path in experiment.callpaths}
        between: dict[str, float] = {}
        for (path, tid), measured in experiment.callpath_profile.items():
            if kinds[self.region_of[path]] == "target data":
                ident = self.region_of[path]
                between[ident] = between.get(ident, 0.0) + measured.bodyT
            above = self.above[path]
            while above is not None and not ends[above]:
                above = self.above[above]
            if not ends[path] or above is None:
                continue
            is_own = (above, tid) in experiment.callpath_profile
            if is_own and kinds[self.region_of[above]] == "target data":
                ident = self.region_of[above]
                between[ident] = between.get(ident, 0.0) - measured.execT
        return {ident: max(0.0, seconds) for ident, seconds in between.items()}

    def _around(self, path: str) -> set[str]:
        """Return the regions around a call path."""
        regions = set()
        above = self.above.get(path)
        while above is not None:
            regions.add(self.region_of[above])
            above = self.above.get(above)
        return regions

    def construct(self, region: Region | None) -> ConstructOnDevices:
        ident = region.id if region else ""
        devices = dict(sorted(self.devices.get(ident, {}).items()))
        visits = self.visits.get(ident, 0)
        launches = sum(activity.launchC for activity in devices.values())
        is_known = region is not None and has_kernel(region.kind) and self.is_reported
        on_host = max(0, visits - launches) if is_known else None
        inner, data = self.inner.get(ident, 0), self.data.get(ident, ())
        between = self.between.get(ident, 0.0)
        others = (part for number, part in devices.items() if self.kinds.get(number) != HOST)
        off_host = sum(others, start=NOTHING)
        return ConstructOnDevices(region, visits, on_host, inner, devices, off_host, data, between)


def _ends_host_work(kind: str) -> bool:
    return is_target(kind) or is_parallel(kind) or kind in _WAITS


def _data(target: TargetProfile, region_of: Mapping[str, str]) -> dict[str, tuple[MovedData, ...]]:
    """Return the data by region: that of all its call paths."""
    merged: dict[tuple[str, int, int], MovedData] = {}
    for item in target.data:
        place = item.device, item.address
        key = region_of.get(item.callpath, ""), *place
        before = merged.get(key, MovedData(*place, 0, NOTHING))
        largest = max(before.bytes, item.bytes)
        name = before.name or item.name
        merged[key] = MovedData(*place, largest, before.activity + item.activity, name)
    by_region: dict[str, list[MovedData]] = {}
    for (ident, *_), moved in merged.items():
        by_region.setdefault(ident, []).append(moved)
    return {ident: tuple(sorted(items, key=_rank)) for ident, items in by_region.items()}


def _rank(moved: MovedData) -> tuple[float, int, int]:
    return -moved_time(moved.activity), moved.device, moved.address


def moved_time(activity: TargetActivity) -> float:
    """Return the seconds of transfers and allocations."""
    return activity.toT + activity.fromT + activity.allocT
