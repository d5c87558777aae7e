"""Annotations of a source text in an editor.

Hovers show the report's rows for the place under the pointer. Code lenses show the measurement of
each place above it, and its commands. Diagnostics are constructs that cannot be instrumented, and
errors in the filter file. Positions are as the protocol counts them: lines from 0, columns in the
client's units.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from typing import Any

from lsprotocol import types

from pomp_clang.lsp.measured_run import MeasuredRegion, MeasuredRun
from pomp_clang.lsp.place import SourcePlace
from pomp_clang.lsp.session import DocumentView
from pomp_clang.report.phrases import percent
from pomp_clang.report.terminal import Terminal
from pomp_clang.report.text.region_profile import thread_table

Units = Callable[[str], int]
"""Returns the number of the client's units in a piece of a line."""


class DocumentLines:
    """The lines of a document."""

    def __init__(self, text: str, units: Units) -> None:
        self._lines = text.split("\n")
        self._units = units

    def at(self, line: int, column: int) -> types.Position:
        """Return the position of a column that is given in bytes."""
        before = self._text(line).encode("utf-8", "surrogateescape")[:column]
        return types.Position(line, self._units(before.decode("utf-8", "ignore")))

    def end(self, line: int) -> types.Position:
        """Return the position behind the last character of a line."""
        return types.Position(line, self._units(self._text(line).rstrip("\r")))

    def text_range(self, line: int) -> types.Range:
        """Return the range of a line without the blanks at its beginning."""
        text = self._text(line)
        blank = len(text) - len(text.lstrip())
        return types.Range(types.Position(line, self._units(text[:blank])), self.end(line))

    def from_to(self, line: int, column: int, last: int) -> types.Range:
        """Return the range from a column in bytes to the end of a line."""
        return types.Range(self.at(line, column), self.end(last))

    def _text(self, line: int) -> str:
        return self._lines[line] if 0 <= line < len(self._lines) else ""


def hover(
    view: DocumentView, run: MeasuredRun | None, lines: DocumentLines, line: int
) -> types.Hover | None:
    """Build the hover for the places whose directive or head is on a line."""
    places = [place for place in view.places if place.first <= line <= place.head]
    if not places:
        return None
    text = "\n\n---\n\n".join(_place_text(place, view.of(place), run) for place in places)
    place = places[0]
    range_ = lines.from_to(place.first, place.column, place.head)
    return types.Hover(types.MarkupContent(types.MarkupKind.Markdown, text), range_)


def _place_text(
    place: SourcePlace, measured: MeasuredRegion | None, run: MeasuredRun | None
) -> str:
    state = f"{place.state}: {place.why}" if place.why else place.state
    parts = [f"**{_escape_markdown(place.title)}**: {_escape_markdown(state)}"]
    if measured is not None and run is not None:
        parts += _measured(measured, run)
    elif run is not None:
        parts.append(f"Not in the run {_escape_markdown(_name(run))}.")
    return "\n\n".join(parts)


def _measured(measured: MeasuredRegion, run: MeasuredRun) -> list[str]:
    about = f"{measured.brief}; {percent(measured.lost)} % lost"
    still = "" if run.complete else ", which has not ended or was cut off"
    process_count = f", {run.processes} processes" if run.processes else ""
    parts = [
        f"{measured.region.id}: {about} (run {_escape_markdown(_name(run))}{process_count}{still})"
    ]
    if measured.calls:
        unit_name = "process" if run.processes else "thread"
        table = thread_table(measured.profile, "auto", Terminal(), unit_name)
        parts.append("\n".join(["```text", *table, "```"]))
    if measured.worst is not None:
        worst = measured.worst
        parts.append(
            f"{measured.worst_brief}: {_escape_markdown(worst.text)} {_escape_markdown(worst.advice)}"
        )
    return parts


def _name(run: MeasuredRun) -> str:
    return os.path.basename(os.path.normpath(run.directory))


def _escape_markdown(text: str) -> str:
    """Escape Markdown in names of the user's."""
    return "".join(f"\\{c}" if c in "\\`*_{}[]<>#|!~" else c for c in text)


SOURCE = "pomp-clang"


def of_view(view: DocumentView, lines: DocumentLines) -> Iterator[types.Diagnostic]:
    """Yield the warnings for a document."""
    if view.error:
        yield _unread(view.error, lines)
    for remark in view.remarks:
        yield types.Diagnostic(
            lines.text_range(remark.line),
            remark.text,
            severity=types.DiagnosticSeverity.Warning,
            code=f"pomp-{remark.reason}",
            source=SOURCE,
        )


def _unread(error: str, lines: DocumentLines) -> types.Diagnostic:
    """Build the diagnostic for a document that cannot be parsed.

    `error` is `line N: what`, or the problem with the document's compile command.
    """
    match = re.fullmatch(r"line (\d+): (.*)", error, re.S)
    advice = "" if match else " (see its command in compile_commands.json)"
    return types.Diagnostic(
        lines.text_range(int(match[1]) - 1 if match else 0),
        f"its constructs cannot be found: {match[2] if match else error}{advice}",
        severity=types.DiagnosticSeverity.Warning,
        code="pomp-parse" if match else "pomp-compiler",
        source=SOURCE,
    )


def of_filter(error: str, lines: DocumentLines) -> Iterator[types.Diagnostic]:
    """Yield the error of a filter file, given as `file:line: what`, if there is one."""
    match = re.fullmatch(r".*?:(\d+): (.*)", error, re.S)
    if match:
        yield types.Diagnostic(
            lines.text_range(int(match[1]) - 1),
            match[2],
            severity=types.DiagnosticSeverity.Error,
            source=SOURCE,
        )


MEASURE = "pomp.measure"
LEAVE_OUT = "pomp.leaveOut"
MEASURE_FILE = "pomp.measureFile"
LEAVE_OUT_FILE = "pomp.leaveOutFile"
SHOW_REPORT = "pomp.showReport"


def lenses(uri: str, view: DocumentView, lines: DocumentLines) -> Iterator[types.CodeLens]:
    """Yield the lenses of a document, in the order of its text."""
    for place in view.places:
        range_ = lines.from_to(place.first, place.column, place.first)
        for command in (*_measurement_command(view, place), *choices(uri, place)):
            yield types.CodeLens(range_, command=command)


def _measurement_command(view: DocumentView, place: SourcePlace) -> Iterator[types.Command]:
    measured = view.of(place)
    if measured is not None:
        title = ", ".join(filter(None, (measured.brief, measured.worst_brief)))
        yield types.Command(title, SHOW_REPORT, arguments=[])


def choices(uri: str, place: SourcePlace) -> Iterator[types.Command]:
    """Yield the commands of a place: for the place alone, or with its file."""
    if not place.chooses:
        return
    arguments: list[Any] = [{"uri": uri, "place": place.id}]
    if place.state == "disabled":
        yield types.Command("measure", MEASURE, arguments=arguments)
        yield types.Command("with its file", MEASURE_FILE, arguments=arguments)
    else:
        yield types.Command("leave out", LEAVE_OUT, arguments=arguments)
        yield types.Command("with its file", LEAVE_OUT_FILE, arguments=arguments)
