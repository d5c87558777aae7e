"""The use of devices by a job: the sums of its processes, by the job's regions."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from pomp_clang.analysis.device_use import (
    NOTHING,
    OTHER_ADDRESSES,
    ConstructOnDevices,
    DeviceUse,
    MovedData,
)
from pomp_clang.analysis.job import JobProfile, region_key
from pomp_clang.experiment.model import Region, TargetActivity


def devices_of_job(job: JobProfile) -> DeviceUse | None:
    """Return the use of devices by all processes; None if none of them offloads.

    A device is that of one number in every process. Addresses differ between processes: data with
    a name is one variable's, and other data is not told apart.
    """
    uses = [use for process in job.processes if (use := process.run.analysis.devices)]
    if not uses:
        return None
    by_key: dict[object, list[ConstructOnDevices]] = {}
    for use in uses:
        for construct in use.constructs:
            by_key.setdefault(_key(construct), []).append(construct)
    regions = {region_key(profile.region): profile.region for profile in job.regions}
    order = [*(key for key in regions if key in by_key), *([None] if None in by_key else [])]
    numbers = [use.number for use in uses if use.number is not None]
    return DeviceUse(
        runtime=uses[0].runtime,
        number=max(numbers, default=None),
        is_reported=all(use.is_reported for use in uses),
        devices={number: kind for use in uses for number, kind in use.devices.items()},
        constructs=tuple(
            _merged(None if key is None else regions[key], by_key[key]) for key in order
        ),
        compares=any(use.compares for use in uses),
    )


def _key(construct: ConstructOnDevices) -> object:
    return None if construct.region is None else region_key(construct.region)


def _merged(region: Region | None, parts: list[ConstructOnDevices]) -> ConstructOnDevices:
    devices: dict[int, TargetActivity] = {}
    for part in parts:
        for number, activity in part.devices.items():
            devices[number] = devices.get(number, NOTHING) + activity
    on_host = [part.hostC for part in parts]
    known = [count for count in on_host if count is not None]
    return ConstructOnDevices(
        region,
        sum(part.execC for part in parts),
        sum(known) if len(known) == len(on_host) else None,
        sum(part.innerC for part in parts),
        dict(sorted(devices.items())),
        tuple(_data(parts)),
        sum(part.betweenT for part in parts),
    )


def _data(parts: list[ConstructOnDevices]) -> Iterator[MovedData]:
    """Yield the data by device and name, the data without a name last."""
    merged: dict[tuple[int, str], MovedData] = {}
    for part in parts:
        for moved in part.data:
            is_named = moved.is_one and moved.name
            key = moved.device, moved.name if is_named else ""
            address = moved.address if is_named else OTHER_ADDRESSES
            before = merged.get(key) or replace(moved, address=address, activity=NOTHING)
            merged[key] = replace(
                before,
                bytes=max(before.bytes, moved.bytes),
                activity=before.activity + moved.activity,
            )
    yield from sorted(merged.values(), key=lambda moved: not moved.is_one)
