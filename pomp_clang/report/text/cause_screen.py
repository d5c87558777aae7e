"""The first screen of the causes: the properties of time, and the findings that cost most."""

from __future__ import annotations

import shlex
from collections import defaultdict
from collections.abc import Iterable, Sequence

from pomp_clang.analysis.properties import lasting
from pomp_clang.analysis.properties.callers import by_caller
from pomp_clang.causes.cube.cube import Cube, common_folder, named_from
from pomp_clang.causes.findings.finding import Finding, finding_title, full_advice, tasks_of
from pomp_clang.report.phrases import brief, number, percent
from pomp_clang.report.run_conditions import RunCondition
from pomp_clang.report.terminal import Terminal, heat, printable
from pomp_clang.report.text.causes import (
    before_text,
    further_of,
    gains_nothing,
    heading,
    place_text,
    share_of,
    tree,
)
from pomp_clang.report.text.first_screen import (
    FINDINGS,
    LEAST,
    NOT_PREDICTED,
    PLACE,
    WIDTH,
    main_caller,
    shortened,
    warning_lines,
)

_MOST_ROWS = 14
"""Rows of the tree of properties; deeper levels are left out for it."""

_MOST_LINES, _GAPS = 40, 3
"""Lines of the screen, and the empty ones between its parts; rows of the tree are left out for them."""

_INDENT = " " * 5


def cause_screen(
    cube: Cube,
    findings: Sequence[Finding],
    terminal: Terminal,
    notes: Sequence[RunCondition],
    directory: str | None,
    top: int | None = None,
) -> str:
    """Render one screen; it has more findings than five if `top` says so.

    `directory` is the experiment if its page has a timeline.
    """
    cube = named_from(cube, common_folder(cube))
    heads = [shortened_title(cube, terminal), *warning_lines(list(notes), terminal)]
    worst = worst_in_short(cube, findings, terminal, top)
    hints = ["All of it: --all. A section: --section findings."]
    if directory is None:
        hints[0] += " A page: --format html."
    else:
        hints.append(f"A page: pomp-clang report {shlex.quote(directory)} --format html")
    if len(line := " ".join(hints)) <= (terminal.width or WIDTH):
        hints = [line]
    hints = [terminal.paint(shortened(line, terminal), "dim") for line in hints]
    rows = list(tree(cube, terminal, _MOST_ROWS))
    excess = len([*heads, *rows, *worst, *hints]) + _GAPS - _MOST_LINES
    if excess > 0 and top is None:
        rows = list(tree(cube, terminal, max(1, _MOST_ROWS - excess)))
    lines = [*heads, *(["", *rows] if rows else []), "", *worst, "", *hints]
    return "\n".join(line.rstrip() for line in lines) + "\n"


def shortened_title(cube: Cube, terminal: Terminal) -> str:
    return terminal.paint(shortened(heading(cube), terminal), "title")


def worst_in_short(
    cube: Cube,
    findings: Sequence[Finding],
    terminal: Terminal,
    top: int | None = None,
    section: str = "findings",
) -> list[str]:
    """Render the first findings in three lines each at most: place, reason, advice. `section` is
    the one with the others."""
    findings = [finding for finding in findings if _is_notable(cube, finding)]
    if not findings:
        return ["No finding takes 0.5 % of the threads' time."]
    shown_findings = findings[: FINDINGS if top is None else top]
    title = "Findings: share of the threads' time, predicted gain of run time, place"
    lines = [terminal.paint(title, "title")]
    tasks = tasks_of(cube)
    advised: set[str] = set()
    for rank, ranked in enumerate(shown_findings, 1):
        advice = full_advice(cube, ranked, tasks)
        lines += _finding(rank, cube, ranked, "" if advice in advised else advice, terminal)
        advised.add(advice)
    if any(finding.gain is None for finding in shown_findings):
        lines += ["", terminal.paint(NOT_PREDICTED, "dim")]
    if len(findings) > len(shown_findings):
        more_findings = number(len(findings) - len(shown_findings), "more finding")
        lines += ["", terminal.paint(f"{more_findings}: --section {section}.", "dim")]
    return lines


def _is_notable(cube: Cube, finding: Finding) -> bool:
    """Return whether a finding takes a notable share of the threads' time or would gain one."""
    gain = (finding.gain or 0.0) / cube.duration if cube.duration > 0 else 0.0
    return max(share_of(cube, finding), gain) >= LEAST


def _called_from(cube: Cube, finding: Finding) -> str:
    """Return a function of MPI with the function that calls it most expensively; "" for any other place,
    and if the line of the call is known."""
    called, above = cube.paths[finding.path], cube.paths[cube.paths[finding.path].above]
    if called.kind != "function" or called.file or above.kind != "function" or above.file:
        return ""
    others = len({cube.paths[path].above for path, _ in finding.paths}) - 1
    return printable(f"{called.name} in {above.name}" + (f" and {others} more" if others else ""))


def _callers(cube: Cube, finding: Finding) -> Iterable[tuple[str, float]]:
    """Return the functions from which the finding's construct is reached, if there are several, and
    seconds."""
    by_functions: dict[tuple[str, ...], float] = defaultdict(float)
    for path, severity in () if finding.is_combined or finding.serial else finding.paths:
        above = [cube.paths[row] for row in reversed(cube.call_path(path)[:-1])]
        names = (
            place.name for place in above if place.kind in ("function", "region") and place.file
        )
        by_functions[tuple(names)] += severity
    return by_caller(by_functions).items()


def _finding(rank: int, cube: Cube, finding: Finding, advice: str, terminal: Terminal) -> list[str]:
    metric = cube.metrics[finding.metric]
    share = share_of(cube, finding)
    useless = gains_nothing(cube, finding.gain)
    gain = "-" if finding.gain is None else "none" if useless else lasting(finding.gain)
    name = finding_title(cube, finding)
    amounts = f"{rank:2}. {percent(share):>5} %  {gain:>7}"
    width = terminal.width or WIDTH
    place = _called_from(cube, finding) or place_text(cube, finding.path)
    if finding.serial:
        before = before_text(cube, finding.serial[0][0])
        place = f"{place}, {before}" if finding.path else before
    if finding.is_combined:
        worst = cube.paths[finding.path]
        places = number(len({part.path for part in finding.parts}), "place")
        place = printable(f"{places}, the worst {worst.file}:{worst.line}")
        if len(place) > width - len(amounts) - len(name) - 4:
            place = places
    room = width - len(amounts) - len(name) - 4
    place = terminal.shorten_place(place, max(PLACE, room))
    place += main_caller(_callers(cube, finding), finding.severity, room - len(place))
    head = f"{terminal.paint(amounts, heat(share))}  {terminal.paint(name, 'strong')}  {place}"
    room = width - len(_INDENT)
    reason = f"{finding.reason or metric.description} {further_of(cube, finding)}".strip()
    if useless:
        reason = f"The program waits for something else as well. {reason}"
    lines = [head, _INDENT + brief(reason, room, ellipsis=terminal.ellipsis)]
    if advice and not useless:
        lines.append(
            _INDENT
            + terminal.paint(brief(advice, room, is_advice=True, ellipsis=terminal.ellipsis), "dim")
        )
    return lines
