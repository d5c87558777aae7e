"""Inserted lines of Fortran: calls and directives, within the length of the form.

A marker before each line gives it the place of the user's directive. No marker stands within a
continued directive: flang refuses that.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from pomp_clang.frontend.source import SourceText
from pomp_clang.frontend.source_bytes import encoded
from pomp_clang.frontend.unit import SourceForm

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
