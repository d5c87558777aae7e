"""The first screen of a report: the run, its time, and the findings that cost most."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Mapping

from pomp_clang.analysis.overheads import share
from pomp_clang.analysis.properties import PropertyFinding, lasting
from pomp_clang.experiment.model import Experiment, Region
from pomp_clang.report.model import ProfileReport
from pomp_clang.report.options import Options
from pomp_clang.report.phrases import (
    GOOD_PARTS,
    TIME_PARTS,
    brief,
    number,
    percent,
    place,
    thread_count,
    until,
    what,
    wrapped,
)
from pomp_clang.report.run_conditions import RunCondition, run_conditions
from pomp_clang.report.terminal import Terminal, heat, printable
from pomp_clang.report.text.properties import beside
from pomp_clang.report.text.table import Cell, Field, table

FINDINGS = 5
"""The number of findings shown by default."""

LEAST = 0.005
"""Smallest share of the threads' time of a finding that is shown."""

HEADING = "Findings: share of the threads' time, rough gain of run time, place"

NOT_PREDICTED = "- is a gain that is not predicted."

MORE = "All of it: --all. A section: --section callpaths. A page: --format html."

WIDTH = 100
"""Columns of a file or a pipe."""

_WARNINGS = 2
"""Warnings on the screen."""

_WARNING_LINES = 2

_BAR = 24
_ROOMY = 112
_INDENT = " " * 5

PLACE = 10
"""Columns that a place has at least."""

_HEADERS = (".h", ".hh", ".hpp", ".hxx", ".h++", ".ipp", ".tpp", ".txx")
"""Endings of headers' names, whose functions may be called from many places."""


def first_screen(report: ProfileReport, options: Options, terminal: Terminal) -> str:
    """Render the first screen; it has at most 40 lines unless more findings are asked for."""
    warnings = run_conditions(report, report.cost)
    lines = _heading(report, terminal)
    if not any(profile.ran for profile in report.profiles):
        lines += [line for note in warnings for line in wrapped(note.text, terminal.width)]
    else:
        lines += warning_lines(warnings, terminal)
        lines += ["", terminal.paint("Where the threads' time went", "title")]
        lines += time_shares(report.breakdown.parts(), report.breakdown.totalT, terminal)
        lines += ["", *_findings(report, options, terminal)]
    return "\n".join(lines) + "\n"


def _heading(report: ProfileReport, terminal: Terminal) -> list[str]:
    run = report.experiment
    threads = thread_count(run.max_threads, run.threads_at_once)
    usable = run.processors_of_threads
    processors = f" on {number(usable, 'processor')}" if usable else ""
    duration = until(lasting(run.duration), run.complete)
    title = f"{run.program}: {duration} with {threads}{processors}"
    command = shlex.join(run.command_line)
    return [
        terminal.paint(shortened(title, terminal), "title"),
        *([terminal.paint(shortened(command, terminal), "dim")] if command else []),
    ]


def shortened(text: str, terminal: Terminal) -> str:
    """Return the printable text on one line of the terminal."""
    return terminal.shorten(printable(text), terminal.width or WIDTH)


def warning_lines(warnings: list[RunCondition], terminal: Terminal) -> list[str]:
    """Render the most severe warnings, of two lines at most each, with the number of the others."""
    first_warnings, width = warnings[:_WARNINGS], terminal.width or WIDTH
    lines = []
    for rank, warning in enumerate(first_warnings, 1):
        is_last = rank == len(first_warnings)
        hidden = len(warnings) - rank if is_last else 0
        more = f" ({hidden} more: --all)" if hidden else ""
        text, room = printable(warning.text), 2 * width
        while len(wrapped_lines := wrapped(text + more, width)) > _WARNING_LINES and room > 0:
            text = brief(printable(warning.text), room, ellipsis=terminal.ellipsis)
            room -= 1
        lines += [terminal.paint(line, warning.role) for line in wrapped_lines]
    return lines


def time_shares(values: Mapping[str, float], total: float, terminal: Terminal) -> list[str]:
    """Render a row per part that took time, of seconds by part; the shares add up to the whole."""
    is_wide = terminal.width is None or terminal.width >= _ROOMY
    fields = [Field("", right=False), Field(""), Field("", right=False, minimum=_BAR)]
    fields += [Field("", right=False)] if is_wide else []
    rows = []
    for part in TIME_PARTS:
        part_of_it = share(values.get(part.key, 0.0), total)
        if part_of_it < 0.0005:
            continue
        role = "" if part.key in GOOD_PARTS else heat(part_of_it)
        cells = [Cell(f"  {part.name}"), Cell(f"{percent(part_of_it)} %", role)]
        cells += [Cell(terminal.bar(part_of_it, _BAR), role)]
        rows.append([*cells, *([Cell(part.meaning, "dim")] if is_wide else [])])
    return table(terminal, fields, rows)[1:]


