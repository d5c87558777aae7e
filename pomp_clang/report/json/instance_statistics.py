"""Instances in numbers as JSON (docs/reference/json-analyze.md)."""

from __future__ import annotations

from typing import Any

from pomp_clang.causes.cube.instance_statistics import Statistics


def statistics(found: Statistics | None) -> dict[str, Any] | None:
    """Build the JSON object of instance statistics, in the property's unit; None if the instances
    are not known."""
    if found is None:
        return None
    return {
        "count": found.count,
        "sum": found.sum,
        "mean": found.mean,
        "stddev": found.deviation,
        "min": found.least,
        "q1": found.lower,
        "median": found.median,
        "q3": found.upper,
        "max": found.most,
    }
