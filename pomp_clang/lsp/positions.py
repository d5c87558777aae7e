"""Positions in a text as the protocol counts them: lines from 0, columns in the client's units."""

from __future__ import annotations

from collections.abc import Callable

from lsprotocol import types

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
