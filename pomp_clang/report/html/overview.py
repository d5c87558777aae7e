"""The head of the page: where the time went, the parallel regions."""

from __future__ import annotations

from dataclasses import dataclass

from pomp_clang.analysis.breakdown import Breakdown
from pomp_clang.analysis.overheads import Analysis, share
from pomp_clang.analysis.properties import lasting
from pomp_clang.experiment.model import Region
from pomp_clang.report.html.bars import Segment, bar, lost_parts
from pomp_clang.report.parts import shown_parts
from pomp_clang.report.wording import percent


@dataclass(frozen=True, slots=True)
class Part:
    style: str
    name: str
    meaning: str
    time: str
    percent: str


@dataclass(frozen=True, slots=True)
class Charge:
    """A parallel region with all that is charged to it; `classes` are the parts of `own`."""

    region: Region
    total: str
    lost: str
    own: str
    classes: tuple[str, ...]
    whole: str
    bar: tuple[Segment, ...]


def parts(b: Breakdown) -> list[Part]:
    """All of the threads' time, in the order it is drawn."""
    values = b.parts()
    return [
        Part(
            part.style,
            part.name,
            part.meaning,
            lasting(values[part.key]),
            percent(share(values[part.key], b.totalT)),
        )
        for part in shown_parts(values)
    ]


def breakdown_bar(b: Breakdown) -> tuple[Segment, ...]:
    values = b.parts()
    drawn = [(part.style, values[part.key]) for part in shown_parts(values)]
    return bar(drawn, max(b.totalT, sum(values.values())))


@dataclass(frozen=True, slots=True)
class Orphaned:
    """What is charged to no parallel region."""

    lost: str
    whole: str
    bar: tuple[Segment, ...]


def orphaned(analysis: Analysis) -> Orphaned | None:
    lost = analysis.orphaned
    if not lost.total:
        return None
    whole = percent(share(lost.total, analysis.totalT))
    return Orphaned(lasting(lost.total), whole, bar(lost_parts(lost), _longest(analysis)))


def _longest(analysis: Analysis) -> float:
    """What a bar of full length is: the longest region's time, or more if more is lost."""
    times = [max(c.totalT, c.lost.total) for c in analysis.regions]
    return max([analysis.orphaned.total, *times])


def charges(analysis: Analysis, named: dict[str, Region]) -> list[Charge]:
    """The parallel regions, the largest loss first; bars are of the longest region's time."""
    regions = sorted(analysis.regions, key=lambda c: -c.lost.total)
    longest = _longest(analysis)
    made = []
    for c in regions:
        region = named[c.region.id]
        work = max(0.0, c.totalT - c.lost.total)
        made.append(
            Charge(
                region,
                lasting(c.totalT),
                lasting(c.lost.total),
                percent(share(c.lost.total, c.totalT)),
                tuple(percent(share(c.lost.of(each), c.totalT)) for each in analysis.classes),
                percent(share(c.lost.total, analysis.totalT)),
                bar([("work", work), *lost_parts(c.lost)], longest),
            )
        )
    return made
