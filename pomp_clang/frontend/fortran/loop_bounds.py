"""The bounds of a DO statement, with their places."""

from __future__ import annotations

from collections.abc import Iterator

from pomp_clang.frontend.extent import Extent
from pomp_clang.frontend.fortran.classify import closing
from pomp_clang.frontend.fortran.places import LoopBound
from pomp_clang.frontend.fortran.statements import Statement, masked


def loop_bounds(statement: Statement, variable: str) -> list[LoopBound]:
    """Return the bounds and the stride of a DO statement with this variable."""
    text = masked(statement.text)
    return [
        _bound(statement, variable, first, last)
        for first, last in _parts(text, text.index("=") + 1)
        if text[first:last].strip()
    ]


def _bound(statement: Statement, variable: str, first: int, last: int) -> LoopBound:
    part = statement.text[first:last]
    begin = statement.first + first + len(part) - len(part.lstrip())
    end = statement.first + last - len(part) + len(part.rstrip())
    line = statement.line
    extent = Extent(line.offset(begin), line.offset(end - 1) + 1)
    return LoopBound(variable, part.strip(), extent, line.end)


def _parts(text: str, start: int) -> Iterator[tuple[int, int]]:
    """Yield the borders of what commas outside of brackets separate."""
    at = start
    while at < len(text):
        if text[at] in "([":
            at = closing(text, at)
            if at < 0:
                return
        elif text[at] == ",":
            yield start, at
            start = at = at + 1
        else:
            at += 1
    yield start, len(text)
