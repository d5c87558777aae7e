"""The causes as a person reads them: the tree of properties, and the worst causes in sentences."""

from __future__ import annotations

import math
import shlex
import textwrap
from collections.abc import Iterator, Sequence

import numpy as np

from pomp_clang.analysis.properties import lasting
from pomp_clang.causes.cube import Cube
from pomp_clang.causes.findings import Finding
from pomp_clang.causes.places import Thread
from pomp_clang.causes.sources import common_folder, named_from
from pomp_clang.causes.tally import Instance, Partner
from pomp_clang.report.terminal import Terminal, heat, printable
from pomp_clang.report.wording import number, percent, until, wrapped

_WIDTH = 100
_GREY = 0.005
"""Shares of the time below it are no finding: EXPERT's presenter has them in grey."""

_MOST_THREADS = 8


def render(
    cube: Cube,
    found: list[Finding],
    terminal: Terminal,
    notes: tuple[str, ...],
    directory: str | None = None,
) -> str:
    """Places are named from the folder of all sources.  With how to see the worst instance in
    `directory`, where that has a time line."""
    folder = common_folder(cube)
    cube = named_from(cube, folder)
    tree = list(_tree(cube, terminal))
    lines = [
        *_heading(cube, folder, terminal),
        *(line for note in notes for line in wrapped(printable(note), _WIDTH)),
        *(["", *tree] if tree else []),
        "",
        *worst(cube, found, terminal),
        *(_look(found, directory) if directory is not None else ()),
    ]
    return "\n".join(line.rstrip() for line in lines) + "\n"


def _heading(cube: Cube, folder: str, terminal: Terminal) -> Iterator[str]:
    threads = number(len(cube.threads), "thread")
    several = len({each.process for each in cube.threads})
    title = f"{cube.program}: {until(lasting(cube.duration), cube.complete)} with {threads}"
    if several > 1:
        title += f" in {number(several, 'process')}; thread P.N is thread N of process P"
    yield terminal.paint(printable(title), "title")
    if folder:
        yield terminal.paint(printable(f"Sources: {folder}"), "dim")


def _tree(cube: Cube, terminal: Terminal) -> Iterator[str]:
    """Those of time, in the order of the tree; what is less than 0.5 % is left out."""
    totals = cube.totals()
    shares = totals / cube.reserved if cube.reserved > 0 else np.zeros(len(totals))
    depths = [len(cube.metric_path(row)) for row in range(len(cube.metrics))]
    is_time = [cube.metric_path(row)[0] == "Time" for row in range(len(cube.metrics))]
    shown = [row for row, share in enumerate(shares) if is_time[row] and share >= _GREY]
    if not shown:
        return
    outermost = min(depths[row] for row in shown)
    yield terminal.paint("Where the threads' time goes", "title")
    for row in shown:
        metric, share = cube.metrics[row], float(shares[row])
        label = "  " * (depths[row] - outermost + 1) + metric.name
        bar = terminal.bar(share, 20)
        role = heat(share) if metric.remedy else ""
        line = f"{label:34} {lasting(float(totals[row])):>9} {percent(share):>6} %  {bar}"
        yield terminal.paint(line, role)


def worst(cube: Cube, found: Sequence[Finding], terminal: Terminal) -> Iterator[str]:
    """The causes, what costs most first."""
    shown = [each for each in found if _share(cube, each) >= _GREY / len(cube.threads)]
    if not shown:
        yield "No cause takes as much as 0.5 % of the threads' time."
        return
    several = f"{len(shown)} causes" if len(shown) > 1 else "cause"
    yield terminal.paint(f"The worst {several}", "title")
    for place, each in enumerate(shown, 1):
        yield ""
        yield from _cause(place, cube, each, terminal)


def _share(cube: Cube, found: Finding) -> float:
    return found.severity / cube.reserved if cube.reserved > 0 else 0.0


def _cause(place: int, cube: Cube, found: Finding, terminal: Terminal) -> Iterator[str]:
    metric = cube.metrics[found.metric]
    share = _share(cube, found)
    name = " ".join(qualified(cube.metric_path(found.metric)))
    loss = f"{lasting(found.severity)}, {percent(share)} % of the threads' time"
    yield f"{place:2}. " + terminal.paint(f"{name}: {loss}", heat(share) or "strong")
    for line in where(cube, found.path):
        yield f"      {line}"
    yield from _wrapped(f"{_threads(cube, found)} {metric.description}")
    if often := instances_of(cube, found):
        yield from _wrapped(often)
    yield from _wrapped(_gain(cube, found.gain))
    if metric.advice and not _gains_nothing(cube, found.gain):
        yield from _wrapped(metric.advice)


