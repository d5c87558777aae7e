"""Inserted lines of Fortran: calls and directives, within the length of the form.

A marker before each line gives it the place of the user's directive. No marker stands within a
continued directive: flang refuses that.

The lines with a procedure's events stand at its begin, behind each ENTRY, and on each way out. A
call in front of a RETURN that depends on a condition makes a block of the IF statement. If the
statement has a label, or follows another one on its line, CONTINUE takes its place there.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from pomp_clang.frontend.fortran.places import ProcedureBody, ProcedureExit
from pomp_clang.frontend.source import Extent, SourceText, encoded
from pomp_clang.frontend.unit import SourceForm
from pomp_clang.record import record

MARGIN = "      "
_FREE_COLUMNS = 120
_FIXED_COLUMNS = 72
_CONDITIONAL = re.compile(r"[ \t]*[!cC*]\$[ \t\d]")
_PIECE = re.compile(r"'(?:[^']|'')*'|\"(?:[^\"]|\"\")*\"|[,()]|[^,()'\"]+")
"""The tokens behind which a line may be broken: brackets, commas, literals, and the text between
them."""


def marker(file: str, line: int) -> str:
    """Return the line that gives the next one its place."""
    return f'# {line} "{encoded(file)}"\n'


def continued(text: str, at: int, form: SourceForm, added: int) -> str:
    """Return what breaks the line of an offset there, "" if it has room for more characters."""
    start = text.rfind("\n", 0, at) + 1
    stop = text.find("\n", at)
    stop = len(text) if stop < 0 else stop
    if not form.columns or stop - start + added <= form.columns:
        return ""
    conditional = _CONDITIONAL.match(text, start) is not None
    if form.fixed:
        return f"\n{'!$' if conditional else '  '}   &"
    return "&\n!$ &" if conditional else "&\n&"


class LineWriter:
    """Inserted lines that have the place of one offset of the user's text."""

    def __init__(self, source: SourceText, form: SourceForm, offset: int) -> None:
        self._form = form
        self._marker = marker(*source.place(offset))
        self._lines: list[str] = []

    def statement(self, text: str) -> None:
        """Add a short statement."""
        self._lines.append(f"{self._marker}{MARGIN}{text}\n")

    def long_statement(self, text: str) -> None:
        """Add a statement, continued where it is too long."""
        columns = _FIXED_COLUMNS if self._form.fixed else _FREE_COLUMNS
        lines = _broken(text, columns - len(MARGIN))
        glue = "\n     &" if self._form.fixed else "&\n     &"
        self._lines.append(f"{self._marker}{MARGIN}{glue.join(lines)}\n")

    def labelled(self, label: int, text: str) -> None:
        """Add a short statement that has a label."""
        self._lines.append(f"{self._marker}{label:<{len(MARGIN)}}{text}\n")

    def directive(self, name: str, clauses: Sequence[str] = ()) -> None:
        """Add a directive, continued where it is too long."""
        body = " ".join(filter(None, (name, *clauses)))
        self._lines.append(self._marker + "".join(_directive(body, self._form)))

    def text(self, after: str) -> str:
        """Return the lines, with the marker of what follows."""
        return "".join(self._lines) + after if self._lines else ""


def _directive(body: str, form: SourceForm) -> Iterator[str]:
    if form.fixed:
        lines = _broken(body, _FIXED_COLUMNS - len("!$omp& "))
        for number, line in enumerate(lines):
            yield f"!$omp{'& ' if number else ' '}{line}\n"
        return
    lines = _broken(body, _FREE_COLUMNS)
    for number, line in enumerate(lines):
        yield f"!$omp{'& ' if number else ' '}{line}{'&' if number + 1 < len(lines) else ''}\n"


def _broken(body: str, columns: int) -> list[str]:
    """Break a directive's text into lines of at most this many columns, if possible."""
    lines = [""]
    for piece in _pieces(body):
        if lines[-1] and len(lines[-1]) + len(piece) > columns:
            lines.append("")
        lines[-1] += piece
    return lines


def _pieces(body: str) -> Iterator[str]:
    for match in _PIECE.finditer(body):
        piece = match.group()
        if piece[0] in "'\"":
            yield piece
        else:
            yield from re.findall(r"\s*\S+\s*|\s+", piece)


_LAST_LABEL = 99_999


@record
class ProcedureCalls:
    """The names of the subroutines that a procedure calls at its begin and at its end."""

    begin: str
    end: str


@record
class ProcedureEdits:
    """The text at a procedure's begin, further lines by their offsets, and new statements."""

    begin: str
    inserted: tuple[tuple[int, str], ...]
    replaced: tuple[tuple[Extent, str], ...]


def procedure_edits(
    source: SourceText, form: SourceForm, body: ProcedureBody, calls: ProcedureCalls
) -> ProcedureEdits:
    """Return the changes of a procedure's text."""
    writer = _ProcedureWriter(source, form, calls)
    inserted = [(exit.line, writer.leave(exit.line)) for exit in body.exits if _by_lines(exit)]
    inserted += writer.entries(body)
    replaced = tuple(writer.replaced(exit) for exit in body.exits if not _by_lines(exit))
    return ProcedureEdits(writer.enter(body.enter), tuple(inserted), replaced)


def _by_lines(exit: ProcedureExit) -> bool:
    return exit.leads and exit.action is None


class _ProcedureWriter:
    def __init__(self, source: SourceText, form: SourceForm, calls: ProcedureCalls) -> None:
        self._source, self._form, self._calls = source, form, calls

    def enter(self, at: int) -> str:
        return self._lines(at, f"call {self._calls.begin}()")

    def leave(self, at: int) -> str:
        return self._lines(at, f"call {self._calls.end}()")

    def _lines(self, at: int, *statements: str) -> str:
        """Return statements as whole lines in front of the line at an offset."""
        writer = LineWriter(self._source, self._form, at)
        for statement in statements:
            writer.statement(statement)
        return writer.text(self._marker(at))

    def entries(self, body: ProcedureBody) -> Iterator[tuple[int, str]]:
        """Yield the begin behind each ENTRY, which control from above passes by."""
        label = _LAST_LABEL
        for entry in body.entries:
            while str(label) in self._source.text:
                label -= 1
            yield entry.start, self._lines(entry.start, f"goto {label}")
            writer = LineWriter(self._source, self._form, entry.start)
            writer.statement(f"call {self._calls.begin}()")
            writer.labelled(label, "continue")
            yield entry.end, writer.text(self._marker(entry.end))
            label -= 1

    def replaced(self, exit: ProcedureExit) -> tuple[Extent, str]:
        """Return the text in the place of a statement, or of the action of an IF statement."""
        extent = exit.action or exit.statement
        text = self._source.text[extent.start : extent.end]
        marker = self._marker(extent.start)
        lines = [
            "continue" if exit.action is None else "then",
            f"{marker}{MARGIN}call {self._calls.end}()",
            f"{marker}{MARGIN}{text}",
        ]
        if exit.action is not None:
            lines.append(f"{self._marker(extent.end - 1)}{MARGIN}end if")
        return extent, "\n".join(lines)

    def _marker(self, at: int) -> str:
        return marker(*self._source.place(at)) if at < len(self._source.text) else ""
