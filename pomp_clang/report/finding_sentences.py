"""Sentences that follow a finding: the worst places of one that stands for several regions, and the
way to try its advice on recorded data."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping

from pomp_clang.analysis import property_texts as texts
from pomp_clang.analysis.properties import PropertyFinding, lasting
from pomp_clang.experiment.model import Region
from pomp_clang.report.phrases import number, place
from pomp_clang.report.terminal import printable

_SHOWN = 3
_LEAST = 0.01
"""Share of a finding from which a kernel is named."""


def worst_places(finding: PropertyFinding, named: Mapping[str, Region]) -> Iterator[str]:
    """Yield a sentence with the worst places and their seconds; none if the finding has one place.

    `named` has the regions by id, with their files as the report names them.
    """
    costs: dict[str, float] = defaultdict(float)
    regions = {}
    for part in finding.parts:
        if part.profile:
            regions[part.profile.region.id] = part.profile.region
            costs[part.profile.region.id] += part.severity
    if len(regions) < 2:
        return
    worst = [
        f"{place(named.get(region, regions[region]))} ({lasting(cost)})"
        for region, cost in sorted(costs.items(), key=lambda row: -row[1])[:_SHOWN]
    ]
    yield f"The worst: {', '.join(worst)}."


def kernels(finding: PropertyFinding) -> Iterator[str]:
    """Yield a sentence with the kernels that have most of the cost; none without labels."""
    large = [(label, cost / finding.severity) for label, cost in finding.labels]
    large = [(label, part) for label, part in large if part >= _LEAST]
    shares = [f"{printable(label)} ({100 * min(1.0, part):.0f} %)" for label, part in large]
    if shares:
        more = len(shares) - _SHOWN
        others = f" and {number(more, 'other')}" if more > 0 else ""
        yield f"In {'kernel' if len(shares) == 1 else 'kernels'} {', '.join(shares[:_SHOWN])}{others}."


_ANALYZE = "Recorded with POMP_TRACE=1, pomp-clang analyze predicts the time {}."
_SCHEDULES = (
    "pomp-clang schedules --filter selects the loop; recorded so, it predicts other schedules."
)

_TRIED: Mapping[str, str] = {
    texts.TEAM_MANAGEMENT.advice: _ANALYZE.format("with merged regions"),
    texts.CRITICAL_CONTENTION.advice: _ANALYZE.format("with a reduction or an atomic"),
    texts.LARGER_TASKS: _ANALYZE.format("without tasks below a size"),
    texts.WAIT_FOR_TASKS.advice: _ANALYZE.format("with depend clauses"),
    texts.IMBALANCE_IN_LOOP.advice: _SCHEDULES,
}
"""By the advice, which a prediction from recorded iterations replaces."""


def trial_sentence(finding: PropertyFinding) -> str:
    """Return how the finding's advice can be tried on recorded data; "" if it cannot, or was."""
    return _TRIED.get(finding.advice, "")
