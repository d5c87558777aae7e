"""Sections as rows: a text report is a table of them, from which options select and which are rendered
below their titles."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Sequence
from typing import Generic, TypeVar

from pomp_clang.report.output import ReportError
from pomp_clang.report.terminal import Terminal
from pomp_clang.shared_dataclass import dataclass

T = TypeVar("T")


class UnknownSectionError(ReportError):
    """A section that the report does not have, in one line for a person."""


def _always(_: object) -> bool:
    return True


@dataclass(frozen=True, slots=True)
class ReportSection(Generic[T]):
    """A section of a text report, as `--section` names it.

    `render` returns the lines below the title and `applies` whether the run has data for them; both
    take what the report shows.
    """

    name: str
    title: str
    render: Callable[[T], list[str]]
    applies: Callable[[T], bool] = _always


def selected(
    rows: Sequence[ReportSection[T]], names: Sequence[str]
) -> tuple[ReportSection[T], ...]:
    """Return the named sections in the order of the report, all of them without names.

    Raises UnknownSectionError.
    """
    check_names([row.name for row in rows], names)
    return tuple(row for row in rows if not names or row.name in names)


def check_names(known: Sequence[str], names: Sequence[str]) -> None:
    """Raise UnknownSectionError for a name that is not among the `known` ones."""
    for name in names:
        if name not in known:
            close = difflib.get_close_matches(name, known, 1)
            hint = f" did you mean '{close[0]}'?" if close else ""
            raise UnknownSectionError(
                f"this report has no section '{name}';{hint} sections: {', '.join(dict.fromkeys(known))}"
            )


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
