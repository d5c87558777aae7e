"""The causes as a person reads them: the tree of properties, and the worst causes in sentences."""

from __future__ import annotations

import math
import shlex
import textwrap
from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt

from pomp_clang.analysis.properties import lasting
from pomp_clang.analysis.property_titles import tree_title
from pomp_clang.analysis.task_size import TaskEvidence
from pomp_clang.causes.cube.cube import Cube, common_folder, named_from
from pomp_clang.causes.cube.instance_statistics import Instance, Partner
from pomp_clang.causes.findings.finding import (
    Finding,
    finding_title,
    full_advice,
    tasks_of,
    title_of,
)
from pomp_clang.causes.run.serial_parts import AFTER_LAST
from pomp_clang.causes.timeline.places import Thread
from pomp_clang.report.phrases import (
    AFTER_LAST_REGION,
    longest_parts,
    number,
    percent,
    thread_count,
    until,
    wrapped,
)
from pomp_clang.report.run_conditions import RunCondition
from pomp_clang.report.terminal import Terminal, heat, printable

_WIDTH = 100
_GREY = 0.005
"""Shares of the time below it are no finding: EXPERT's presenter has them in grey."""

_LABEL, _BAR, _AMOUNTS = 34, 20, 21
"""Columns of the tree: its titles at least, its bars at most, and its figures with their gaps."""

_MOST_THREADS = 8

_MOST_PATHS = 5
"""Call paths of a statement that are listed."""


def render(
    cube: Cube,
    findings: list[Finding],
    terminal: Terminal,
    notes: tuple[RunCondition, ...],
    directory: str | None = None,
    sections: tuple[str, ...] = (),
) -> str:
    """Render the sections, or all of them, as text; files are named from the folder of all sources.
    If `directory` has a timeline, say how to see the worst instance."""
    folder = common_folder(cube)
    cube = named_from(cube, folder)
    lines: list[str] = []
    if "general" in sections or not sections:
        lines += _heading(cube, folder, terminal)
        lines += [line for note in notes for line in wrapped(printable(note.text), _WIDTH)]
    if "properties" in sections or not sections:
        rows = list(tree(cube, terminal))
        lines += ["", *rows] if rows else []
    if "findings" in sections or not sections:
        lines += ["", *worst_findings(cube, findings, terminal)]
        lines += _look(findings, directory) if directory is not None else ()
    if not lines[0]:
        del lines[0]
    return "\n".join(line.rstrip() for line in lines) + "\n"


SECTIONS = ("general", "properties", "findings")
"""The names of the sections, in their order."""


def heading(cube: Cube) -> str:
    """Return the program, its duration and its threads."""
    threads = thread_count(len(cube.threads), cube.width)
    processes = len({thread.process for thread in cube.threads})
    title = f"{cube.program}: {until(lasting(cube.duration), cube.complete)} with {threads}"
    if processes > 1:
        title += f" in {number(processes, 'process')}; thread P.N is thread N of process P"
    return title


def _heading(cube: Cube, folder: str, terminal: Terminal) -> Iterator[str]:
    yield terminal.paint(printable(heading(cube)), "title")
    if folder:
        yield terminal.paint(printable(f"Sources: {folder}"), "dim")


def tree(cube: Cube, terminal: Terminal, limit: int | None = None) -> Iterator[str]:
    """Yield the properties of time in the order of their tree, without those below 0.5 %.

    With more than `limit` rows the deepest levels are left out.
    """
    totals = cube.totals()
    shares = totals / cube.reserved if cube.reserved > 0 else np.zeros(len(totals))
    depths = [len(cube.metric_path(row)) for row in range(len(cube.metrics))]
    is_time = [cube.metric_path(row)[0] == "Time" for row in range(len(cube.metrics))]
    metric_rows = [row for row in _in_tree_order(cube) if is_time[row] and shares[row] >= _GREY]
    if not metric_rows:
        return
    outermost = min(depths[row] for row in metric_rows)
    while limit is not None and len(metric_rows) > limit:
        deepest = max(depths[row] for row in metric_rows)
        if deepest == outermost:
            break
        metric_rows = [row for row in metric_rows if depths[row] < deepest]
    rows = []
    for row in metric_rows:
        metric, indent = cube.metrics[row], "  " * (depths[row] - outermost + 1)
        role = heat(float(shares[row])) if metric.remedy else ""
        title = tree_title(cube.metric_path(row))
        rows.append((indent + printable(title), float(totals[row]), role))
        if metric.name == "Execution":
            rows.append((f"{indent}  Computing", _computing(cube, totals, row), ""))
    yield terminal.paint("Where the threads' time goes", "title")
    width = max(_LABEL, *(len(label) for label, _, _ in rows))
    for label, time, role in rows:
        share = time / cube.reserved
        bar = terminal.bar(share, min(_BAR, (terminal.width or _WIDTH) - width - _AMOUNTS))
        line = f"{label:{width}} {lasting(time):>9} {percent(share):>6} %  {bar}"
        yield terminal.paint(line, role)


