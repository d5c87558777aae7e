"""What became of the causes from one run to another."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from pomp_clang.analysis.properties import lasting
from pomp_clang.causes.cube import Cube
from pomp_clang.causes.show_text import qualified, where
from pomp_clang.report.terminal import Terminal, printable
from pomp_clang.report.wording import number

_NOTHING = 0.001
"""Of the longer run's duration: what changed less is left out."""


def render(before: Cube, after: Cube, change: Cube, terminal: Terminal, most: int) -> str:
    """`change` is what the second has beyond the first."""
    lines = [*_heading(before, after, terminal), "", *_changes(before, after, change, most)]
    return "\n".join(line.rstrip() for line in lines) + "\n"


def _heading(before: Cube, after: Cube, terminal: Terminal) -> Iterator[str]:
    took = f"{lasting(after.duration)} with {number(len(after.threads), 'thread')}"
    was = f"{lasting(before.duration)} with {number(len(before.threads), 'thread')}"
    yield terminal.paint(printable(f"{after.program}: {took}, before {was}"), "title")


def _changes(before: Cube, after: Cube, change: Cube, most: int) -> Iterator[str]:
    least = _NOTHING * max(before.duration, after.duration)
    found = [
        (float(seconds), row, int(path))
        for row, metric in enumerate(change.metrics)
        if metric.remedy and metric.unit == "s"
        for path, seconds in enumerate(change.dense(row).sum(axis=1))
        if abs(seconds) >= least
    ]
    if not found:
        yield "No cause takes more or less than before."
        return
    found.sort(key=lambda each: (-abs(each[0]), each[1], each[2]))
    for seconds, row, path in found[:most]:
        sign = "-" if seconds < 0 else "+"
        name = " ".join(qualified(change.metric_path(row)))
        yield f"{sign}{lasting(abs(seconds)):>8}  {name}"
        for line in where(change, path):
            yield f"           {line}"
    yield ""
    total = float(np.sum([each[0] for each in found]))
    yield f"All {number(len(found), 'change')} together: {'-' if total < 0 else '+'}{lasting(abs(total))} of the threads' time."
