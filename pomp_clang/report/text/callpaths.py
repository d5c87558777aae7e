"""The call-path profile as text: a tree with inclusive and exclusive times."""

from __future__ import annotations

from collections.abc import Sequence

from pomp_clang.analysis.callpaths import PathProfile, ThreadVisits
from pomp_clang.analysis.overheads import share
from pomp_clang.report.callpath_limit import shown_callpaths
from pomp_clang.report.options import Options
from pomp_clang.report.phrases import decimals_for, percent, place, seconds, what
from pomp_clang.report.terminal import Terminal, heat
from pomp_clang.report.text.table import Cell, Field, table

MANY = 60
"""Number of call paths shown, the longest ones."""

_DEEPEST = 16
_LEAST_DEEP = 4
"""The number of levels for which the tree has room: at most, and in a narrow terminal. Deeper rows
show their depth as a number."""

_BESIDE = 84
"""Columns that names and the rest of a row need."""

_COLUMNS = (("execC", 0), ("inclusive", 0), ("incl%", 100), ("exclusive", 72), ("excl%", 0))
"""Each with the width of a terminal from which on there is room for it."""


def callpath_section(
    paths: tuple[PathProfile, ...],
    total: float,
    folded: bool,
    options: Options,
    terminal: Terminal,
) -> list[str]:
    """Render the tree of call paths; `whole` is the program's time, duration x threads in
    seconds."""
    shown_paths, notes = shown_callpaths(paths, options.at_most(MANY), total, folded, "--all")
    decimals = decimals_for(p.inclusive for p in shown_paths)
    columns = [n for n, least in _COLUMNS if terminal.width is None or terminal.width >= least]
    fields = [
        Field("id", right=False),
        Field("call path", right=False, minimum=12, elastic="right"),
        Field("place", right=False, minimum=8, elastic="left"),
        *(Field(name) for name in columns),
    ]
    rows = []
    for path, branch in zip(
        shown_paths, branches([p.depth for p in shown_paths], terminal), strict=True
    ):
        rows.append(_row(path, branch, total, decimals, columns))
        if options.threads == "all" and len(path.threads) > 1:
            rows += [_thread(thread, total, decimals, columns) for thread in path.threads]
    lines = table(terminal, fields, rows)
    return [*lines, *([""] if notes else []), *(terminal.paint(n, "dim") for n in notes)]


def branches(depths: Sequence[int], terminal: Terminal) -> list[str]:
    """Yield the lines of the tree that stand left of each name."""
    down, last, past, none = ("├ ", "└ ", "│ ", "  ") if terminal.unicode else _PLAIN
    room = _DEEPEST if terminal.width is None else (terminal.width - _BESIDE) // 2
    deepest = max(_LEAST_DEEP, min(_DEEPEST, room))
    open_levels: set[int] = set()
    branches_ = []
    for depth in reversed(depths):
        lines = "".join(past if level in open_levels else none for level in range(1, depth))
        mark = (down if depth in open_levels else last) if depth else ""
        branch = lines + mark
        if depth > deepest:
            branch = f"{branch[: 2 * deepest - 2]}{mark}({depth}) "
        branches_.append(branch)
        open_levels = {level for level in open_levels if level < depth} | {depth}
    return branches_[::-1]


_PLAIN = ("|-", "`-", "| ", "  ")


def _row(
    path: PathProfile, branch: str, total: float, decimals: int, columns: list[str]
) -> list[Cell]:
    return [
        Cell(path.region.id, "id"),
        Cell(branch + what(path.region, path.path.task)),
        Cell(place(path.region), "dim"),
        *_times(path, total, decimals, columns),
    ]


def _thread(visits: ThreadVisits, total: float, decimals: int, columns: list[str]) -> list[Cell]:
    return [
        Cell(""),
        Cell(""),
        Cell(f"thread {visits.tid}", "dim"),
        *_times(visits, total, decimals, columns),
    ]


def _times(
    profile: PathProfile | ThreadVisits, total: float, decimals: int, columns: list[str]
) -> list[Cell]:
    exclusive = share(profile.exclusive, total)
    cells = {
        "execC": Cell(str(profile.execC)),
        "inclusive": Cell(seconds(profile.inclusive, decimals)),
        "incl%": Cell(percent(share(profile.inclusive, total))),
        "exclusive": Cell(seconds(profile.exclusive, decimals)),
        "excl%": Cell(percent(exclusive), heat(exclusive)),
    }
    return [cells[name] for name in columns]
