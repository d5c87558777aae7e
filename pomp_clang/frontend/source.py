"""The text of a source file under its name: lines, columns, and what the compiler calls them."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from functools import cached_property
from itertools import accumulate

from pomp_clang.record import record


@record
class SourceText:
    """A file's text under its name.

    An index into the text is a byte offset (see `text_of`). `moved` has (offset, columns) in the
    order of the offsets: on its line, the text behind the offset stands that number of columns
    further to the right than in the user's file.
    """

    path: str
    text: str
    moved: tuple[tuple[int, int], ...] = ()

    @cached_property
    def _starts(self) -> list[int]:
        return [0] + [m.end() for m in re.finditer(r"\n", self.text)]

    @cached_property
    def _shifts(self) -> list[int]:
        return [0, *accumulate(columns for _, columns in self.moved)]

    @cached_property
    def _renumbered(self) -> list[tuple[int, int, str]]:
        return list(self.line_directives())

    def line_directives(self) -> Iterator[tuple[int, int, str]]:
        """Yield the line of each directive that renumbers the lines behind it, the number of
        the next one, and its file: none in a language without such directives."""
        yield from ()

    def physical_line(self, offset: int) -> int:
        """Return the line that holds `offset`, from 1, whatever #line says."""
        return bisect_right(self._starts, offset)

    def line_start(self, offset: int) -> int:
        """Return the offset at which the line of `offset` begins."""
        return self._starts[self.physical_line(offset) - 1]

    def next_line(self, offset: int) -> int:
        """Return the offset at which the next line begins, or the end of the text."""
        line = self.physical_line(offset)
        return self._starts[line] if line < len(self._starts) else len(self.text)

    def column(self, offset: int) -> int:
        """Return the column of `offset`, from 1, in bytes, as the user wrote it."""
        start = self.line_start(offset)
        first = bisect_left(self.moved, (start,))
        last = bisect_left(self.moved, (offset + 1,))
        return offset - start - (self._shifts[last] - self._shifts[first]) + 1

    def place(self, offset: int) -> tuple[str, int]:
        """Return file and line of `offset` as the compiler names them (#line counts)."""
        line = self.physical_line(offset)
        at = bisect_right(self._renumbered, (line - 1, 1 << 60, "")) - 1
        if at < 0:
            return self.path, line
        directive, number, path = self._renumbered[at]
        return path, number + line - directive - 1

    def line(self, offset: int) -> int:
        """Return the line of `offset` as the compiler names it."""
        return self.place(offset)[1]
