"""The use of devices in JSON."""

from __future__ import annotations

from typing import Any

from pomp_clang.analysis.device_use import ConstructOnDevices, DeviceUse, MovedData
from pomp_clang.experiment.layout import TARGET_COLUMNS
from pomp_clang.experiment.model import TargetActivity

COLUMNS = (*TARGET_COLUMNS, "mapT")
DATA_COLUMNS = (
    "toC", "toV", "toT", "fromC", "fromV", "fromT", "allocC", "allocV", "allocT",
    "againC", "againV", "againT", "roundC", "roundV", "roundT", "sameC", "sameV", "sameT",
)  # fmt: skip


def target(use: DeviceUse) -> dict[str, Any]:
    return {
        "runtime": use.runtime,
        "number": use.number,
        "reported": use.is_reported,
        "compared": use.compares,
        "devices": [{"device": number, "kind": kind} for number, kind in use.devices.items()],
        "constructs": [_construct(construct) for construct in use.constructs],
        "sum": _values(use.total),
    }


def _construct(construct: ConstructOnDevices) -> dict[str, Any]:
    return {
        "region": construct.region.id if construct.region else None,
        "execC": construct.execC,
        "hostC": construct.hostC,
        "betweenT": construct.betweenT,
        **_values(construct.total),
        "devices": [
            {"device": device, **_values(activity)}
            for device, activity in construct.devices.items()
        ],
        "data": [_data(moved) for moved in construct.data],
    }


def _values(activity: TargetActivity) -> dict[str, float]:
    return {name: getattr(activity, name) for name in COLUMNS}


def _data(moved: MovedData) -> dict[str, Any]:
    return {
        "device": moved.device,
        "address": moved.address if moved.is_one else None,
        "name": moved.name,
        "bytes": moved.bytes,
        **{name: getattr(moved.activity, name) for name in DATA_COLUMNS},
    }
