"""The call-path profile as text: a tree, with what each path took and what was its own."""

from __future__ import annotations

from pomp_clang.analysis.callpaths import PathProfile
from pomp_clang.analysis.overheads import share
from pomp_clang.report.table import Cell, Field, table
from pomp_clang.report.terminal import Terminal, heat
from pomp_clang.report.wording import decimals_for, number, percent, place, seconds, what

MANY = 60
"""So many paths are shown, those with most time."""


def callpath_section(
    paths: tuple[PathProfile, ...], whole: float, folded: bool, terminal: Terminal
) -> list[str]:
    """`whole` is the program's, duration x threads in seconds."""
    ranked = sorted(range(len(paths)), key=lambda i: (-paths[i].inclusive, i))
    shown = tuple(paths[i] for i in sorted(ranked[:MANY]))
    decimals = decimals_for(p.inclusive for p in shown)
    fields = [
        Field("call path", right=False, least=12, elastic="right"),
        Field("place", right=False, least=8, elastic="left"),
        *(Field(name) for name in ("execC", "inclusive", "exclusive", "excl%")),
    ]
    rows = [_row(path, whole, decimals) for path in shown]
    lines = table(terminal, fields, rows)
    notes = []
    if len(shown) < len(paths):
        most = percent(share(paths[ranked[MANY]].inclusive, whole))
        more = number(len(paths) - len(shown), "more call path")
        notes.append(f"{more} took at most {most} % each; --format json has them all.")
    if folded:
        notes.append("Some call paths were too deep or too many: their regions stand below none.")
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
