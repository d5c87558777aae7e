"""The changes of the causes from one run to another, as text."""

from __future__ import annotations

from collections.abc import Iterator

from pomp_clang.analysis.properties import lasting
from pomp_clang.causes.cube.instance_statistics import Statistics
from pomp_clang.causes.findings.finding import title_of
from pomp_clang.causes.findings.findings import CauseChange, CubeChanges
from pomp_clang.report.phrases import number, until
from pomp_clang.report.terminal import Terminal, printable
from pomp_clang.report.text.causes import place_and_path


def render(changes: CubeChanges, terminal: Terminal, limit: int) -> str:
    """Render at most `limit` changes as text, the largest first; places are named as in the
    cubes."""
    lines = [*_heading(changes, terminal), "", *_changes(changes, limit)]
    return "\n".join(line.rstrip() for line in lines) + "\n"


def name_of(changes: CubeChanges, change: CauseChange) -> str:
    return title_of(changes.after, change.metric, change.path)


def _heading(changes: CubeChanges, terminal: Terminal) -> Iterator[str]:
    before, after = changes.before, changes.after
    duration = (
        f"{until(lasting(after.duration), after.complete)} with {_threads(changes.threads_after)}"
    )
    was = f"{until(lasting(before.duration), before.complete)} with {_threads(changes.threads_before)}"
    yield terminal.paint(printable(f"{after.program}: {duration}, before {was}"), "title")


def _threads(count: int) -> str:
    return number(count, "thread")


def _changes(changes: CubeChanges, limit: int) -> Iterator[str]:
    if not changes.changes:
        yield "No cause takes more or less than before."
        return
    are_known = changes.before.instances is not None and changes.after.instances is not None
    for change in changes.changes[:limit]:
        yield f"{signed(change.delta, 8)}  {name_of(changes, change)}"
        for line in place_and_path(changes.after, change.path):
            yield f"           {line}"
        if are_known and (change.statistics_before or change.statistics_after):
            yield f"           {_instances(change.statistics_after)}; before {_instances(change.statistics_before)}"
    yield ""
    total = f"All {number(len(changes.changes), 'change')} together: {signed(changes.total)}"
    yield f"{total} of the threads' time."


def _instances(statistics: Statistics | None) -> str:
    if statistics is None:
        return "none"
    times = "once" if statistics.count == 1 else f"{statistics.count} times"
    return f"{times}, {lasting(statistics.most)} at most"


def signed(seconds: float, width: int = 0) -> str:
    """Return a duration with its sign and unit; `width` is without the sign."""
    return f"{'-' if seconds < 0 else '+'}{lasting(abs(seconds)):>{width}}"
