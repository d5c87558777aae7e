"""What the measurement cost, for the JSON report."""

from __future__ import annotations

from typing import Any

from pomp_clang.analysis.perturbation import Perturbation


def measurement(cost: Perturbation | None, subtracted: bool) -> dict[str, Any] | None:
    if cost is None:
        return None
    return {
        "pairT": cost.costs.pair,
        "pair_withinT": cost.costs.pair_within,
        "stepT": cost.costs.step,
        "parallelT": cost.costs.parallel,
        "atomicT": cost.costs.atomic,
        "criticalT": cost.costs.critical,
        "masterT": cost.costs.master,
        "creationT": cost.costs.creation,
        "taskT": cost.costs.task,
        "waitT": cost.costs.wait,
        "barriersT": cost.barriers,
        "overheadT": cost.total,
        "share_of_program": cost.share,
        "subtracted": subtracted,
        "regions": [
            {"region": each.region.id, "visitsT": each.own, "withinT": each.within}
            for each in cost.regions
        ],
    }