def qualified(names: list[str]) -> list[str]:
    """What a name alone does not tell: "Contention (Critical)"."""
    told = {
        "Wait at Barrier", "Wait for Tasks", "Contention", "Messages in Wrong Order", "Individual",
        "Collective", "Barrier Completion",
    }  # fmt: skip
    return [names[-1], f"({names[-2]})"] if names[-1] in told and len(names) > 1 else [names[-1]]


def where(cube: Cube, path: int) -> Iterator[str]:
    """The place itself, and then how the program came there."""
    rows = cube.call_path(path)
    yield f"at {said_of(cube, rows[-1])}"
    if len(rows) > 1:
        yield "in " + " > ".join(said_of(cube, row) for row in rows[:-1])


def said_of(cube: Cube, row: int) -> str:
    """A call path's own place, as "critical (queue) a.c:30"."""
    place = cube.paths[row]
    if not row:
        return printable(f"{place.name}, outside all regions")
    named = place.kind in ("function", "region")
    word = f"{place.kind} {place.name}" if named else place.kind
    if place.name and not named:
        word += f" ({place.name})"
    return printable(f"{word} {place.file}:{place.line}" if place.file else word)


def _threads(cube: Cube, found: Finding) -> str:
    rows = np.flatnonzero(found.threads)
    several = len({each.process for each in cube.threads}) > 1
    if len(rows) > _MOST_THREADS:
        least, most = found.threads[rows].min(), found.threads[rows].max()
        who = _thread(cube.threads[int(np.argmax(found.threads))], several)
        spread = f"{lasting(float(least))} to {lasting(float(most))} each"
        return f"{len(rows)} threads lose {spread}, {who} most."
    parts = [
        f"{_thread(cube.threads[row], several)} {lasting(float(found.threads[row]))}"
        for row in rows
    ]
    return f"Lost by {', '.join(parts)}."


def _thread(thread: Thread | Instance | Partner, several: bool) -> str:
    """Of several processes with its process."""
    return f"thread {thread.process}.{thread.thread}" if several else f"thread {thread.thread}"


def instances_of(cube: Cube, found: Finding) -> str:
    """How many, and the worst, with the region that the call of MPI that was waited for is in;
    empty where they are not known."""
    spread = found.statistics
    if spread is None or not found.instances:
        return ""
    worst = found.instances[0]
    several = len({each.process for each in cube.threads}) > 1
    begin, end = moments(worst)
    when = f"{lasting(worst.severity)} on {_thread(worst, several)}, from {begin} to {end} s"
    if worst.partner is not None:
        rows = cube.call_path(worst.partner.path)[:-3:-1]
        place = " in ".join(said_of(cube, row) for row in rows)
        when += f", for {_thread(worst.partner, several)}: {place}"
    if spread.count == 1:
        return f"Once: {when}."
    usual = f"{lasting(spread.median)} in the middle, {lasting(spread.mean)} on average"
    return f"{spread.count} times, {usual}. The worst: {when}."


def moments(found: Instance) -> tuple[str, str]:
    """When it began and ended, in seconds that show a hundredth of how long it was."""
    length = found.end - found.begin
    decimals = 9 if length <= 0 else min(9, max(2, 2 - math.floor(math.log10(length))))
    return f"{found.begin:.{decimals}f}", f"{found.end:.{decimals}f}"


def _look(found: Sequence[Finding], directory: str) -> Iterator[str]:
    """How the first of those that have any is seen."""
    of = next((each for each in found if each.instances), None)
    if of is None:
        return
    begin, end = moments(of.instances[0])
    yield ""
    yield f"The worst instance of cause {found.index(of) + 1} on the time line of a page:"
    verb = f"pomp-clang report {shlex.quote(directory)} --format html -o causes.html"
    yield f"{verb} --from {begin} --to {end}"


def _gains_nothing(cube: Cube, gain: float | None) -> bool:
    """Return whether the prediction rules out that the advice would help."""
    return gain is not None and gain <= 0.001 * cube.duration


def _gain(cube: Cube, gain: float | None) -> str:
    if gain is None:
        return "The gain is not predicted."
    share = gain / cube.duration if cube.duration > 0 else 0.0
    if _gains_nothing(cube, gain):
        return "Without it the program would take as long: others are what it waits for."
    return f"Without it the program would be {lasting(gain)} faster, {percent(share)} %."


def _wrapped(text: str) -> list[str]:
    indent = " " * 6
    return textwrap.wrap(text, _WIDTH, initial_indent=indent, subsequent_indent=indent)
