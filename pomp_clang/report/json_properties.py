"""Properties as JSON: each with all places where it holds, what costs most first."""

from __future__ import annotations

from typing import Any

from pomp_clang.analysis.overheads import Analysis, share
from pomp_clang.analysis.profile import RegionProfile
from pomp_clang.analysis.properties import Found, find


def properties(profiles: tuple[RegionProfile, ...], analysis: Analysis) -> list[dict[str, Any]]:
    by_name: dict[str, list[Found]] = {}
    for found in find(profiles, analysis):
        by_name.setdefault(found.name, []).append(found)
    entries = [_property(name, places, analysis) for name, places in by_name.items()]
    return sorted(entries, key=lambda entry: -entry["severity"])


def _property(name: str, places: list[Found], analysis: Analysis) -> dict[str, Any]:
    severity = sum(found.severity for found in places)
    overhead = places[0].overhead
    return {
        "name": name,
        "overhead": overhead.value if overhead else None,
        "severity": severity,
        "share": share(severity, analysis.totalT),
        "places": [_place(found) for found in places],
    }


def _place(found: Found) -> dict[str, Any]:
    """The program as a whole has no region, file and line."""
    region = found.profile.region if found.profile else None
    return {
        "region": region.id if region else None,
        "file": region.file if region else None,
        "line": region.begin_line1 if region else None,
        "severity": found.severity,
        "share": found.share,
        "text": found.text,
        "advice": found.advice,
        "locations": [
            {"process": 0, "thread": thread, "severity": severity}
            for thread, severity in enumerate(found.locations)
            if severity
        ],
    }