def _findings(report: ProfileReport, options: Options, terminal: Terminal) -> list[str]:
    """Render the findings that cost most, three lines each, and what more there is."""
    large = [finding for finding in report.findings if finding.share >= LEAST]
    shown_findings = large[: options.at_most(FINDINGS)]
    threads = max(1, report.analysis.threads)
    lines = []
    if shown_findings:
        lines.append(terminal.paint(HEADING, "title"))
    else:
        lines.append(f"No finding takes {percent(LEAST)} % of the threads' time.")
    advised: set[str] = set()
    for rank, ranked in enumerate(shown_findings, 1):
        advice = "" if ranked.advice in advised else ranked.advice
        amounts = ranked.share, ranked.gain(threads)
        lines += finding_lines(rank, ranked, amounts, ranked.text, advice, terminal)
        advised.add(ranked.advice)
    if any(ranked.gain(threads) is None for ranked in shown_findings):
        lines += ["", terminal.paint(NOT_PREDICTED, "dim")]
    more_findings = len(report.findings) - len(shown_findings)
    callers = how_to_see_callers(report.experiment, shown_findings)
    return [*lines, "", *further(report.experiment.directory, more_findings, terminal, callers)]


def how_to_see_callers(run: Experiment, findings: Iterable[PropertyFinding]) -> str:
    """Return how to tell the callers of a header's function apart, if findings are there, and no
    functions are measured; else ""."""
    if any(region.kind == "function" for region in run.regions):
        return ""
    regions = [
        finding.profile.region for finding in findings if finding.profile and not finding.labels
    ]
    for region in regions:
        if region.function and region.file.endswith(_HEADERS):
            return f"Callers of {printable(region.function)}: build with --pomp-functions=auto."
    return ""


def finding_lines(
    rank: int,
    finding: PropertyFinding,
    amounts: tuple[float, float | None],
    reason: str,
    advice: str,
    terminal: Terminal,
) -> list[str]:
    """Render a finding in three lines at most: share, gain in seconds ("-" if it is not predicted), name
    and place; the reason; the advice, unless empty."""
    portion, gain = amounts
    saving = "-" if gain is None else lasting(gain)
    text = f"{rank:2}. {percent(portion):>5} %  {saving:>7}"
    room = (terminal.width or WIDTH) - len(text) - len(finding.title) - 4
    head = f"{terminal.paint(text, heat(portion))}  {terminal.paint(finding.title, 'strong')}  "
    region_count = f"{number(finding.regions, 'region')}, the worst " if finding.is_combined else ""
    if region_count and len(region_count) + PLACE > room:
        head += number(finding.regions, "region")
    else:
        region = finding.profile.region if finding.profile else None
        kernel = f"{printable(finding.labels[0][0])}  " if finding.labels else region_count
        if finding.serial:
            head += terminal.shorten_place(beside(finding.serial[0], {}), max(PLACE, room))
        else:
            named = _region_and_place(region, max(PLACE, room - len(kernel)), terminal)
            room -= len(kernel) + len(named)
            head += kernel + named + main_caller(finding.callers, finding.severity, room)
    lines = [head]
    room = (terminal.width or WIDTH) - len(_INDENT)
    lines.append(_INDENT + brief(reason, room, ellipsis=terminal.ellipsis))
    if advice:
        lines.append(
            _INDENT
            + terminal.paint(brief(advice, room, is_advice=True, ellipsis=terminal.ellipsis), "dim")
        )
    return lines


def main_caller(callers: Iterable[tuple[str, float]], severity: float, room: int) -> str:
    """Name the caller that has most of the cost, if it has half of it, and there is room."""
    name, cost = max(callers, key=lambda caller: caller[1], default=("", 0.0))
    text = f"  from {printable(name)}"
    return text if cost >= severity / 2 and name and len(text) <= room else ""


def _region_and_place(region: Region | None, room: int, terminal: Terminal) -> str:
    """Name a region by kind and place, or by its place alone where both have no room."""
    if region is None:
        return "the program"
    both = f"{what(region)}  {place(region)}"
    return both if len(both) <= room else terminal.shorten_place(place(region), room)


def further(directory: str, findings: int, terminal: Terminal, callers: str = "") -> list[str]:
    """Say how to see more of a run, and `callers`, how to tell these apart."""
    from pomp_clang.trace.layout import is_recorded

    hints = [f"{number(findings, 'more finding')}: --section properties."] if findings else []
    if is_recorded(directory):
        verb = f"pomp-clang analyze {shlex.quote(directory)}"
        hints.append(f"Root causes and predicted gains: {verb}")
    else:
        hints.append("Predicted gains: run with POMP_TRACE=1, then pomp-clang analyze.")
    hints += [callers] if callers else []
    line = " ".join(hints)
    lines = [line] if len(line) <= (terminal.width or WIDTH) else hints
    lines.append(MORE)
    return [terminal.paint(shortened(line, terminal), "dim") for line in lines]
