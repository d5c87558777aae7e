"""Runs with more and more threads, as text."""

from __future__ import annotations

from pomp_clang.analysis.overheads import share
from pomp_clang.analysis.scaling import Point, ScaledRegion, Scaling
from pomp_clang.report.parts import shown_parts
from pomp_clang.report.region_columns import REGION_FIELDS, region_cells
from pomp_clang.report.table import Cell, Field, table
from pomp_clang.report.terminal import Terminal, heat, printable
from pomp_clang.report.text import title
from pomp_clang.report.text_properties import LEAST
from pomp_clang.report.wording import (
    decimals_for,
    fraction,
    number,
    percent,
    seconds,
    wrapped,
)

HOW = (
    "By the longest time of a thread in the region in seconds, all executions together; of tasks "
    "by the mean."
)
_BAR = 20
_NARROW_BAR = 8
_ROOMY = 100
_GOOD, _POOR = 0.8, 0.5
"""Efficiencies from which on, and below which, a region is coloured."""


def render(scaling: Scaling, top: int | None, terminal: Terminal) -> str:
    sections = (
        ("Speed-up", _speed(scaling, terminal)),
        ("Where the threads' time went (% of duration x threads)", _parts(scaling, terminal)),
        ("Efficiency of the regions", _regions(scaling, top, terminal)),
        ("Lost in the regions (% of duration x threads)", _lost(scaling, top, terminal)),
    )
    lines: list[str] = []
    for heading, body in sections:
        lines += ["", *title(heading, terminal), "", *body]
    return "\n".join(lines).lstrip("\n") + "\n"


def _speed(scaling: Scaling, terminal: Terminal) -> list[str]:
    decimals = decimals_for(point.time for point in scaling.points)
    roomy = terminal.width is None or terminal.width >= _ROOMY
    length = _BAR if roomy else _NARROW_BAR
    fields = [
        Field("threads"),
        Field("duration"),
        Field("speed-up"),
        Field("efficiency"),
        Field("serial"),
        Field("", right=False, least=length),
        Field("experiment", right=False, least=10, elastic="left"),
    ]
    rows = [
        [
            Cell(str(point.threads), "strong"),
            Cell(seconds(point.time, decimals)),
            Cell(said(point.speed_up)),
            Cell(said(point.efficiency), efficiency_role(point)),
            Cell(fraction(point.serial)),
            Cell(terminal.bar(point.efficiency or 0.0, length), efficiency_role(point)),
            Cell(printable(run.experiment.directory), "dim"),
        ]
        for run, point in zip(scaling.runs, scaling.points, strict=True)
    ]
    lines = table(terminal, fields, rows)
    for run in scaling.runs:
        if not run.experiment.complete:
            text = f"{printable(run.experiment.directory)} is incomplete: the program ended early."
            lines.append(terminal.paint(text, "hot"))
    legend = (
        "Speed-up is against the fewest threads, efficiency its share of as many more threads; "
        "serial is the share of the work that behaves as if it were not parallel (Karp-Flatt)."
    )
    return [*lines, "", *(terminal.paint(line, "dim") for line in wrapped(legend, terminal.width))]


def said(value: float | None) -> str:
    return "" if value is None else f"{value:.2f}"


def efficiency_role(point: Point | None) -> str:
    if point is None or point.efficiency is None:
        return ""
    if point.efficiency >= _GOOD:
        return "good"
    return "hot" if point.efficiency < _POOR else "warm"


def _parts(scaling: Scaling, terminal: Terminal) -> list[str]:
    fields = [Field("threads", right=False, least=10)]
    fields += [Field(str(run.threads), least=6) for run in scaling.runs]
    parts = [run.parts() for run in scaling.runs]
    wholes = [run.analysis.totalT for run in scaling.runs]
    rows = []
    for key in (part.key for part in shown_parts(*parts)):
        shares = (share(each[key], whole) for each, whole in zip(parts, wholes, strict=True))
        rows.append([Cell(key), *(Cell(percent(part)) for part in shares)])
    return table(terminal, fields, rows)


def sharing(scaling: Scaling) -> tuple[ScaledRegion, ...]:
    """The regions that have work for more threads than one."""
    return tuple(each for each in scaling.regions if each.points[0] and each.points[0].efficiency)


def losing(scaling: Scaling) -> list[tuple[ScaledRegion, tuple[float, ...]]]:
    """Those that lose something to speak of in any run, with the shares of each run's time:
    the ones that lose most come first."""
    wholes = [run.analysis.totalT for run in scaling.runs]
    found = [
        (each, tuple(share(lost, whole) for lost, whole in zip(each.lost, wholes, strict=True)))
        for each in scaling.regions
    ]
    found.sort(key=lambda pair: -max(pair[1]))
    return [pair for pair in found if max(pair[1]) >= LEAST]


def _lost(scaling: Scaling, top: int | None, terminal: Terminal) -> list[str]:
    found = losing(scaling)
    if not found:
        return [f"No region lost {percent(LEAST)} % in any run."]
    shown = found[:top]
    fields = [
        *REGION_FIELDS,
        *(Field(str(run.threads), least=5) for run in scaling.runs),
    ]
    rows = [
        [
            *region_cells(each.region),
            *(Cell(percent(part), heat(part)) for part in parts),
        ]
        for each, parts in shown
    ]
    return [*table(terminal, fields, rows), *_left(len(found) - len(shown), terminal)]


def _left(count: int, terminal: Terminal) -> list[str]:
    if not count:
        return []
    return ["", terminal.paint(f"{number(count, 'more region')} not shown.", "dim")]


def _regions(scaling: Scaling, top: int | None, terminal: Terminal) -> list[str]:
    regions = sharing(scaling)
    if not regions:
        return ["No region that threads could share ran with the fewest of them."]
    shown = regions[:top]
    first = scaling.runs[0].threads
    decimals = decimals_for(each.points[0].time for each in shown if each.points[0])
    fields = [
        *REGION_FIELDS,
        Field(f"wallT {first}"),
        *(Field(str(run.threads), least=5) for run in scaling.runs),
    ]
    rows = [_row(each, decimals) for each in shown]
    lines = [terminal.paint(line, "dim") for line in wrapped(HOW, terminal.width)]
    lines += ["", *table(terminal, fields, rows)]
    return [*lines, *_left(len(regions) - len(shown), terminal)]


def _row(scaled: ScaledRegion, decimals: int) -> list[Cell]:
    first = scaled.points[0]
    return [
        *region_cells(scaled.region),
        Cell(seconds(first.time if first else 0.0, decimals)),
        *(Cell(said(p.efficiency) if p else "-", efficiency_role(p)) for p in scaled.points),
    ]
