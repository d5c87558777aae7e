"""A region as the page shows it: its row in the table, its threads, its source, and the properties
that hold there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from pomp_clang.analysis.columns import ReportColumn
from pomp_clang.analysis.overheads import Lost, share
from pomp_clang.analysis.profile import RegionProfile
from pomp_clang.analysis.properties import PropertyFinding, lasting
from pomp_clang.experiment.model import Region
from pomp_clang.report.html.bars import (
    STYLES,
    Layer,
    Segment,
    bar,
    layers,
    lost_parts,
    thread_parts,
)
from pomp_clang.report.html.excerpt import Excerpt, Sources
from pomp_clang.report.phrases import decimals_for, percent, seconds
from pomp_clang.report.process_phrases import spread_rows
from pomp_clang.report.terminal import heat
from pomp_clang.report.text.properties import places, sources, trial_sentence
from pomp_clang.report.text.region_profile import MANY


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
        text=" ".join((*sources(finding), finding.text, *places(finding, named))),
        advice=f"{finding.advice} {trial_sentence(finding)}".strip(),
    )


CHART = 96
"""The height of the chart of many threads, in units of the drawing."""

DETAILED = 400
"""Regions, the first in order, that have a row for each of more threads than `_FEW`: a browser
has to build all of them."""

_FEW = 3

_MOST_INNER = 32
"""The spread is shown if a job has more threads."""


class Losses(Protocol):
    """The regions' own losses by id, and the time of all threads."""

    @property
    def exclusive(self) -> Mapping[str, Lost]: ...

    @property
    def totalT(self) -> float: ...


@dataclass(frozen=True, slots=True)
class ThreadRow:
    """A thread's or the sum's values, and its bar where there is one for each."""

    label: str
    values: tuple[str, ...]
    bar: tuple[Segment, ...] | None


@dataclass(frozen=True, slots=True)
class RegionView:
    """Numbers are strings as they are shown; those to sort by are numbers.  `unit` is what
    has a row, "thread" or "process"; `inner` are the rows of the threads of processes."""

    region: Region
    unit: str
    execC: int
    execT: float
    lostT: float
    execT_text: str
    lostT_text: str
    percent: str
    heat: str
    lost_bar: tuple[Segment, ...]
    columns: tuple[str, ...]
    rows: tuple[ThreadRow, ...]
    chart: tuple[Layer, ...]
    longest: str
    threads: int
    findings: tuple[FindingView, ...]
    excerpt: Excerpt
    notes: tuple[str, ...]
    inner: tuple[ThreadRow, ...] = ()

    @property
    def ran(self) -> bool:
        return self.threads > 0

    @property
    def chart_width(self) -> int:
        return self.threads


def region_views(
    profiles: tuple[RegionProfile, ...],
    named: dict[str, Region],
    losses: Losses,
    findings: list[FindingView],
    sources: Sources,
    threads: str,
    unit: str = "thread",
) -> list[RegionView]:
    """Build the views of the regions; `named` has the regions by id with their files as shown.

    Many threads, and fewer in regions further down, are shown by their spread, unless `threads` is
    "all".
    """
    decimals = decimals_for(p.execT for p in profiles)
    largest = max((lost.total for lost in losses.exclusive.values()), default=0.0)
    by_region: dict[str, list[FindingView]] = {}
    for finding in findings:
        if finding.region is not None:
            by_region.setdefault(finding.region.id, []).append(finding)
    return [
        _view(
            profile,
            named[profile.region.id],
            losses,
            tuple(by_region.get(profile.region.id, ())),
            sources.excerpt(profile.region),
            threads == "auto" and len(profile.reached) > (MANY if n < DETAILED else _FEW),
            largest,
            decimals,
            unit,
        )
        for n, profile in enumerate(profiles)
    ]


def _view(
    profile: RegionProfile,
    region: Region,
    losses: Losses,
    findings: tuple[FindingView, ...],
    excerpt: Excerpt,
    many: bool,
    largest: float,
    decimals: int,
    unit: str,
) -> RegionView:
    lost = losses.exclusive[region.id]
    part = share(lost.total, losses.totalT)
    longest = max((row.measured.execT for row in profile.rows), default=0.0)
    parts = thread_parts(profile)
    return RegionView(
        region=region,
        unit=unit,
        execC=profile.execC,
        execT=profile.execT,
        lostT=lost.total,
        execT_text=seconds(profile.execT, decimals),
        lostT_text=seconds(lost.total, decimals),
        percent=percent(part),
        heat=heat(part),
        lost_bar=bar(lost_parts(lost), largest),
        columns=tuple(column.name for column in profile.columns),
        rows=tuple(
            _rows(profile, [] if many else [bar(thread_parts, longest) for thread_parts in parts])
        ),
        chart=tuple(layers(parts, longest, CHART)) if many else (),
        longest=lasting(longest),
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
    """List the threads that reached the region if there are bars for them, else their spread;
    then the sum."""
    decimals = _decimals(profile)
    reached = profile.reached
    if bars or not reached:
        pairs = zip(reached, bars, strict=True)
        rows = [
            ThreadRow(str(row.tid), formatted_values(profile.columns, row.values, decimals), drawn)
            for row, drawn in pairs
        ]
    else:
        rows = _spread(profile, [row.values for row in reached])
    return [
        *rows,
        ThreadRow("SUM", formatted_values(profile.columns, profile.total, decimals), None),
    ]


def inner_rows(
    profile: RegionProfile, inner: Sequence[tuple[str, tuple[float, ...]]], threads: str
) -> tuple[ThreadRow, ...]:
    """List the labeled threads of the profile's processes; of many, their spread."""
    if threads == "auto" and len(inner) > _MOST_INNER:
        return tuple(_spread(profile, [values for _, values in inner]))
    decimals = _decimals(profile)
    return tuple(
        ThreadRow(label, formatted_values(profile.columns, values, decimals), None)
        for label, values in inner
    )


def _decimals(profile: RegionProfile) -> int:
    pairs = zip(profile.columns, profile.total, strict=True)
    return decimals_for(value for column, value in pairs if not column.is_count)


def _spread(profile: RegionProfile, rows: Sequence[tuple[float, ...]]) -> list[ThreadRow]:
    decimals = _decimals(profile)
    return [
        ThreadRow(label, formatted_values(profile.columns, values, decimals), None)
        for label, values in spread_rows(rows)
    ]


def formatted_values(
    columns: tuple[ReportColumn, ...], values: tuple[float, ...], decimals: int
) -> tuple[str, ...]:
    """Format counts as integers and times with `decimals`."""
    pairs = zip(columns, values, strict=True)
    return tuple(_count(v) if c.is_count else seconds(v, decimals) for c, v in pairs)


def _count(value: float) -> str:
    return str(int(value)) if value == int(value) else f"{value:.1f}"
