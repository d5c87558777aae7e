"""The overheads as text: every region with what it lost, and the time lost by reason and parallel region."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace

from pomp_clang.analysis.columns import Overhead
from pomp_clang.analysis.overheads import OF_OPENMP, Lost, OverheadAnalysis, RegionLosses, share
from pomp_clang.analysis.profile import RegionProfile
from pomp_clang.report.options import Options
from pomp_clang.report.phrases import (
    decimals_for,
    number,
    percent,
    place,
    seconds,
    until,
    what,
    wrapped,
)
from pomp_clang.report.terminal import Terminal, heat, printable
from pomp_clang.report.text.table import GAP, REGION_FIELDS, Cell, Field, region_cells, table

_BAR = 10


def _counts(profiles: tuple[RegionProfile, ...]) -> str:
    kinds = Counter(profile.region.kind for profile in profiles)
    return ", ".join(f"{count} {printable(kind)}" for kind, count in sorted(kinds.items()))


def overview_section(
    executed: tuple[RegionProfile, ...],
    shown_regions: tuple[RegionProfile, ...],
    never: tuple[RegionProfile, ...],
    analysis: OverheadAnalysis,
    terminal: Terminal,
    top: int | None,
) -> list[str]:
    everything = executed + never
    if not everything:
        return ["No regions: nothing in this program was instrumented."]
    total = number(len(everything), "region")
    lines = wrapped(f"{total}: {_counts(everything)}", terminal.width)
    if shown_regions:
        legend = "Times are sums over threads; lost% is of the whole program, duration x threads."
        lines += [terminal.paint(line, "dim") for line in wrapped(legend, terminal.width)]
        lines += ["", *_overview_table(shown_regions, analysis, terminal)]
    if never:
        lines += ["", f"{number(len(never), 'region')} never ran (execC 0):"]
        rows = [region_cells(p.region, role="dim") for p in never[:top]]
        lines += table(terminal, [*REGION_FIELDS], rows)[1:]
        left = len(never[top:]) if top is not None else 0
        if left:
            lines += [terminal.paint(f"{left} more that never ran not shown.", "dim")]
    return lines


def _overview_table(
    regions: tuple[RegionProfile, ...], analysis: OverheadAnalysis, terminal: Terminal
) -> list[str]:
    """Render all regions with their lost time, as a number and as a bar.

    A narrow terminal has no room for the seconds lost; the share shows the same.
    """
    wide = terminal.width is None or terminal.width >= 100
    decimals = decimals_for(p.execT for p in regions)
    fields = [
        *REGION_FIELDS,
        Field("execC"),
        Field("execT"),
        *([Field("lostT")] if wide else []),
        Field("lost%"),
        Field("", right=False, minimum=_BAR),
    ]
    rows = []
    for profile in regions:
        lost = analysis.exclusive[profile.region.id].total
        part = share(lost, analysis.totalT)
        rows.append(
            [
                *region_cells(profile.region),
                Cell(str(profile.execC)),
                Cell(seconds(profile.execT, decimals)),
                *([Cell(seconds(lost, decimals), heat(part))] if wide else []),
                Cell(percent(part), heat(part)),
                Cell(terminal.bar(part, _BAR), heat(part)),
            ]
        )
    return table(terminal, fields, rows)


_MATTERS = 0.005
"""The share of the program's time that a region has to lose to be coloured."""

_LABEL = 10
_PERCENT = 4
_PLACE = 24
"""Widths: of a region's place at least so much is shown, or none."""


@dataclass(frozen=True, slots=True)
class _Layout:
    """How much of a number there is room for, whether each class has its share beside it, and
    a region its place."""

    digits: int = 7
    by_class: bool = True
    place: bool = False
    classes: tuple[Overhead, ...] = OF_OPENMP

    @property
    def width(self) -> int:
        pairs = ("Ovhds", *(overhead.value for overhead in self.classes))
        times = sum(len(GAP) + max(len(name), self.digits + 1) for name in ("Total", *pairs))
        shares = (len(pairs) if self.by_class else 1) * (1 + _PERCENT)
        return _LABEL + times + shares + (len(GAP) + _PLACE if self.place else 0)


_LAYOUTS = (
    *(_Layout(digits, place=True) for digits in (7, 6, 5)),
    *(_Layout(digits) for digits in (7, 6, 5, 4)),
    _Layout(4, by_class=False),
)
"""The one to be preferred first."""


def _layout(terminal: Terminal, classes: tuple[Overhead, ...]) -> _Layout:
    room = terminal.width
    layouts = [replace(layout, classes=classes) for layout in _LAYOUTS]
    return next((layout for layout in layouts if room is None or layout.width <= room), layouts[-1])


