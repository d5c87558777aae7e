"""Combined findings: the price of many small regions as one finding.

A region that is small costs little, and a program with many of them may spend much of its time in
starting their teams or in their barriers. Each region alone does not show this. Nor does each of the
loops with a flush in which a pipeline waits.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import replace

from pomp_clang.analysis.management_property_texts import SLOW_TEAM_PRICE, TEAM_MANAGEMENT
from pomp_clang.analysis.overheads import share
from pomp_clang.analysis.overheads.off_processor import ProcessorUse
from pomp_clang.analysis.profile import RegionProfile
from pomp_clang.analysis.properties.profile_property import PropertyFinding, lasting
from pomp_clang.analysis.property_row import TEAMS
from pomp_clang.analysis.property_texts import (
    BARRIER_OVERHEAD,
    IMPLIED_BARRIER_OVERHEAD,
    WAIT_IN_FLUSH_LOOP,
)

_SEVERAL = 3
"""Regions from which on their price is one finding."""


def combined(
    findings: tuple[PropertyFinding, ...], processors: ProcessorUse = ProcessorUse.FREE
) -> tuple[PropertyFinding, ...]:
    """Return the findings, those of one price at several regions as one, the costliest first."""
    groups: dict[str, list[PropertyFinding]] = defaultdict(list)
    single = []
    for finding in findings:
        group = _group(finding, processors)
        if group:
            groups[group].append(finding)
        else:
            single.append(finding)
    for group, parts in groups.items():
        regions = {part.profile.region.id for part in parts if part.profile}
        single += (
            [_combined_finding(group, parts, processors)] if len(regions) >= _SEVERAL else parts
        )
    return tuple(sorted(single, key=lambda finding: -finding.severity))


def separate(findings: Iterable[PropertyFinding]) -> tuple[PropertyFinding, ...]:
    """Return the findings with those of several regions taken apart, in the order of cost."""
    parts = (part for finding in findings for part in finding.parts or (finding,))
    return tuple(sorted(parts, key=lambda finding: -finding.severity))


def _group(finding: PropertyFinding, processors: ProcessorUse) -> str:
    """Return the title of the price that the finding is a part of; "" if it stands alone.

    The barrier at a region's end is part of ending its team. A high price has a cause of its own,
    unless all threads lack processors.
    """
    if finding.profile is None:
        return ""
    is_high = share(finding.severity, finding.profile.execC) > SLOW_TEAM_PRICE
    if is_high and processors is ProcessorUse.FREE:
        return ""
    if finding.title == WAIT_IN_FLUSH_LOOP.title:
        return finding.title
    is_team = finding.profile.region.kind in TEAMS
    if finding.title == BARRIER_OVERHEAD.title:
        return TEAM_MANAGEMENT.title if is_team else finding.title
    return finding.title if is_team and finding.title == TEAM_MANAGEMENT.title else ""


def _combined_finding(
    group: str, parts: list[PropertyFinding], processors: ProcessorUse
) -> PropertyFinding:
    """Build the finding of several regions, the costliest first; their severities add up."""
    costs: dict[str, float] = defaultdict(float)
    for part in parts:
        costs[_region(part)] += part.severity
    parts = sorted(parts, key=lambda part: (-costs[_region(part)], -part.severity))
    severity = sum(part.severity for part in parts)
    text = _TEXTS[group]
    profiles = {part.profile.region.id: part.profile for part in parts if part.profile}
    regions = list(profiles.values())
    return replace(
        parts[0],
        name=text.name,
        severity=severity,
        share=sum(part.share for part in parts),
        locations=tuple(map(sum, zip(*(part.locations for part in parts), strict=True))),
        title=text.title,
        text=_SENTENCES[group](len(regions), _times(regions), _visits(regions), severity),
        advice=text.advice_for(None, processors=processors),
        parts=tuple(parts),
        is_combined=True,
    )


def _region(finding: PropertyFinding) -> str:
    return finding.profile.region.id if finding.profile else ""


def _times(regions: list[RegionProfile]) -> int:
    """Return how often the regions ran: a team's threads run it together."""
    return sum(max(row.measured.execC for row in region.rows) for region in regions)


def _visits(regions: list[RegionProfile]) -> int:
    """Return how often threads ran the regions, all threads together."""
    return sum(region.execC for region in regions)


def teams_sentence(regions: int, times: int, visits: float, severity: float) -> str:
    """Describe the price of many regions' teams; `visits` are those of all threads together."""
    return (
        f"Starting and ending {times:,} teams takes each thread {lasting(severity / max(1, visits))} "
        f"on average. The {regions} parallel regions lose {lasting(severity)} in total."
    )


def barriers_sentence(constructs: int, times: int, visits: float, severity: float) -> str:
    """Describe the price of many constructs' barriers; `visits` are those of all threads together."""
    return (
        f"{times:,} barriers after even work take each thread {lasting(severity / max(1, visits))} "
        f"on average. The {constructs} constructs lose {lasting(severity)} in total."
    )


def flush_loops_sentence(flushes: int, times: int, visits: float, severity: float) -> str:
    """Describe the waits of a pipeline; `visits` are the flushes of all threads together."""
    return (
        f"Threads flush {visits:,.0f} times in loops at {flushes} places until another thread writes: they "
        f"wait {lasting(severity)}."
    )


_TEXTS = {
    TEAM_MANAGEMENT.title: TEAM_MANAGEMENT,
    BARRIER_OVERHEAD.title: IMPLIED_BARRIER_OVERHEAD,
    WAIT_IN_FLUSH_LOOP.title: WAIT_IN_FLUSH_LOOP,
}

_SENTENCES: dict[str, Callable[[int, int, float, float], str]] = {
    TEAM_MANAGEMENT.title: teams_sentence,
    BARRIER_OVERHEAD.title: barriers_sentence,
    WAIT_IN_FLUSH_LOOP.title: flush_loops_sentence,
}
