"""The columns of call paths as text, for each thread: ompP's call-graph region profiles."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from pomp_clang.analysis.callpaths import PathProfile
from pomp_clang.analysis.path_columns import column_profiles
from pomp_clang.experiment.model import Experiment
from pomp_clang.report.options import Options
from pomp_clang.report.table import Cell, Field, table
from pomp_clang.report.terminal import Terminal
from pomp_clang.report.text_callpaths import branches
from pomp_clang.report.text_profile import thread_table
from pomp_clang.report.wording import number, place, what

MOST = 10
"""Paths, those with most time of their own, unless all are asked for."""

_OUTER = 2
_INNER = 8
"""Of what leads to a deep path, the first and the last are shown."""


def path_profile_section(
    experiment: Experiment, paths: tuple[PathProfile, ...], options: Options, terminal: Terminal
) -> list[str]:
    """`paths` are all of the experiment."""
    shown = paths if options.everything else _telling(paths)
    above = {path.path.id: path for path in paths}
    lines: list[str] = []
    for path, profile in zip(shown, column_profiles(experiment, shown), strict=True):
        lines += ["", *_leading_to(path, above, terminal)]
        lines += thread_table(profile, options.threads, terminal)
    left = len(paths) - len(shown)
    if left:
        note = f"{number(left, 'more call path')} not shown; --all has them."
        lines += ["", terminal.paint(note, "dim")]
    return lines[1:]


def _telling(paths: Sequence[PathProfile]) -> tuple[PathProfile, ...]:
    """Those with most time of their own whose values are not all in the flat profile: others
    lead to their region too, or something stands below."""
    known = Counter((path.region.id, path.path.task) for path in paths)
    inner = {path.path.above for path in paths}
    telling = [
        i
        for i, path in enumerate(paths)
        if path.path.id in inner or known[path.region.id, path.path.task] > 1
    ]
    telling.sort(key=lambda i: -paths[i].exclusive)
    return tuple(paths[i] for i in sorted(telling[:MOST]))


def _leading_to(
    path: PathProfile, above: Mapping[str, PathProfile], terminal: Terminal
) -> list[str]:
    """A line for each level, from the outermost to the path itself."""
    chain = [path]
    while chain[-1].path.above is not None:
        chain.append(above[chain[-1].path.above])
    chain.reverse()
    marks = branches(range(len(chain)), terminal)
    rows = [
        [
            Cell(each.region.id, "id"),
            Cell(mark + what(each.region, each.path.task)),
            Cell(place(each.region), "dim"),
        ]
        for each, mark in zip(chain, marks, strict=True)
    ]
    rows[-1] = [rows[-1][0], Cell(rows[-1][1].text, "strong"), Cell(rows[-1][2].text)]
    if len(rows) > _OUTER + _INNER + 1:
        left = len(rows) - _OUTER - _INNER
        between = [Cell(""), Cell(f"({number(left, 'level')} not shown)", "dim"), Cell("")]
        rows = [*rows[:_OUTER], between, *rows[-_INNER:]]
    fields = [
        Field("", right=False),
        Field("", right=False, least=12, elastic="right"),
        Field("", right=False, least=8, elastic="left"),
    ]
    return table(terminal, fields, rows)[1:]
