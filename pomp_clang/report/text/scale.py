"""Runs with more and more threads, as text."""

from __future__ import annotations

from dataclasses import dataclass, replace

from pomp_clang.analysis.comparison.scaling import Saturation, ScaledRegion, Scaling, ScalingPoint
from pomp_clang.analysis.overheads import share
from pomp_clang.analysis.properties import lasting
from pomp_clang.report.comparison_phrases import comparison_notes
from pomp_clang.report.options import Options
from pomp_clang.report.phrases import (
    decimals_for,
    fraction,
    number,
    percent,
    seconds,
    shown_parts,
    wrapped,
)
from pomp_clang.report.sections import ReportSection, render_screen, render_sections
from pomp_clang.report.terminal import Terminal, heat, printable
from pomp_clang.report.text.properties import LEAST
from pomp_clang.report.text.table import REGION_FIELDS, Cell, Field, region_cells, table

HOW = (
    "By the longest time of a thread in the region in seconds, all executions together; of tasks "
    "by the mean."
)
USES = "Uses: the threads of which twice as many would save less than 5 %, by a model."
_BAR = 20
_NARROW_BAR = 8
_ROOMY = 100
_GOOD, _POOR = 0.8, 0.5
"""Efficiencies from which on, and below which, a region is coloured."""


@dataclass(frozen=True, slots=True)
class ShownScaling:
    """Runs with the options and the terminal for which sections are rendered."""

    scaling: Scaling
    options: Options
    terminal: Terminal


def render(scaling: Scaling, options: Options, terminal: Terminal) -> str:
    """Render one screen, or the sections asked for."""
    context = ShownScaling(scaling, options, terminal)
    if not options.one_screen:
        return render_sections(SECTIONS, context, options.sections, terminal)
    if options.top is None:
        context = replace(context, options=replace(options, top=_ON_SCREEN))
    names = tuple(row.name for row in SECTIONS)
    return render_screen(SECTIONS, context, names, terminal, _MORE)


_ON_SCREEN = 4
"""The number of regions in a table of the first screen."""

_MORE = "All of it: --all. A section: --section lost. A page: --format html."


def _speed(scaling: Scaling, terminal: Terminal) -> list[str]:
    decimals = decimals_for(point.time for point in scaling.points)
    is_wide = terminal.width is None or terminal.width >= _ROOMY
    length = _BAR if is_wide else _NARROW_BAR
    fields = [
        Field("threads"),
        Field("duration"),
        Field("speed-up"),
        Field("efficiency"),
        Field("serial"),
        Field("", right=False, minimum=length),
        Field("experiment", right=False, minimum=10, elastic="left"),
    ]
    rows = [
        [
            Cell(str(point.threads), "strong"),
            Cell(seconds(point.time, decimals)),
            Cell(ratio_text(point.speed_up)),
            Cell(ratio_text(point.efficiency), efficiency_role(point)),
            Cell(fraction(point.serial)),
            Cell(terminal.bar(point.efficiency or 0.0, length), efficiency_role(point)),
            Cell(printable(run.experiment.directory), "dim"),
        ]
        for run, point in zip(scaling.runs, scaling.points, strict=True)
    ]
    lines = table(terminal, fields, rows)
    labeled = [(run.experiment.directory, run) for run in scaling.runs]
    for note in comparison_notes(labeled):
        lines += [terminal.paint(line, note.role) for line in wrapped(note.text, terminal.width)]
    if scaling.saturation is not None:
        lines += ["", *wrapped(saturation_sentence(scaling.saturation), terminal.width)]
    legend = (
        "Speed-up is against the fewest threads, efficiency its share of as many more threads; "
        "serial is the share of the work that behaves as if it were not parallel (Karp-Flatt)."
    )
    return [*lines, "", *(terminal.paint(line, "dim") for line in wrapped(legend, terminal.width))]


def saturation_sentence(saturation: Saturation) -> str:
    """Say how many threads the program can use, with the expected time."""
    measured, threads = saturation.measured, saturation.threads
    if threads <= measured.threads:
        return (
            f"More than {number(threads, 'thread')} save little: twice as many would take "
            f"{lasting(saturation.time(2 * threads))} instead of {lasting(saturation.seconds)}."
        )
    saved = 100 * (1 - saturation.seconds / measured.seconds)
    return (
        f"{number(threads, 'thread')} would take {lasting(saturation.seconds)} instead of "
        f"{lasting(measured.seconds)} with {measured.threads} (-{saved:.0f} %); twice as many save "
        "less than 5 % more."
    )


def ratio_text(value: float | None) -> str:
    return "" if value is None else f"{value:.2f}"


