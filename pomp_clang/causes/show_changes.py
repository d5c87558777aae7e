"""What became of the causes from one run to another, as a person reads it."""

from __future__ import annotations

from collections.abc import Iterator

from pomp_clang.analysis.properties import lasting
from pomp_clang.causes.changes import Change, Changes
from pomp_clang.causes.show_text import qualified, where
from pomp_clang.causes.tally import Statistics
from pomp_clang.report.terminal import Terminal, printable
from pomp_clang.report.wording import number, until


def render(changes: Changes, terminal: Terminal, most: int) -> str:
    """At most so many changes, what changed most first; places are named as the cubes name them."""
    lines = [*_heading(changes, terminal), "", *_changes(changes, most)]
    return "\n".join(line.rstrip() for line in lines) + "\n"


def name_of(changes: Changes, each: Change) -> str:
    return " ".join(qualified(changes.after.metric_path(each.metric)))


def _heading(changes: Changes, terminal: Terminal) -> Iterator[str]:
    before, after = changes.before, changes.after
    took = f"{until(lasting(after.duration), after.complete)} with {_threads(changes.now)}"
    was = f"{until(lasting(before.duration), before.complete)} with {_threads(changes.then)}"
    yield terminal.paint(printable(f"{after.program}: {took}, before {was}"), "title")


def _threads(count: int) -> str:
    return number(count, "thread")


def _changes(changes: Changes, most: int) -> Iterator[str]:
    if not changes.found:
        yield "No cause takes more or less than before."
        return
    are_known = changes.before.instances is not None and changes.after.instances is not None
    for each in changes.found[:most]:
        yield f"{signed(each.delta, 8)}  {name_of(changes, each)}"
        for line in where(changes.after, each.path):
            yield f"           {line}"
        if are_known and (each.then or each.now):
            yield f"           {_instances(each.now)}; before {_instances(each.then)}"
    yield ""
    together = f"All {number(len(changes.found), 'change')} together: {signed(changes.total)}"
    yield f"{together} of the threads' time."


def _instances(found: Statistics | None) -> str:
    if found is None:
        return "none"
    times = "once" if found.count == 1 else f"{found.count} times"
    return f"{times}, {lasting(found.most)} at most"


def signed(seconds: float, width: int = 0) -> str:
    """With its unit; `width` is without the sign."""
    return f"{'-' if seconds < 0 else '+'}{lasting(abs(seconds)):>{width}}"
