"""A property that holds somewhere, as the page shows it."""

from __future__ import annotations

from dataclasses import dataclass

from pomp_clang.analysis.properties import Found
from pomp_clang.experiment.model import Region
from pomp_clang.report.terminal import heat
from pomp_clang.report.wording import percent


@dataclass(frozen=True, slots=True)
class Finding:
    name: str
    percent: str
    heat: str
    region: Region | None
    text: str
    advice: str


def finding(found: Found, named: dict[str, Region]) -> Finding:
    region = named[found.profile.region.id] if found.profile else None
    return Finding(
        name=found.name,
        percent=percent(found.share),
        heat=heat(found.share),
        region=region,
        text=found.text,
        advice=found.advice,
    )
