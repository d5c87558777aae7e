"""Properties as JSON: each with all places where it holds, what costs most first."""

from __future__ import annotations

from typing import Any

from pomp_clang.analysis.overheads import OverheadAnalysis, share
from pomp_clang.analysis.properties import PropertyFinding, separate
from pomp_clang.report.phrases import with_ascii_units


def properties(
    findings: tuple[PropertyFinding, ...], analysis: OverheadAnalysis
) -> list[dict[str, Any]]:
    """Group the findings by property; a property's severity is the sum over its places."""
    by_name: dict[str, list[PropertyFinding]] = {}
    for finding in separate(findings):
        by_name.setdefault(finding.name, []).append(finding)
    entries = [_property(name, places, analysis) for name, places in by_name.items()]
    return sorted(entries, key=lambda entry: -entry["severity"])


def _property(
    name: str, places: list[PropertyFinding], analysis: OverheadAnalysis
) -> dict[str, Any]:
    severity = sum(place.severity for place in places)
    overhead = places[0].overhead
    return {
        "name": name,
        "title": places[0].title,
        "overhead": overhead.value if overhead else None,
        "severity": severity,
        "share": share(severity, analysis.totalT),
        "places": [_place(place) for place in places],
    }


def _place(finding: PropertyFinding) -> dict[str, Any]:
    """Return a place; the program as a whole has no region, file and line."""
    region = finding.profile.region if finding.profile else None
    return {
        "region": region.id if region else None,
        "file": region.file if region else None,
        "line": region.begin_line1 if region else None,
        "severity": finding.severity,
        "share": finding.share,
        "text": with_ascii_units(finding.text),
        "advice": finding.advice,
        "locations": [
            {"process": 0, "thread": thread, "severity": severity}
            for thread, severity in enumerate(finding.locations)
            if severity
        ],
    }
