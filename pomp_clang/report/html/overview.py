"""The head of the page: where the time went, the parallel regions."""

from __future__ import annotations

from dataclasses import dataclass

from pomp_clang.analysis.breakdown import Breakdown
from pomp_clang.analysis.overheads import OverheadAnalysis, share
from pomp_clang.analysis.properties import lasting
from pomp_clang.experiment.model import Region
from pomp_clang.report.html.bars import Segment, bar, lost_parts, time_parts
from pomp_clang.report.phrases import percent
from pomp_clang.report.time_parts import shown_parts


@dataclass(frozen=True, slots=True)
class ShownPart:
    style: str
    name: str
    meaning: str
    time: str
    percent: str


@dataclass(frozen=True, slots=True)
class RegionCharge:
    """A parallel region with all that is charged to it; `classes` are the parts of `own_time`."""

    region: Region
    total: str
    lost: str
    own_time: str
    classes: tuple[str, ...]
    program_share: str
    bar: tuple[Segment, ...]


def parts(breakdown: Breakdown) -> list[ShownPart]:
    """List the parts of all threads' time, in the order they are drawn."""
    values = breakdown.parts()
    return [
        ShownPart(
            part.style,
            part.name,
            part.meaning,
            lasting(values[part.key]),
            percent(share(values[part.key], breakdown.totalT)),
        )
        for part in shown_parts(values)
    ]


def breakdown_bar(breakdown: Breakdown) -> tuple[Segment, ...]:
    values = breakdown.parts()
    drawn = time_parts(values, shown_parts(values))
    return bar(drawn, max(breakdown.totalT, sum(values.values())))


@dataclass(frozen=True, slots=True)
class Orphaned:
    """The losses outside any parallel region."""

    lost: str
    program_share: str
    bar: tuple[Segment, ...]


def orphaned(analysis: OverheadAnalysis) -> Orphaned | None:
    lost = analysis.orphaned
    if not lost.total:
        return None
    percentage = percent(share(lost.total, analysis.totalT))
    return Orphaned(lasting(lost.total), percentage, bar(lost_parts(lost), _longest(analysis)))


def _longest(analysis: OverheadAnalysis) -> float:
    """Return the time of a bar of full length: the longest region's, or the largest loss."""
    times = [max(c.totalT, c.lost.total) for c in analysis.regions]
    return max([analysis.orphaned.total, *times])


def charges(analysis: OverheadAnalysis, named: dict[str, Region]) -> list[RegionCharge]:
    """List the parallel regions by falling loss; bars are relative to the longest region's time."""
    regions = sorted(analysis.regions, key=lambda c: -c.lost.total)
    longest = _longest(analysis)
    views = []
    for charge in regions:
        region = named[charge.region.id]
        work = max(0.0, charge.totalT - charge.lost.total)
        views.append(
            RegionCharge(
                region,
                lasting(charge.totalT),
                lasting(charge.lost.total),
                percent(share(charge.lost.total, charge.totalT)),
                tuple(
                    percent(share(charge.lost.of(class_), charge.totalT))
                    for class_ in analysis.classes
                ),
                percent(share(charge.lost.total, analysis.totalT)),
                bar([("work", work), *lost_parts(charge.lost)], longest),
            )
        )
    return views
