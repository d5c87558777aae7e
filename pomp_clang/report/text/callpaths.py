"""The call-path profile as text: a tree with inclusive and exclusive times.

The columns of call paths for each thread are ompP's call-graph region profiles.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from pomp_clang.analysis.callpaths import PathProfile, ThreadVisits, column_profiles
from pomp_clang.analysis.overheads import share
from pomp_clang.experiment.model import Experiment
from pomp_clang.report.options import Options
from pomp_clang.report.phrases import decimals_for, number, percent, place, seconds, what
from pomp_clang.report.terminal import Terminal, heat
from pomp_clang.report.text.region_profile import thread_table
from pomp_clang.report.text.table import Cell, Field, table


def shown_callpaths(
    paths: tuple[PathProfile, ...], count: int, total: float, folded: bool, all_of_them: str
) -> tuple[tuple[PathProfile, ...], list[str]]:
    """Select the `count` call paths with most time, in their order; notes name the ones left out.

    `total` is the program's time, duration x threads in seconds; `all_of_them` is the option that
    shows all.
    """
    ranked = sorted(range(len(paths)), key=lambda i: (-paths[i].inclusive, i))
    kept_paths = tuple(paths[i] for i in sorted(ranked[:count]))
    notes = []
    if len(kept_paths) < len(paths):
        most_of_them = percent(share(paths[ranked[count]].inclusive, total))
        most_share = most_of_them if most_of_them[0] == "<" else f"at most {most_of_them}"
        more_paths = number(len(paths) - len(kept_paths), "more call path")
        notes.append(f"{more_paths} took {most_share} % each; {all_of_them} has them all.")
    if folded:
        notes.append("Some call paths were too deep or too many: their regions stand below none.")
    return kept_paths, notes


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


MOST = 10
"""Paths, those with most time of their own, unless all are asked for."""

_OUTER = 2
_INNER = 8
"""Levels shown of a deep path: the first ones and the last ones."""


def path_profile_section(
    experiment: Experiment, paths: tuple[PathProfile, ...], options: Options, terminal: Terminal
) -> list[str]:
    """Render the tables of the call paths; `paths` are all of the experiment."""
    shown_paths = paths if options.everything and options.top is None else _telling(paths, options)
    above = {path.path.id: path for path in paths}
    lines: list[str] = []
    for path, profile in zip(shown_paths, column_profiles(experiment, shown_paths), strict=True):
        lines += ["", *_leading_to(path, above, terminal)]
        lines += thread_table(profile, options.threads, terminal)
    left = len(paths) - len(shown_paths)
    if left:
        note = f"{number(left, 'more call path')} not shown; --all has them."
        lines += ["", terminal.paint(note, "dim")]
    return lines[1:]


def _telling(paths: Sequence[PathProfile], options: Options) -> tuple[PathProfile, ...]:
    """Select the paths with most exclusive time that the flat profile does not cover: their
    region is on other paths too, or they have children."""
    known = Counter((path.region.id, path.path.task) for path in paths)
    inner = {path.path.above for path in paths}
    telling = [
        i
        for i, path in enumerate(paths)
        if path.path.id in inner or known[path.region.id, path.path.task] > 1
    ]
    telling.sort(key=lambda i: -paths[i].exclusive)
    return tuple(paths[i] for i in sorted(telling[: options.at_most(MOST)]))


def _leading_to(
    path: PathProfile, above: Mapping[str, PathProfile], terminal: Terminal
) -> list[str]:
    """Render a line per level, from the outermost one to the path itself."""
    chain = [path]
    while chain[-1].path.above is not None:
        chain.append(above[chain[-1].path.above])
    chain.reverse()
    marks = branches(range(len(chain)), terminal)
    rows = [
        [
            Cell(path.region.id, "id"),
            Cell(mark + what(path.region, path.path.task)),
            Cell(place(path.region), "dim"),
        ]
        for path, mark in zip(chain, marks, strict=True)
    ]
    rows[-1] = [rows[-1][0], Cell(rows[-1][1].text, "strong"), Cell(rows[-1][2].text)]
    if len(rows) > _OUTER + _INNER + 1:
        left = len(rows) - _OUTER - _INNER
        between = [Cell(""), Cell(f"({number(left, 'level')} not shown)", "dim"), Cell("")]
        rows = [*rows[:_OUTER], between, *rows[-_INNER:]]
    fields = [
        Field("", right=False),
        Field("", right=False, minimum=12, elastic="right"),
        Field("", right=False, minimum=8, elastic="left"),
    ]
    return table(terminal, fields, rows)[1:]
