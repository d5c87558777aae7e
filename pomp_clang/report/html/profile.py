"""The profile of a run as a page; at its head where the time went, and the parallel regions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pomp_clang.analysis.columns import COLUMN_MEANINGS
from pomp_clang.analysis.counters import CounterMetric, CounterProfile, Values
from pomp_clang.analysis.overheads import OverheadAnalysis, share
from pomp_clang.analysis.perturbation import Perturbation
from pomp_clang.analysis.properties import lasting, separate
from pomp_clang.analysis.run import Breakdown
from pomp_clang.experiment.model import Region
from pomp_clang.report.html.bars import FULL, PARTS, Segment, bar, lost_parts, time_parts
from pomp_clang.report.html.callpaths import KINDS, callpaths_view
from pomp_clang.report.html.document import page
from pomp_clang.report.html.excerpt import Sources
from pomp_clang.report.html.profile_drawings import (
    ITERATIONS_HEIGHT,
    STEPS_HEIGHT,
    history,
    loop_views,
)
from pomp_clang.report.html.regions import CHART, finding, region_views
from pomp_clang.report.html.target import target_tables
from pomp_clang.report.model import ProfileReport
from pomp_clang.report.options import Options, ordered
from pomp_clang.report.phrases import percent, shown_parts
from pomp_clang.report.run_conditions import run_conditions
from pomp_clang.report.run_facts import facts, run_line
from pomp_clang.report.text.counters_and_steps import counter_text
from pomp_clang.report.text.measurement_cost import MOST, distorted, notes_on_others, sentences
from pomp_clang.report.text.properties import LEAST


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


_FIRST_FINDINGS, _FIRST = 5, 8
"""The numbers of findings, and of parallel regions, shown at first; the rest unfolds."""


def render(report: ProfileReport, options: Options, notes: tuple[str, ...] = ()) -> str:
    """Render the page; `notes` are shown below the experiment's own warnings."""
    values = context(report, options)
    values["warnings"] += notes
    return page("profile.html", **values)


def context(report: ProfileReport, options: Options) -> dict[str, Any]:
    """Return the variables of the template."""
    experiment, profiles, analysis = report.experiment, report.profiles, report.analysis
    named = report.named
    regions = ordered(profiles, analysis, options.sort or "overhead")[: options.top]
    findings = [finding(each_finding, named) for each_finding in report.findings]
    separate_views = [finding(each_finding, named) for each_finding in separate(report.findings)]
    sources = Sources(experiment, options.sources)
    views = region_views(regions, named, analysis, separate_views, sources, options.threads)
    return {
        "experiment": experiment,
        "run_line": run_line(experiment, lasting(experiment.duration)),
        "facts": facts(experiment, report.folder, lasting(experiment.duration)),
        "warnings": [condition.text for condition in run_conditions(report, report.cost)],
        "parts": parts(report.breakdown),
        "breakdown": breakdown_bar(report.breakdown),
        "costs": _cost_view(report.cost, named, options.subtract) if report.cost else None,
        "counters": _counter_table(report.counted, named) if report.counted else None,
        "target": target_tables(report.devices, named) if report.devices else None,
        "history": history(experiment),
        "history_height": STEPS_HEIGHT,
        "loops": loop_views(report.loops, named),
        "cost_height": ITERATIONS_HEIGHT,
        "charges": charges(analysis, named),
        "classes": tuple(overhead.value for overhead in analysis.classes),
        "orphaned": orphaned(analysis),
        "findings": findings,
        "worth": min(
            _FIRST_FINDINGS, sum(each_finding.share >= LEAST for each_finding in report.findings)
        ),
        "views": views,
        "hidden": len(profiles) - len(regions),
        "here": {view.region.id for view in views},
        "kinds": sorted({view.region.kind for view in views}),
        "callpaths": callpaths_view(report),
        "kinds_of": KINDS,
        "first": _FIRST,
        "full": FULL,
        "chart": CHART,
        "legend": tuple(style for style in PARTS if style != "mpi" or experiment.mpi),
        "columns": tuple(
            (name, meaning)
            for name, meaning in COLUMN_MEANINGS.items()
            if any(name in view.columns for view in views)
        ),
    }


@dataclass(frozen=True, slots=True)
class CostRow:
    region: Region
    own_cost: str
    within: str
    percent: str


@dataclass(frozen=True, slots=True)
class MeasurementCostView:
    sentences: tuple[str, ...]
    rows: tuple[CostRow, ...]
    notes: tuple[str, ...]


def _cost_view(
    cost: Perturbation, named: Mapping[str, Region], subtracted: bool
) -> MeasurementCostView:
    rows = []
    for region_cost in distorted(cost)[:MOST]:
        part = percent(share(region_cost.within, region_cost.execT))
        texts = lasting(region_cost.exclusive), lasting(region_cost.within), part
        rows.append(CostRow(named[region_cost.region.id], *texts))
    return MeasurementCostView(
        tuple(sentences(cost, subtracted)), tuple(rows), tuple(notes_on_others(cost, len(rows)))
    )


@dataclass(frozen=True, slots=True)
class CounterRow:
    """`region` is None outside all regions, which has a `name`; `cells` are inclusive and
    exclusive in turn; `last` is the sum."""

    region: Region | None
    name: str
    cells: tuple[str, ...]
    last: bool = False


@dataclass(frozen=True, slots=True)
class CounterTable:
    metrics: tuple[CounterMetric, ...]
    rows: tuple[CounterRow, ...]
    notes: tuple[str, ...]


def _counter_table(counted: CounterProfile, named: Mapping[str, Region]) -> CounterTable:
    def cells(inclusive: Values, exclusive: Values) -> tuple[str, ...]:
        pairs = zip(counted.metrics, inclusive, exclusive, strict=True)
        return tuple(counter_text(value, metric) for metric, *both in pairs for value in both)

    rows = []
    for region in counted.regions:
        values = cells(region.total.inclusive, region.total.exclusive)
        rows.append(CounterRow(named[region.id], "", values))
    rows.append(CounterRow(None, "outside all regions", cells(counted.outside, counted.outside)))
    rows.append(CounterRow(None, "all", cells(counted.total, counted.total), last=True))
    return CounterTable(counted.metrics, tuple(rows), counted.notes)
