"""The cost of measurement in the time of constructs that are measured as one visit."""

from __future__ import annotations

from pomp_clang.experiment.model import EventCosts


def visit_costs(costs: EventCosts | None) -> dict[str, float]:
    """Return the seconds that events add to one visit, for kinds whose only time is execT."""
    if costs is None:
        return {}
    return {"atomic": costs.atomic_within or costs.pair_within, "flush": costs.pair_within}
