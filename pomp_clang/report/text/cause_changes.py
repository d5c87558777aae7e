"""What became of the causes from one run to another, as a person reads it."""

from __future__ import annotations

from collections.abc import Iterator

from pomp_clang.analysis.properties import lasting
from pomp_clang.causes.cube.instance_statistics import Statistics
from pomp_clang.causes.findings.advice import title_of
from pomp_clang.causes.findings.changes import CauseChange, CubeChanges
from pomp_clang.report.phrases import number, until
from pomp_clang.report.terminal import Terminal, printable
from pomp_clang.report.text.causes import where


def render(changes: CubeChanges, terminal: Terminal, most: int) -> str:
    """Render at most `most` changes as text, the largest first; places are named as in the
    cubes."""
    lines = [*_heading(changes, terminal), "", *_changes(changes, most)]
    return "\n".join(line.rstrip() for line in lines) + "\n"


def name_of(changes: CubeChanges, each: CauseChange) -> str:
    return title_of(changes.after, each.metric, each.path)


def _heading(changes: CubeChanges, terminal: Terminal) -> Iterator[str]:
    before, after = changes.before, changes.after
    took = f"{until(lasting(after.duration), after.complete)} with {_threads(changes.now)}"
    was = f"{until(lasting(before.duration), before.complete)} with {_threads(changes.then)}"
    yield terminal.paint(printable(f"{after.program}: {took}, before {was}"), "title")


def _threads(count: int) -> str:
    return number(count, "thread")


def _changes(changes: CubeChanges, most: int) -> Iterator[str]:
    if not changes.changes:
        yield "No cause takes more or less than before."
        return
    are_known = changes.before.instances is not None and changes.after.instances is not None
    for each in changes.changes[:most]:
        yield f"{signed(each.delta, 8)}  {name_of(changes, each)}"
        for line in where(changes.after, each.path):
            yield f"           {line}"
        if are_known and (each.then or each.now):
            yield f"           {_instances(each.now)}; before {_instances(each.then)}"
    yield ""
    together = f"All {number(len(changes.changes), 'change')} together: {signed(changes.total)}"
    yield f"{together} of the threads' time."


def _instances(found: Statistics | None) -> str:
    if found is None:
        return "none"
    times = "once" if found.count == 1 else f"{found.count} times"
    return f"{times}, {lasting(found.most)} at most"


def signed(seconds: float, width: int = 0) -> str:
    """Return a duration with its sign and unit; `width` is without the sign."""
    return f"{'-' if seconds < 0 else '+'}{lasting(abs(seconds)):>{width}}"
