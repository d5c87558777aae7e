"""Places of a text as the protocol counts them: lines from 0, columns in the client's units."""

from __future__ import annotations

from collections.abc import Callable

from lsprotocol import types

Units = Callable[[str], int]
"""How many units a piece of a line has for the client."""


class Lines:
    """The lines of a document."""

    def __init__(self, text: str, units: Units) -> None:
        self._lines = text.split("\n")
        self._units = units

    def at(self, line: int, column: int) -> types.Position:
        """A column in bytes."""
        before = self._text(line).encode("utf-8", "surrogateescape")[:column]
        return types.Position(line, self._units(before.decode("utf-8", "ignore")))

    def end(self, line: int) -> types.Position:
        """Behind the last character of a line."""
        return types.Position(line, self._units(self._text(line).rstrip("\r")))

    def whole(self, line: int) -> types.Range:
        """From a line's first character that is no blank to its end."""
        text = self._text(line)
        blank = len(text) - len(text.lstrip())
        return types.Range(types.Position(line, self._units(text[:blank])), self.end(line))

    def from_to(self, line: int, column: int, last: int) -> types.Range:
        """From a column in bytes to the end of a line."""
        return types.Range(self.at(line, column), self.end(last))

    def _text(self, line: int) -> str:
        return self._lines[line] if 0 <= line < len(self._lines) else ""
