"""The profiles in between, and the steps from one to the next, for the JSON report."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from pomp_clang.analysis.counters import counter_profile, metrics_of
from pomp_clang.analysis.profile import RegionProfile, flat_profile
from pomp_clang.analysis.timeline import timeline
from pomp_clang.experiment.model import Experiment, Snapshot
from pomp_clang.report.json.counters import counters


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
    return {
        "number": snapshot.number,
        "cause": snapshot.cause,
        "time": snapshot.time,
        "unsettled": snapshot.unsettled,
        "regions": [_region(profile) for profile in flat_profile(at_snapshot) if profile.ran],
        "counters": counters(counter_profile(at_snapshot)),
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
