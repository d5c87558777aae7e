"""The overhead analysis as text: what is lost, why, in which parallel region."""

from __future__ import annotations

from dataclasses import replace

from pomp_clang.analysis.overheads import CLASSES, Analysis, Charged, Lost, share
from pomp_clang.report.options import Options
from pomp_clang.report.table import Cell, Field, table
from pomp_clang.report.terminal import Terminal, heat
from pomp_clang.report.wording import decimals_for, number, percent, place, seconds, what

_ROOMY = 120
_MATTERS = 0.005
"""The share of the program's time that a region has to lose to be coloured."""


def overhead_section(analysis: Analysis, options: Options, terminal: Terminal) -> list[str]:
    regions = _sorted(analysis, options.sort)
    shown = regions[: options.top]
    lines = _totals(analysis)
    if shown:
        lines += ["", terminal.paint("Of each parallel region's own time", "strong")]
        lines += table(terminal, _fields(terminal, True), _own_rows(shown, analysis, terminal))
    lines += ["", terminal.paint("Of the whole program's time", "strong")]
    lines += table(terminal, _fields(terminal, False), _program_rows(shown, analysis, terminal))
    if len(regions) > len(shown):
        more = number(len(regions) - len(shown), "more parallel region")
        lines += ["", terminal.paint(f"{more} in SUM, not shown.", "dim")]
    return lines


def _sorted(analysis: Analysis, sort: str | None) -> list[Charged]:
    """The regions that lose most come first, unless another order was asked for."""
    if sort == "id":
        return sorted(analysis.regions, key=lambda c: c.region.id)
    if sort == "place":
        return sorted(analysis.regions, key=lambda c: (c.region.file, c.region.begin_line1))
    if sort == "execT":
        return sorted(analysis.regions, key=lambda c: -c.totalT)
    return sorted(analysis.regions, key=lambda c: -c.lost.total)


def _totals(analysis: Analysis) -> list[str]:
    decimals = decimals_for([analysis.totalT])
    covered = percent(share(analysis.coverage, analysis.duration))
    threads = number(analysis.threads, "thread")
    return [
        f"Duration            {seconds(analysis.duration, decimals)} s, {threads}",
        f"Total               {seconds(analysis.totalT, decimals)} s (duration x threads)",
        f"Parallel regions    {len(analysis.regions)}",
        f"Parallel coverage   {seconds(analysis.coverage, decimals)} s ({covered} %)",
    ]


def _fields(terminal: Terminal, with_place: bool) -> list[Field]:
    """Where there is room each class has its share beside it, and a region its place."""
    fields = [Field("", right=False, least=10), Field("Total"), Field("Ovhds"), Field("%")]
    for overhead in CLASSES:
        fields.append(Field(overhead.value))
        if _is_roomy(terminal):
            fields.append(Field("%"))
    if _is_roomy(terminal) and with_place:
        fields.append(Field("", right=False, least=10, elastic="left"))
    return fields


def _is_roomy(terminal: Terminal) -> bool:
    return terminal.width is None or terminal.width >= _ROOMY


def _own_rows(regions: list[Charged], analysis: Analysis, terminal: Terminal) -> list[list[Cell]]:
    decimals = decimals_for([analysis.totalT, *(c.totalT for c in regions)])
    rows = []
    for c in regions:
        cells = _cells(Cell(c.region.id, "id"), c.totalT, c.lost, c.totalT, decimals, terminal)
        if share(c.lost.total, analysis.totalT) < _MATTERS:
            cells = [cells[0], *(replace(cell, role="dim") for cell in cells[1:])]
        if _is_roomy(terminal):
            cells.append(Cell(f"{what(c.region)} {place(c.region)}", "dim"))
        rows.append(cells)
    return rows


def _program_rows(
    regions: list[Charged], analysis: Analysis, terminal: Terminal
) -> list[list[Cell]]:
    whole = analysis.totalT
    decimals = decimals_for([whole, *(c.totalT for c in regions)])
    rows = [
        _cells(Cell(c.region.id, "id"), c.totalT, c.lost, whole, decimals, terminal)
        for c in regions
    ]
    if analysis.orphaned.total:
        rows.append(
            _cells(Cell("(orphaned)", "id"), None, analysis.orphaned, whole, decimals, terminal)
        )
    rows.append(_cells(Cell("SUM", "strong"), whole, analysis.lost, whole, decimals, terminal))
    return rows


def _cells(
    label: Cell,
    total: float | None,
    lost: Lost,
    whole: float,
    decimals: int,
    terminal: Terminal,
) -> list[Cell]:
    """`whole` is what the shares are of; what belongs to no region has no total."""
    part = share(lost.total, whole)
    cells = [
        label,
        Cell("" if total is None else seconds(total, decimals)),
        Cell(seconds(lost.total, decimals), heat(part)),
        Cell(percent(part), heat(part)),
    ]
    for value in lost.seconds:
        part = share(value, whole)
        cells.append(Cell(seconds(value, decimals), heat(part)))
        if _is_roomy(terminal):
            cells.append(Cell(percent(part), heat(part)))
    return cells
