"""The columns of call paths as text, for each thread: ompP's call-graph region profiles."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from pomp_clang.analysis.callpaths import PathProfile
from pomp_clang.analysis.path_columns import column_profiles
from pomp_clang.experiment.model import Experiment
from pomp_clang.report.options import Options
from pomp_clang.report.phrases import number, place, what
from pomp_clang.report.terminal import Terminal
from pomp_clang.report.text.callpaths import branches
from pomp_clang.report.text.region_profile import thread_table
from pomp_clang.report.text.table import Cell, Field, table

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
