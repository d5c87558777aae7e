"""Runs with more and more threads, as JSON: the contract of docs/reference/json-diff.md."""

from __future__ import annotations

import json
from typing import Any

from pomp_clang.analysis.comparison.scaling import Saturation, ScaledRegion, Scaling, ScalingPoint
from pomp_clang.analysis.profile import RegionProfile
from pomp_clang.report.json.compare import run_head

FORMAT = 1


def render(scaling: Scaling, top: int | None) -> str:
    return json.dumps(document(scaling, top), indent=1) + "\n"


def document(scaling: Scaling, top: int | None = None) -> dict[str, Any]:
    return {
        "format": FORMAT,
        "runs": [
            {**run_head(run), **_point(point)}
            for run, point in zip(scaling.runs, scaling.points, strict=True)
        ],
        "saturation": _saturation(scaling.saturation),
        "regions": [_region(region) for region in scaling.regions[:top]],
    }


def _saturation(saturation: Saturation | None) -> dict[str, Any] | None:
    return {"threads": saturation.threads, "predicted": saturation.seconds} if saturation else None


def _point(point: ScalingPoint) -> dict[str, Any]:
    return {
        "speed_up": point.speed_up,
        "efficiency": point.efficiency,
        "serial_fraction": point.serial,
    }


def _region(scaled: ScaledRegion) -> dict[str, Any]:
    region = scaled.region
    runs = zip(scaled.profiles, scaled.points, scaled.lost, strict=True)
    return {
        "kind": region.kind,
        "sub_name": region.sub_name,
        "function": region.function,
        "file": region.file,
        "begin_line1": region.begin_line1,
        "end_lineN": region.end_lineN,
        "saturation": _saturation(scaled.saturation),
        "runs": [_in_run(*run) for run in runs],
    }


def _in_run(
    profile: RegionProfile | None, point: ScalingPoint | None, lost: float
) -> dict[str, Any] | None:
    if profile is None or point is None:
        return None
    return {
        "id": profile.region.id,
        "threads": point.threads,
        "wallT": point.time,
        "execC": profile.execC,
        "execT": profile.execT,
        "lostT": lost,
        **_point(point),
    }
