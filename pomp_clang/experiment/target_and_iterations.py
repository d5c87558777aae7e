"""The use of devices by call path, and the recorded iterations of loops, from records: ticks become seconds,
bins get their values."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pomp_clang.experiment.layout import TARGET_COLUMNS
from pomp_clang.experiment.model import LoopIterations
from pomp_clang.experiment.mpi_calls import number_of
from pomp_clang.experiment.records import RawIterations, RawTargetRow, Records, Sums
from pomp_clang.experiment.target_profile import TargetActivity, TargetData, TargetProfile

_DEVICE = "target_device_"

NONE = TargetActivity()


def read_target(records: Records, sums: Sums, numbers: Mapping[int, str]) -> TargetProfile | None:
    """Return the use of devices at a moment; None for a program that is not linked for devices, or
    has no target construct. `numbers` are the call paths by their numbers in the file."""
    texts, second = records.texts, records.header.ticks_per_second
    if "offload" not in texts:
        return None
    activities: dict[tuple[str, int], TargetActivity] = {}
    data: dict[tuple[str, int, int], TargetData] = {}
    for row in sums.target:
        path = numbers.get(row.path, "")
        activity = _activity(row, second)
        if not row.address:
            key = path, row.device
            activities[key] = activities.get(key, NONE) + activity
            continue
        place = path, row.device, row.address
        before = data.get(place, TargetData(*place, 0, NONE))
        largest = max(before.bytes, row.bytes)
        name = before.name or row.name
        data[place] = TargetData(*place, largest, before.activity + activity, name)
    return TargetProfile(
        texts.get("target", ""),
        read_device_count(records),
        _devices(texts),
        activities,
        tuple(data.values()),
        texts.get("target_content") == "1",
    )


def read_device_count(records: Records) -> int | None:
    """Return the number of devices; None for a program that ran no target construct."""
    return number_of(records.texts.get("target_devices", ""))


def _activity(row: RawTargetRow, second: int) -> TargetActivity:
    values: dict[str, Any] = dict(zip(TARGET_COLUMNS, row.values, strict=True))
    for name in values:
        if name[-1] == "T":
            values[name] /= second
    return TargetActivity(**values)


def _devices(texts: Mapping[str, str]) -> dict[int, str]:
    devices = {}
    for key, kind in texts.items():
        device = number_of(key.removeprefix(_DEVICE)) if key.startswith(_DEVICE) else None
        if device is not None:
            devices[device] = kind
    return dict(sorted(devices.items()))


def read_iterations(
    records: Records, regions: Mapping[int, str], tids: Mapping[int, int]
) -> tuple[LoopIterations, ...]:
    """Return the recorded executions of loops, by region, execution and thread.

    `regions` are the regions' names by their numbers, `tids` the threads of locations.
    """
    parts = [
        _part(records, raw, regions[raw.region], tids[raw.location])
        for raw in records.iterations
        if raw.region in regions and raw.location in tids
    ]
    return tuple(sorted(parts, key=lambda part: (part.region, part.execution, part.tid)))


def _part(records: Records, raw: RawIterations, region: str, tid: int) -> LoopIterations:
    header = records.header
    second = header.ticks_per_second
    number = sum(count for _, count in raw.bins)
    return LoopIterations(
        region=region,
        tid=tid,
        execution=raw.execution,
        begin=(raw.begin - header.start) / second,
        end=(raw.end - header.start) / second if raw.end else None,
        width=1 << raw.shift,
        descends=2 * raw.backwards >= number > 1,
        bins=tuple(
            ((raw.low + place) << raw.shift, count, ticks / second)
            for place, (ticks, count) in enumerate(raw.bins)
            if count
        ),
    )
