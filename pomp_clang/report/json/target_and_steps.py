"""The use of devices, the hardware counters, the profiles in between and the steps from one to the
next, in JSON."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from pomp_clang.analysis.counters import (
    Counted,
    CountedPlace,
    CounterProfile,
    Values,
    counter_profile,
    metrics_of,
)
from pomp_clang.analysis.device_use import ConstructOnDevices, DeviceUse, MovedData, device_use
from pomp_clang.analysis.profile import RegionProfile, flat_profile
from pomp_clang.analysis.timeline import timeline
from pomp_clang.experiment.layout import TARGET_COLUMNS
from pomp_clang.experiment.model import Experiment, Snapshot
from pomp_clang.experiment.target_profile import TargetActivity

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


def counters(counted: CounterProfile | None) -> dict[str, Any] | None:
    if counted is None:
        return None
    names = [metric.name for metric in counted.metrics]

    def value_or_none(values: Values) -> dict[str, float | None]:
        return dict(zip(names, values, strict=True))

    def both(counted: Counted) -> dict[str, Any]:
        return {
            "inclusive": value_or_none(counted.inclusive),
            "exclusive": value_or_none(counted.exclusive),
        }

    def place(key: str, counted: CountedPlace) -> dict[str, Any]:
        threads = [
            {"tid": tid, **both(counted_thread)} for tid, counted_thread in counted.threads.items()
        ]
        return {key: counted.id, **both(counted.total), "threads": threads}

    return {
        "metrics": [
            {"name": metric.name, "expression": metric.expression or None}
            for metric in counted.metrics
        ],
        "regions": [place("region", region) for region in counted.regions],
        "callpaths": [place("callpath", callpath) for callpath in counted.callpaths],
        "outside": value_or_none(counted.outside),
        "sum": value_or_none(counted.total),
        "notes": list(counted.notes),
    }


def snapshots(experiment: Experiment) -> list[dict[str, Any]]:
    return [_snapshot(experiment, snapshot) for snapshot in experiment.snapshots]


def steps(experiment: Experiment) -> list[dict[str, Any]]:
    counted = experiment.counters
    names = [metric.name for metric in metrics_of(counted)] if counted else []
    return [
        {
            "begin": step.begin,
            "end": step.end,
            "cause": step.cause,
            **{f"{name.lower()}T": value for name, value in step.parts.items()},
            "busiest": step.busiest.id if step.busiest else None,
            "busiestT": step.busiestT,
            "counters": dict(zip(names, step.counted, strict=True)) if names else None,
        }
        for step in timeline(experiment, len(experiment.snapshots) + 1)
    ]


def _snapshot(experiment: Experiment, snapshot: Snapshot) -> dict[str, Any]:
    counted = experiment.counters and replace(experiment.counters, values=snapshot.counted)
    at_snapshot = replace(experiment, profile=snapshot.profile, counters=counted)
    use = device_use(experiment.at(snapshot))
    return {
        "number": snapshot.number,
        "cause": snapshot.cause,
        "time": snapshot.time,
        "unsettled": snapshot.unsettled,
        "regions": [_region(profile) for profile in flat_profile(at_snapshot) if profile.ran],
        "counters": counters(counter_profile(at_snapshot)),
        **({"target": target(use)} if use else {}),
    }


def _region(profile: RegionProfile) -> dict[str, Any]:
    names = [column.name for column in profile.columns]
    return {
        "id": profile.region.id,
        "threads": [
            {"tid": row.tid, **dict(zip(names, row.values, strict=True))} for row in profile.reached
        ],
        "sum": dict(zip(names, profile.total, strict=True)),
    }
