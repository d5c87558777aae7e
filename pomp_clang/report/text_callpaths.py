"""The call-path profile as text: a tree, with what each path took and what was its own."""

from __future__ import annotations

from pomp_clang.analysis.callpaths import PathProfile
from pomp_clang.analysis.overheads import share
from pomp_clang.report.shown_callpaths import shown_callpaths
from pomp_clang.report.table import Cell, Field, table
from pomp_clang.report.terminal import Terminal, heat
from pomp_clang.report.wording import decimals_for, percent, place, seconds, what

MANY = 60
"""So many paths are shown, those with most time."""


def callpath_section(
    paths: tuple[PathProfile, ...], whole: float, folded: bool, terminal: Terminal
) -> list[str]:
    """`whole` is the program's, duration x threads in seconds."""
    shown, notes = shown_callpaths(paths, MANY, whole, folded)
    decimals = decimals_for(p.inclusive for p in shown)
    fields = [
        Field("call path", right=False, least=12, elastic="right"),
        Field("place", right=False, least=8, elastic="left"),
        *(Field(name) for name in ("execC", "inclusive", "exclusive", "excl%")),
    ]
    rows = [_row(path, whole, decimals) for path in shown]
    lines = table(terminal, fields, rows)
    return [*lines, *([""] if notes else []), *(terminal.paint(n, "dim") for n in notes)]


def _row(path: PathProfile, whole: float, decimals: int) -> list[Cell]:
    part = share(path.exclusive, whole)
    name = what(path.region)
    if path.path.task:
        name += " (running)"
    return [
        Cell("  " * path.depth + name),
        Cell(place(path.region), "dim"),
        Cell(str(path.execC)),
        Cell(seconds(path.inclusive, decimals)),
        Cell(seconds(path.exclusive, decimals)),
        Cell(percent(part), heat(part)),
    ]
