"""What the reader of a report asked for."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass

from pomp_clang.analysis.overheads import Analysis, Lost
from pomp_clang.analysis.profile import RegionProfile

SORTS = ("execT", "overhead", "count", "place", "kind", "id")


@dataclass(frozen=True, slots=True)
class Options:
    """`sort` None is the format's own order, `top` None is all regions.

    `subtract` says that the measurement's own cost was taken out.  `threads` is "all" for a row
    for each thread, or "auto"; `sources` whether a page holds source text.  With `everything`
    text has whatever it would leave out for length.  `properties` is a file with the user's own,
    for a page's causes; `window` is seconds of the run of which a page has each event; `chart`
    is which one a drawing is of.
    """

    sort: str | None = None
    top: int | None = None
    threads: str = "auto"
    sources: bool = True
    subtract: bool = False
    everything: bool = False
    properties: str | None = None
    window: tuple[float, float] | None = None
    chart: str = "radar"

    def at_most(self, rows: int) -> int:
        """So many rows, or all where everything is wanted."""
        return sys.maxsize if self.everything else rows


def ordered(
    profiles: tuple[RegionProfile, ...], analysis: Analysis, sort: str
) -> tuple[RegionProfile, ...]:
    """The regions in the order asked for: most first, places and names ascending."""
    return sorted_by(profiles, analysis.own, sort)


def sorted_by(
    profiles: tuple[RegionProfile, ...], own: Mapping[str, Lost], sort: str
) -> tuple[RegionProfile, ...]:
    """The same by what each region loses itself."""

    def place(p: RegionProfile) -> tuple[str, int, int, str]:
        return (p.region.file, p.region.begin_line1, p.region.begin_column, p.region.id)

    if sort == "id":
        return tuple(sorted(profiles, key=lambda p: p.region.id))
    by_place = sorted(profiles, key=place)
    if sort == "kind":
        by_place.sort(key=lambda p: p.region.kind)
    elif sort == "execT":
        by_place.sort(key=lambda p: -p.execT)
    elif sort == "overhead":
        by_place.sort(key=lambda p: -own[p.region.id].total)
    elif sort == "count":
        by_place.sort(key=lambda p: -p.execC)
    return tuple(by_place)
