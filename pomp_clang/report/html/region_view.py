"""A region as the page shows it: its row in the table, its threads, its source."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from pomp_clang.analysis.overheads import Analysis, share
from pomp_clang.analysis.profile import RegionProfile
from pomp_clang.analysis.properties import lasting
from pomp_clang.experiment.model import Region
from pomp_clang.openmp.columns import Column
from pomp_clang.report.html.bars import (
    Layer,
    Segment,
    bar,
    layers,
    lost_parts,
    thread_parts,
)
from pomp_clang.report.html.excerpt import Excerpt, Sources
from pomp_clang.report.html.finding import Finding
from pomp_clang.report.terminal import heat
from pomp_clang.report.text_profile import MANY
from pomp_clang.report.wording import decimals_for, percent, seconds

CHART = 96
"""The height of the chart of many threads, in units of the drawing."""

DETAILED = 400
"""Regions, the first in order, that have a row for each of more threads than `_FEW`: a browser
has to build all of them."""

_FEW = 3


@dataclass(frozen=True, slots=True)
class ThreadRow:
    """A thread's or the sum's values, and its bar where there is one for each."""

    label: str
    values: tuple[str, ...]
    bar: tuple[Segment, ...] | None


@dataclass(frozen=True, slots=True)
class RegionView:
    """Numbers are strings as they are shown; those to sort by are numbers."""

    region: Region
    execC: int
    execT: float
    lostT: float
    execT_said: str
    lostT_said: str
    percent: str
    heat: str
    lost_bar: tuple[Segment, ...]
    columns: tuple[str, ...]
    rows: tuple[ThreadRow, ...]
    chart: tuple[Layer, ...]
    longest: str
    threads: int
    findings: tuple[Finding, ...]
    excerpt: Excerpt
    notes: tuple[str, ...]

    @property
    def ran(self) -> bool:
        return self.threads > 0

    @property
    def chart_width(self) -> int:
        return self.threads


def region_views(
    profiles: tuple[RegionProfile, ...],
    named: dict[str, Region],
    analysis: Analysis,
    findings: list[Finding],
    sources: Sources,
    threads: str,
) -> list[RegionView]:
    """`named` has the regions by id with their files as they are shown.

    Of many threads the spread is shown, and of fewer in regions far down, unless `threads` is "all".
    """
    decimals = decimals_for(p.execT for p in profiles)
    most = max((lost.total for lost in analysis.own.values()), default=0.0)
    by_region: dict[str, list[Finding]] = {}
    for each in findings:
        if each.region is not None:
            by_region.setdefault(each.region.id, []).append(each)
    return [
        _view(
            profile,
            named[profile.region.id],
            analysis,
            tuple(by_region.get(profile.region.id, ())),
            sources.excerpt(profile.region),
            threads == "auto" and len(profile.reached) > (MANY if n < DETAILED else _FEW),
            most,
            decimals,
        )
        for n, profile in enumerate(profiles)
    ]


def _view(
    profile: RegionProfile,
    region: Region,
    analysis: Analysis,
    findings: tuple[Finding, ...],
    excerpt: Excerpt,
    many: bool,
    most: float,
    decimals: int,
) -> RegionView:
    lost = analysis.own[region.id]
    part = share(lost.total, analysis.totalT)
    whole = max((row.measured.execT for row in profile.rows), default=0.0)
    parts = thread_parts(profile)
    return RegionView(
        region=region,
        execC=profile.execC,
        execT=profile.execT,
        lostT=lost.total,
        execT_said=seconds(profile.execT, decimals),
        lostT_said=seconds(lost.total, decimals),
        percent=percent(part),
        heat=heat(part),
        lost_bar=bar(lost_parts(lost), most),
        columns=tuple(column.name for column in profile.columns),
        rows=tuple(_rows(profile, [] if many else [bar(each, whole) for each in parts])),
        chart=tuple(layers(parts, whole, CHART)) if many else (),
        longest=lasting(whole),
        threads=len(profile.reached),
        findings=findings,
        excerpt=excerpt,
        notes=_notes(region),
    )


def _notes(region: Region) -> tuple[str, ...]:
    if region.nowait:
        return ("nowait: no barrier at its end",)
    if not region.barrier_measured:
        return ("its barrier could not be told from it",)
    return ("its barrier as compiled, by OMPT",) if region.by_ompt else ()


def _rows(profile: RegionProfile, bars: list[tuple[Segment, ...]]) -> list[ThreadRow]:
    """Each thread that came, where there are bars for them, or their spread; and their sum."""
    times = (v for c, v in zip(profile.columns, profile.total, strict=True) if not c.is_count)
    decimals = decimals_for(times)

    def row(label: str, values: tuple[float, ...], drawn: tuple[Segment, ...] | None) -> ThreadRow:
        return ThreadRow(label, said(profile.columns, values, decimals), drawn)

    reached = profile.reached
    if bars or not reached:
        pairs = zip(reached, bars, strict=True)
        rows = [row(str(each.tid), each.values, drawn) for each, drawn in pairs]
    else:
        columns = tuple(zip(*(each.values for each in reached), strict=True))
        rows = [row(label, tuple(map(way, columns)), None) for label, way in _WAYS]
    return [*rows, row("SUM", profile.total, None)]


def said(columns: tuple[Column, ...], values: tuple[float, ...], decimals: int) -> tuple[str, ...]:
    """The values as they are shown."""
    pairs = zip(columns, values, strict=True)
    return tuple(_count(v) if c.is_count else seconds(v, decimals) for c, v in pairs)


def _mean(values: tuple[float, ...]) -> float:
    return sum(values) / len(values)


_WAYS: tuple[tuple[str, Callable[[tuple[float, ...]], float]], ...] = (
    ("min", min),
    ("mean", _mean),
    ("max", max),
)


def _count(value: float) -> str:
    return str(int(value)) if value == int(value) else f"{value:.1f}"
