"""The worst places of a finding that stands for several regions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from pomp_clang.analysis.properties import PropertyFinding, lasting
from pomp_clang.experiment.model import Region
from pomp_clang.report.phrases import place

_SHOWN = 3


def worst_places(finding: PropertyFinding, named: Mapping[str, Region]) -> Iterator[str]:
    """Yield a sentence with the worst places and their seconds; none if the finding has one place.

    `named` has the regions by id, with their files as the report names them.
    """
    regions = [part.profile.region for part in finding.parts if part.profile]
    if len({region.id for region in regions}) < 2:
        return
    worst = [
        f"{place(named.get(region.id, region))} ({lasting(part.severity)})"
        for region, part in zip(regions[:_SHOWN], finding.parts, strict=False)
    ]
    yield f"The worst: {', '.join(worst)}."
