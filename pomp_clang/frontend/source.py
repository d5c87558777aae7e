"""The text of a source file: what is a comment or a literal, where lines begin.

Only as much of the C and C++ lexical grammar as it takes to find directives and
identifiers in live text; everything else is the syntax tree's business.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from functools import cached_property
from itertools import accumulate

from pomp_clang.frontend.octets import IDENTIFIER, decoded
from pomp_clang.record import record

# Atomic groups, not the possessive `(...)*+`: CPython up to 3.11.4 matches too little with that.
# Each turn of a group takes a run of characters, since the turns cost memory.
_SPLICE = r"\\\r?\n"
_COMMENT = rf"//(?>(?:[^\\\n]++|{_SPLICE}|\\)*)|/\*(?>(?:[^*]++|\*+(?!/))*)(?:\*/|\Z)"
_STRING = r'"(?>(?:[^"\\\n]++|\\\r\n|\\[\s\S])*)"'
_RAW = r'(?:u8|[uUL])?R"(?P<delimiter>[^()\\\s"]{0,16})\([\s\S]*?\)(?P=delimiter)"'

_REST = rf"(?>(?:[^\\/\"\n]++|{_SPLICE}|{_COMMENT}|{_STRING}|[^\n])*)"

_LEXEME = re.compile(
    rf"(?P<comment>{_COMMENT})"
    rf"|(?P<directive>^[ \t]*+(?:\#|%:){_REST})"
    rf"|(?P<raw>{_RAW})"
    rf"|(?P<string>(?:u8|[uUL])?{_STRING})"
    r"|(?P<char>(?:u8|[uUL])?'(?>(?:[^'\\\n]++|\\[\s\S])*)')"
    r"|(?P<number>\.?\d(?>(?:'?\w|[eEpP][+-]|\.)*))"
    r"|(?P<attribute>\[\[)"
    rf"|(?P<word>{IDENTIFIER}+)",
    re.MULTILINE,
)
_BLANK = re.compile(rf"(?>(?:\s++|{_SPLICE}|{_COMMENT})*)")
_LINE_DIRECTIVE = re.compile(r'\s*#\s*(?:line\s+)?(\d+)(?:\s+"((?:[^"\\]|\\.)*)")?')
_JOINTS = re.compile(rf"{_SPLICE}|{_COMMENT}|{_STRING}")


@record
class Lexeme:
    """A stretch of text: `kind` is one of the group names of the lexer."""

    kind: str
    start: int
    end: int
    text: str


@record
class Source:
    """A file's text (of `text_of`, so an index is a byte offset) under its name.

    `moved` has (offset, columns) in the order of the offsets: by how much what stands behind an offset on its line is
    further to the right than the user wrote it.
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
        if re.search(r"^[ \t]*#[ \t]*(?:line\b|\d)", self.text, re.MULTILINE):
            return list(self._line_directives())
        return []

    def lexemes(self) -> Iterator[Lexeme]:
        """Everything that is a directive, literal, number, word or comment, in order."""
        for match in _LEXEME.finditer(self.text):
            kind = match.lastgroup
            if kind == "delimiter":
                kind = "raw"
            assert kind is not None
            yield Lexeme(kind, match.start(), match.end(), match.group())

    def skip_blank(self, offset: int) -> int:
        """The offset of the first character from `offset` on that is no space or comment."""
        match = _BLANK.match(self.text, offset)
        return match.end() if match else offset

    def physical_line(self, offset: int) -> int:
        """The line that holds `offset`, from 1, whatever #line says."""
        return bisect_right(self._starts, offset)

    def line_start(self, offset: int) -> int:
        """The offset at which the line begins that holds `offset`."""
        return self._starts[self.physical_line(offset) - 1]

    def next_line(self, offset: int) -> int:
        """The offset at which the line behind that begins, or the end of the text."""
        line = self.physical_line(offset)
        return self._starts[line] if line < len(self._starts) else len(self.text)

    def column(self, offset: int) -> int:
        """The column of `offset`, from 1, in bytes, as the user wrote it."""
        start = self.line_start(offset)
        first = bisect_left(self.moved, (start,))
        last = bisect_left(self.moved, (offset + 1,))
        return offset - start - (self._shifts[last] - self._shifts[first]) + 1

    def place(self, offset: int) -> tuple[str, int]:
        """File and line of `offset` as the compiler names them: #line is heeded."""
        line = self.physical_line(offset)
        at = bisect_right(self._renumbered, (line - 1, 1 << 60, "")) - 1
        if at < 0:
            return self.path, line
        directive, number, path = self._renumbered[at]
        return path, number + line - directive - 1

    def line(self, offset: int) -> int:
        """The line of `offset` as the compiler names it."""
        return self.place(offset)[1]

    def _line_directives(self) -> Iterator[tuple[int, int, str]]:
        path = self.path
        for lexeme in self.lexemes():
            if lexeme.kind != "directive":
                continue
            match = _LINE_DIRECTIVE.match(lexeme.text)
            if match:
                path = decoded(match.group(2) or "") or path
                yield self.physical_line(lexeme.end - 1), int(match.group(1)), path


def last_line(text: str) -> int:
    """The length of its last line."""
    return len(text) - text.rfind("\n") - 1


def with_blank_comments(text: str) -> str:
    """`text` with blanks in the place of comments and line splices; nothing moves."""
    return _JOINTS.sub(lambda m: m.group() if m.group()[0] == '"' else " " * len(m.group()), text)


def without_comments(text: str) -> str:
    """`text` with each comment and line splice as one space; literals stay."""
    return _JOINTS.sub(lambda m: m.group() if m.group()[0] == '"' else " ", text)