def overhead_section(
    analysis: OverheadAnalysis, options: Options, terminal: Terminal, complete: bool = True
) -> list[str]:
    """Return the section's lines; `complete` is False if the program ended early."""
    regions = _sorted(analysis, options.sort)
    shown_regions = regions[: options.top]
    lines = _totals(analysis, complete)
    layout = _layout(terminal, analysis.classes)
    if shown_regions:
        lines += ["", terminal.paint("Of each parallel region's own time", "strong")]
        rows = _own_rows(shown_regions, analysis, layout)
        lines += table(terminal, _fields(layout, layout.place), rows)
    lines += ["", terminal.paint("Of the whole program's time", "strong")]
    rows = _program_rows(shown_regions, analysis, layout)
    lines += table(terminal, _fields(layout, False), rows)
    if len(regions) > len(shown_regions):
        more_regions = number(len(regions) - len(shown_regions), "more parallel region")
        lines += ["", terminal.paint(f"{more_regions} in SUM, not shown.", "dim")]
    return lines


def _sorted(analysis: OverheadAnalysis, sort: str | None) -> list[RegionLosses]:
    """Order the regions by falling loss, unless another order was asked for."""
    if sort == "id":
        return sorted(analysis.regions, key=lambda c: c.region.id)
    if sort == "place":
        return sorted(analysis.regions, key=lambda c: (c.region.file, c.region.begin_line1))
    if sort == "execT":
        return sorted(analysis.regions, key=lambda c: -c.totalT)
    return sorted(analysis.regions, key=lambda c: -c.lost.total)


def _totals(analysis: OverheadAnalysis, complete: bool) -> list[str]:
    decimals = decimals_for([analysis.totalT])
    duration = f"{seconds(analysis.duration, decimals)} s"
    covered = percent(share(analysis.coverage, analysis.duration))
    threads = number(analysis.threads, "thread")
    return [
        f"Duration            {until(duration, complete)}, {threads}",
        f"Total               {seconds(analysis.totalT, decimals)} s (duration x threads)",
        f"Parallel regions    {len(analysis.regions)}",
        f"Parallel coverage   {seconds(analysis.coverage, decimals)} s ({covered} %)",
    ]


def _fields(layout: _Layout, with_place: bool) -> list[Field]:
    fields = [Field("", right=False, minimum=_LABEL), Field("Total"), Field(_pair("Ovhds", "%"))]
    for overhead in layout.classes:
        fields.append(Field(_pair(overhead.value, "%") if layout.by_class else overhead.value))
    if with_place:
        fields.append(Field("", right=False, minimum=10, elastic="left"))
    return fields


def _pair(time: str, share_of_it: str) -> str:
    return f"{time} {share_of_it:>{_PERCENT}}"


def _own_rows(
    regions: list[RegionLosses], analysis: OverheadAnalysis, layout: _Layout
) -> list[list[Cell]]:
    times = (analysis.totalT, *(c.totalT for c in regions))
    decimals = decimals_for(times, layout.digits)
    rows = []
    for charge in regions:
        cells = _cells(
            Cell(charge.region.id, "id"),
            charge.totalT,
            charge.lost,
            charge.totalT,
            decimals,
            layout,
        )
        if share(charge.lost.total, analysis.totalT) < _MATTERS:
            cells = [cells[0], *(replace(cell, role="dim") for cell in cells[1:])]
        if layout.place:
            cells.append(Cell(f"{what(charge.region)} {place(charge.region)}", "dim"))
        rows.append(cells)
    return rows


def _program_rows(
    regions: list[RegionLosses], analysis: OverheadAnalysis, layout: _Layout
) -> list[list[Cell]]:
    total = analysis.totalT
    decimals = decimals_for((total, *(c.totalT for c in regions)), layout.digits)
    rows = [
        _cells(Cell(c.region.id, "id"), c.totalT, c.lost, total, decimals, layout) for c in regions
    ]
    if analysis.orphaned.total:
        rows.append(
            _cells(Cell("(orphaned)", "id"), None, analysis.orphaned, total, decimals, layout)
        )
    rows.append(_cells(Cell("SUM", "strong"), total, analysis.lost, total, decimals, layout))
    return rows


def _cells(
    label: Cell,
    total: float | None,
    lost: Lost,
    all_time: float,
    decimals: int,
    layout: _Layout,
) -> list[Cell]:
    """Return the cells of a row; shares are of `whole`, and orphaned time has no total."""
    part = share(lost.total, all_time)
    cells = [
        label,
        Cell("" if total is None else seconds(total, decimals)),
        Cell(_pair(seconds(lost.total, decimals), percent(part)), heat(part)),
    ]
    for value in map(lost.of, layout.classes):
        part, text = share(value, all_time), seconds(value, decimals)
        cells.append(Cell(_pair(text, percent(part)) if layout.by_class else text, heat(part)))
    return cells
