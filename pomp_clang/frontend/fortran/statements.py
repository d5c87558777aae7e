"""The statements of a Fortran text: its logical lines, split at semicolons."""

from __future__ import annotations

import re
from collections.abc import Iterator

from pomp_clang.frontend.fortran.lines import LogicalLine
from pomp_clang.record import record

_LITERAL = re.compile(r"'[^']*(?:'|\Z)|\"[^\"]*(?:\"|\Z)")
_BLANKS = re.compile(r"\s+")
_LABEL = re.compile(r"\s*(\d+)(?=\s|\Z)")


@record
class Statement:
    """One statement.

    `first` and `last` delimit it in its line's text, without label and blanks around. `compact` is
    its text in lower case, without blanks, and with literals masked: in fixed form blanks mean
    nothing. `alone` is True if it is the last statement of its line.
    """

    line: LogicalLine
    first: int
    last: int
    compact: str
    label: str = ""
    label_at: int = 0
    alone: bool = True
    resume: int = 0
    """the offset of the next statement on the line, if it is not alone"""

    @property
    def start(self) -> int:
        """The offset of its first character."""
        return self.line.offset(self.first)

    @property
    def end(self) -> int:
        """One past the offset of its last character."""
        return self.line.offset(self.last - 1) + 1

    @property
    def text(self) -> str:
        """Its characters as written, continuation lines joined."""
        return self.line.text[self.first : self.last]


def masked(text: str) -> str:
    """Replace the characters of literals, so that no mark in them means anything."""
    return _LITERAL.sub(lambda match: "'".ljust(len(match.group()), "_"), text)


def statements(line: LogicalLine) -> Iterator[Statement]:
    """Yield the statements of a logical line, empty ones left out."""
    mask = masked(line.text).lower()
    bounds = _bounds(mask)
    label, label_at = line.label, line.label_at
    for number, (first, last) in enumerate(bounds):
        if not label:
            match = _LABEL.match(mask, first, last)
            if match and match.end() < last:
                label, label_at = match[1].lstrip("0"), line.offset(match.start(1))
                first = match.end()
                first += len(mask[first:last]) - len(mask[first:last].lstrip())
        alone = number == len(bounds) - 1
        yield Statement(
            line,
            first,
            last,
            _BLANKS.sub("", mask[first:last]),
            label,
            label_at,
            alone,
            0 if alone else line.offset(bounds[number + 1][0]),
        )
        label = ""


def _bounds(mask: str) -> list[tuple[int, int]]:
    bounds = []
    at = 0
    for piece in mask.split(";"):
        stripped = piece.strip()
        if stripped:
            first = at + len(piece) - len(piece.lstrip())
            bounds.append((first, first + len(stripped)))
        at += len(piece) + 1
    return bounds