def _in_tree_order(cube: Cube) -> list[int]:
    """Return the rows of the properties, each before its parts and these before its next sibling."""
    parts: dict[int, list[int]] = {}
    for row, metric in enumerate(cube.metrics):
        parts.setdefault(metric.above, []).append(row)
    order: list[int] = []
    waiting = parts.get(-1, [])[::-1]
    while waiting:
        order.append(waiting.pop())
        waiting += parts.get(order[-1], [])[::-1]
    return order


def _computing(cube: Cube, totals: npt.NDArray[np.float64], row: int) -> float:
    """Return the time in the program's own code: what the parts of execution leave."""
    parts = sum(totals[part] for part, metric in enumerate(cube.metrics) if metric.above == row)
    return max(0.0, float(totals[row] - parts))


def worst_findings(cube: Cube, findings: Sequence[Finding], terminal: Terminal) -> Iterator[str]:
    """Yield the lines of the findings, the most costly first."""
    shown_findings = large(cube, findings)
    if not shown_findings:
        yield "No cause takes as much as 0.5 % of the threads' time."
        return
    causes = f"{len(shown_findings)} causes" if len(shown_findings) > 1 else "cause"
    yield terminal.paint(f"The worst {causes}", "title")
    tasks = tasks_of(cube)
    for place, finding in enumerate(shown_findings, 1):
        yield ""
        yield from _cause(place, cube, finding, tasks, terminal)


def large(cube: Cube, findings: Sequence[Finding]) -> list[Finding]:
    """Select the findings of 0.5 % of a thread's time or more."""
    return [finding for finding in findings if share_of(cube, finding) >= _GREY / len(cube.threads)]


def share_of(cube: Cube, finding: Finding) -> float:
    """Return the share of the threads' time."""
    return finding.severity / cube.reserved if cube.reserved > 0 else 0.0


def _cause(
    place: int, cube: Cube, finding: Finding, tasks: TaskEvidence | None, terminal: Terminal
) -> Iterator[str]:
    metric = cube.metrics[finding.metric]
    share = share_of(cube, finding)
    name = finding_title(cube, finding)
    loss = f"{lasting(finding.severity)}, {percent(share)} % of the threads' time"
    yield f"{place:2}. " + terminal.paint(f"{name}: {loss}", heat(share) or "strong")
    for line in place_and_path(cube, finding.path):
        yield f"      {line}"
    yield from _other_paths(cube, finding)
    yield from _parts(cube, finding)
    yield from _wrapped(f"{_threads(cube, finding)} {finding.reason or metric.description}")
    if often := further_of(cube, finding):
        yield from _wrapped(often)
    yield from _wrapped(_gain(cube, finding.gain))
    advice = full_advice(cube, finding, tasks)
    if advice and not gains_nothing(cube, finding.gain):
        yield from _wrapped(advice)


def _other_paths(cube: Cube, finding: Finding) -> Iterator[str]:
    """Yield the further call paths of the same statement with their severity."""
    for path, severity in finding.paths[1:_MOST_PATHS]:
        way = " > ".join(place_text(cube, row) for row in cube.call_path(path)[:-1])
        yield f"      and {lasting(severity)} in {way or cube.paths[0].name}"
    if len(finding.paths) > _MOST_PATHS:
        yield f"      and {number(len(finding.paths) - _MOST_PATHS, 'call path')} more"


def _parts(cube: Cube, finding: Finding) -> Iterator[str]:
    """Yield the costliest parts of a finding, with their properties and places."""
    for part in finding.parts[:_MOST_PATHS]:
        name = title_of(cube, part.metric, part.path)
        yield f"      {lasting(part.severity)}: {name}, {place_text(cube, part.path)}"
    if len(finding.parts) > _MOST_PATHS:
        yield f"      and {number(len(finding.parts) - _MOST_PATHS, 'part')} more"


def place_and_path(cube: Cube, path: int) -> Iterator[str]:
    """Yield the place of a call path, and then the path that leads to it."""
    rows = cube.call_path(path)
    yield f"at {place_text(cube, rows[-1])}"
    if len(rows) > 1:
        yield "in " + " > ".join(place_text(cube, row) for row in rows[:-1])


