"""Instances in numbers as JSON (docs/reference/json-analyze.md)."""

from __future__ import annotations

from typing import Any

from pomp_clang.causes.cube.instance_statistics import Statistics


def statistics(statistics: Statistics | None) -> dict[str, Any] | None:
    """Build the JSON object of instance statistics, in the property's unit; None if the instances
    are not known."""
    if statistics is None:
        return None
    return {
        "count": statistics.count,
        "sum": statistics.sum,
        "mean": statistics.mean,
        "stddev": statistics.deviation,
        "min": statistics.least,
        "q1": statistics.lower,
        "median": statistics.median,
        "q3": statistics.upper,
        "max": statistics.most,
    }
