"""A property that holds somewhere, as the page shows it."""

from __future__ import annotations

from dataclasses import dataclass

from pomp_clang.analysis.properties import PropertyFinding
from pomp_clang.experiment.model import Region
from pomp_clang.report.finding_sentences import kernels, trial_sentence, worst_places
from pomp_clang.report.html.bars import STYLES, Segment, bar
from pomp_clang.report.phrases import percent
from pomp_clang.report.terminal import heat


@dataclass(frozen=True, slots=True)
class FindingView:
    """`bar` is its share of all threads' time, drawn as the class of overhead that it is."""

    name: str
    percent: str
    heat: str
    bar: tuple[Segment, ...]
    region: Region | None
    text: str
    advice: str


def finding(finding: PropertyFinding, named: dict[str, Region]) -> FindingView:
    region = named[finding.profile.region.id] if finding.profile else None
    return FindingView(
        name=finding.title,
        percent=percent(finding.share),
        heat=heat(finding.share),
        bar=bar([(STYLES[finding.overhead] if finding.overhead else "rest", finding.share)], 1.0),
        region=region,
        text=" ".join((*kernels(finding), finding.text, *worst_places(finding, named))),
        advice=f"{finding.advice} {trial_sentence(finding)}".strip(),
    )