def efficiency_role(point: ScalingPoint | None) -> str:
    if point is None or point.efficiency is None:
        return ""
    if point.efficiency >= _GOOD:
        return "good"
    return "hot" if point.efficiency < _POOR else "warm"


def _parts(scaling: Scaling, terminal: Terminal) -> list[str]:
    fields = [Field("threads", right=False, minimum=10)]
    fields += [Field(str(run.threads), minimum=6) for run in scaling.runs]
    parts = [run.parts() for run in scaling.runs]
    wholes = [run.analysis.totalT for run in scaling.runs]
    rows = []
    for key in (part.key for part in shown_parts(*parts)):
        shares = (share(part[key], total) for part, total in zip(parts, wholes, strict=True))
        rows.append([Cell(key), *(Cell(percent(part)) for part in shares)])
    return table(terminal, fields, rows)


def sharing(scaling: Scaling) -> tuple[ScaledRegion, ...]:
    """Select the regions that have work for more than one thread."""
    return tuple(
        region for region in scaling.regions if region.points[0] and region.points[0].efficiency
    )


def losing(scaling: Scaling) -> list[tuple[ScaledRegion, tuple[float, ...]]]:
    """Select the regions with a notable loss in any run, with their shares of each run's time,
    by falling loss."""
    wholes = [run.analysis.totalT for run in scaling.runs]
    losing_regions = [
        (region, tuple(share(lost, total) for lost, total in zip(region.lost, wholes, strict=True)))
        for region in scaling.regions
    ]
    losing_regions.sort(key=lambda pair: -max(pair[1]))
    return [pair for pair in losing_regions if max(pair[1]) >= LEAST]


def _lost(scaling: Scaling, top: int | None, terminal: Terminal) -> list[str]:
    losing_regions = losing(scaling)
    if not losing_regions:
        return [f"No region lost {percent(LEAST)} % in any run."]
    shown_regions = losing_regions[:top]
    fields = [
        *REGION_FIELDS,
        *(Field(str(run.threads), minimum=5) for run in scaling.runs),
    ]
    rows = [
        [
            *region_cells(region.region),
            *(Cell(percent(part), heat(part)) for part in parts),
        ]
        for region, parts in shown_regions
    ]
    return [
        *table(terminal, fields, rows),
        *_hidden_note(len(losing_regions) - len(shown_regions), terminal),
    ]


def _hidden_note(count: int, terminal: Terminal) -> list[str]:
    if not count:
        return []
    return ["", terminal.paint(f"{number(count, 'more region')} not shown.", "dim")]


def _regions(scaling: Scaling, top: int | None, terminal: Terminal) -> list[str]:
    regions = sharing(scaling)
    if not regions:
        return ["No region that threads could share ran with the fewest of them."]
    shown_regions = regions[:top]
    first = scaling.runs[0].threads
    decimals = decimals_for(region.points[0].time for region in shown_regions if region.points[0])
    fields = [
        *REGION_FIELDS,
        Field(f"wallT {first}"),
        *(Field(str(run.threads), minimum=5) for run in scaling.runs),
        *([Field("uses")] if scaling.saturation else []),
    ]
    rows = [_row(region, decimals, scaling.saturation is not None) for region in shown_regions]
    explanation = f"{HOW} {USES}" if scaling.saturation else HOW
    lines = [terminal.paint(line, "dim") for line in wrapped(explanation, terminal.width)]
    lines += ["", *table(terminal, fields, rows)]
    return [*lines, *_hidden_note(len(regions) - len(shown_regions), terminal)]


def _row(scaled: ScaledRegion, decimals: int, has_uses: bool) -> list[Cell]:
    first = scaled.points[0]
    return [
        *region_cells(scaled.region),
        Cell(seconds(first.time if first else 0.0, decimals)),
        *(Cell(ratio_text(p.efficiency) if p else "-", efficiency_role(p)) for p in scaled.points),
        *(
            [Cell(str(saturation.threads) if (saturation := scaled.saturation) else "-")]
            if has_uses
            else []
        ),
    ]


SECTIONS: tuple[ReportSection[ShownScaling], ...] = (
    ReportSection(
        "speed-up", "Speed-up", lambda context: _speed(context.scaling, context.terminal)
    ),
    ReportSection(
        "parts",
        "Where the threads' time went (% of duration x threads)",
        lambda context: _parts(context.scaling, context.terminal),
    ),
    ReportSection(
        "regions",
        "Efficiency of the regions",
        lambda context: _regions(context.scaling, context.options.top, context.terminal),
    ),
    ReportSection(
        "lost",
        "Lost in the regions (% of duration x threads)",
        lambda context: _lost(context.scaling, context.options.top, context.terminal),
    ),
)
"""All sections, from top to bottom."""
