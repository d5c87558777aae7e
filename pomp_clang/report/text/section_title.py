"""Sections with their titles."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from pomp_clang.report.sections import ReportSection, selected
from pomp_clang.report.terminal import Terminal

T = TypeVar("T")

_WITHOUT = "The run has no data for this section."

_RULE = 72


def section_title(text: str, terminal: Terminal) -> list[str]:
    """Render a section's title with a rule on both sides."""
    length = min(_RULE, terminal.width or _RULE)
    rule = terminal.rule(length - len(text) - 4)
    return [terminal.paint(f"{terminal.rule(2)} {text} {rule}", "title")]


def render_sections(
    rows: Sequence[ReportSection[T]],
    context: T,
    names: Sequence[str],
    terminal: Terminal,
    first: Sequence[str] = (),
) -> str:
    """Render the named sections, or those with data, below the lines `first`."""
    lines = [*first]
    for row in selected(rows, names):
        body = row.render(context) if row.applies(context) else []
        if body or names:
            lines += ["", *section_title(row.title, terminal), "", *(body or [_WITHOUT])]
    return "\n".join(lines).lstrip("\n") + "\n"


def render_screen(
    rows: Sequence[ReportSection[T]],
    context: T,
    names: Sequence[str],
    terminal: Terminal,
    hint: str,
) -> str:
    """Render the named sections below short titles, and the line `hint`."""
    lines: list[str] = []
    for row in selected(rows, names):
        if row.applies(context):
            lines += ["", terminal.paint(row.title, "title"), *row.render(context)]
    lines += ["", terminal.paint(hint, "dim")]
    return "\n".join(lines).lstrip("\n") + "\n"