def place_text(cube: Cube, row: int) -> str:
    """Return the name of a call path's last region: "critical (queue) a.c:30"."""
    place = cube.paths[row]
    if not row:
        return printable(f"{place.name}, outside all regions")
    named = place.kind in ("function", "region")
    kind = f"{place.kind} {place.name}" if named else place.kind
    if place.name and not named:
        kind += f" ({place.name})"
    return printable(f"{kind} {place.file}:{place.line}" if place.file else kind)


def _threads(cube: Cube, finding: Finding) -> str:
    rows = np.flatnonzero(finding.threads)
    is_job = len({thread.process for thread in cube.threads}) > 1
    if len(rows) > _MOST_THREADS:
        minimum, maximum = finding.threads[rows].min(), finding.threads[rows].max()
        slowest = _thread(cube.threads[int(np.argmax(finding.threads))], is_job)
        spread = f"{lasting(float(minimum))} to {lasting(float(maximum))} each"
        return f"{len(rows)} threads lose {spread}, {slowest} most."
    parts = [
        f"{_thread(cube.threads[row], is_job)} {lasting(float(finding.threads[row]))}"
        for row in rows
    ]
    return f"Lost by {', '.join(parts)}."


def _thread(thread: Thread | Instance | Partner, is_job: bool) -> str:
    """Return a thread's name, with the process's number if there are several processes."""
    return f"thread {thread.process}.{thread.thread}" if is_job else f"thread {thread.thread}"


def further_of(cube: Cube, finding: Finding) -> str:
    """Return the sentences behind a finding's own: the parts of serial time, and the instances."""
    return f"{serial_sentence(cube, finding)} {instances_of(cube, finding)}".strip()


def serial_sentence(cube: Cube, finding: Finding) -> str:
    """Return the sentence with the longest parts of serial time; "" if they are not known."""
    return longest_parts(
        [(seconds, before_text(cube, before)) for before, seconds in finding.serial]
    )


def before_text(cube: Cube, before: int) -> str:
    """Name the place of serial time by the parallel region that follows."""
    if before == AFTER_LAST:
        return AFTER_LAST_REGION
    place = cube.paths[before]
    return printable(f"before {place.file}:{place.line}")


def instances_of(cube: Cube, finding: Finding) -> str:
    """Return a sentence on the number of instances and the worst one, with the region of the
    awaited MPI call; "" if the instances are not known."""
    spread = finding.statistics
    if spread is None or not finding.instances:
        return ""
    worst = finding.instances[0]
    is_job = len({thread.process for thread in cube.threads}) > 1
    begin, end = moments(worst)
    sentence = f"{lasting(worst.severity)} on {_thread(worst, is_job)}, from {begin} to {end} s"
    if worst.partner is not None:
        rows = cube.call_path(worst.partner.path)[:-3:-1]
        place = " in ".join(place_text(cube, row) for row in rows)
        sentence += f", for {_thread(worst.partner, is_job)}: {place}"
    path_note = " on the costliest path" if len(finding.paths) > 1 else ""
    if spread.count == 1:
        return f"Once{path_note}: {sentence}."
    usual = f"median {lasting(spread.median)}, mean {lasting(spread.mean)}"
    return f"{spread.count} instances{path_note}, {usual}. The worst: {sentence}."


def moments(instance: Instance) -> tuple[str, str]:
    """Return begin and end of an instance in seconds, with decimals for a hundredth of its
    duration."""
    length = instance.end - instance.begin
    decimals = 9 if length <= 0 else min(9, max(2, 2 - math.floor(math.log10(length))))
    return f"{instance.begin:.{decimals}f}", f"{instance.end:.{decimals}f}"


def _look(findings: Sequence[Finding], directory: str) -> Iterator[str]:
    """Yield the command that shows the worst instance of the first finding that has instances."""
    with_instances = next((finding for finding in findings if finding.instances), None)
    if with_instances is None:
        return
    begin, end = moments(with_instances.instances[0])
    yield ""
    yield f"The worst instance of cause {findings.index(with_instances) + 1} on the time line of a page:"
    verb = f"pomp-clang report {shlex.quote(directory)} --format html -o causes.html"
    yield f"{verb} --from {begin} --to {end}"


def gains_nothing(cube: Cube, gain: float | None) -> bool:
    """Return whether the prediction rules out that the advice would help."""
    return gain is not None and gain <= 0.001 * cube.duration


def _gain(cube: Cube, gain: float | None) -> str:
    if gain is None:
        return "The gain is not predicted."
    share = gain / cube.duration if cube.duration > 0 else 0.0
    if gains_nothing(cube, gain):
        return "Removing it would save no time: the program waits for something else."
    return f"Removing it would save {lasting(gain)} ({percent(share)} % of the run time)."


def _wrapped(text: str) -> list[str]:
    indent = " " * 6
    return textwrap.wrap(text, _WIDTH, initial_indent=indent, subsequent_indent=indent)
