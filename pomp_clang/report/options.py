"""The options of a report, and the order of its regions."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import replace

from pomp_clang.analysis.overheads import Lost, OverheadAnalysis
from pomp_clang.analysis.profile import RegionProfile
from pomp_clang.shared_dataclass import dataclass

SORTS = ("execT", "overhead", "count", "place", "kind", "id")


@dataclass(frozen=True, slots=True)
class Options:
    """`sort` None is the format's own order, `top` None is all regions.

    `subtract` says that the measurement's own cost was taken out.  `threads` is "all" for a row
    for each thread, or "auto"; `sources` whether a page holds source text.  Text is one screen
    unless `sections` names some of its sections; with `everything` it has all of them, and
    whatever they would leave out for length.  `properties` is a file with the user's own,
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
    sections: tuple[str, ...] = ()

    def at_most(self, rows: int) -> int:
        """Limit a table to `top` rows or else to `rows`, unless everything is wanted."""
        if self.top is not None:
            return self.top
        return sys.maxsize if self.everything else rows

    @property
    def one_screen(self) -> bool:
        """Return whether text shows the first screen alone."""
        return not self.sections and not self.everything

    def with_rows(self, *sections: str) -> Options:
        """Select these sections if an order or each thread is asked for, and no section."""
        if self.one_screen and (self.sort is not None or self.threads == "all"):
            return replace(self, sections=sections)
        return self


def ordered(
    profiles: tuple[RegionProfile, ...], analysis: OverheadAnalysis, sort: str
) -> tuple[RegionProfile, ...]:
    """Order the regions: times and counts fall, places and names rise."""
    return sorted_by(profiles, analysis.exclusive, sort)


def sorted_by(
    profiles: tuple[RegionProfile, ...], losses: Mapping[str, Lost], sort: str
) -> tuple[RegionProfile, ...]:
    """Order the regions; `own` has the exclusive losses by region."""

    def place(profile: RegionProfile) -> tuple[str, int, int, str]:
        return (
            profile.region.file,
            profile.region.begin_line1,
            profile.region.begin_column,
            profile.region.id,
        )

    if sort == "id":
        return tuple(sorted(profiles, key=lambda p: p.region.id))
    by_place = sorted(profiles, key=place)
    if sort == "kind":
        by_place.sort(key=lambda p: p.region.kind)
    elif sort == "execT":
        by_place.sort(key=lambda p: -p.execT)
    elif sort == "overhead":
        by_place.sort(key=lambda p: -losses[p.region.id].total)
    elif sort == "count":
        by_place.sort(key=lambda p: -p.execC)
    return tuple(by_place)
