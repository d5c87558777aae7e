"""The lexer of C and C++, for directives and identifiers in live text.

The syntax tree knows the rest.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from pomp_clang.frontend.source import IDENTIFIER, SourceText, decoded, text_of
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
_LINE_DIRECTIVE = re.compile(r'\s*(?:#|%:)\s*(?:line\s+)?(\d+)(?:\s+"((?:[^"\\]|\\.)*)")?')
_RENUMBERS = re.compile(
    rf"^[ \t]*(?:#|%:)(?>(?:[ \t]|{_SPLICE}|{_COMMENT})*)"
    rf"(?:l(?:{_SPLICE})*i(?:{_SPLICE})*n(?:{_SPLICE})*e|\d)",
    re.MULTILINE,
)
_SPLICES = re.compile(_SPLICE)
_MARK = text_of(b"\xef\xbb\xbf")
_JOINTS = re.compile(rf"{_SPLICE}|{_COMMENT}|{_STRING}")


@record
class Lexeme:
    """A stretch of text: `kind` is one of the group names of the lexer."""

    kind: str
    start: int
    end: int
    text: str


class CSourceText(SourceText):
    """The text of a C or C++ file."""

    def lexemes(self) -> Iterator[Lexeme]:
        """Yield every directive, literal, number, word and comment in order."""
        for match in _LEXEME.finditer(self.text):
            kind = match.lastgroup
            if kind == "delimiter":
                kind = "raw"
            assert kind is not None
            yield Lexeme(kind, match.start(), match.end(), match.group())

    def skip_blank(self, offset: int) -> int:
        """Return the offset of the first character from `offset` on that is no space or comment."""
        match = _BLANK.match(self.text, offset)
        return match.end() if match else offset

    def line_directives(self) -> Iterator[tuple[int, int, str]]:
        """Yield the line of each #line or line marker, the number and the file that it gives the
        line behind it."""
        if not _RENUMBERS.search(self.text):
            return
        path = self.path
        for lexeme in self.lexemes():
            if lexeme.kind != "directive":
                continue
            match = _LINE_DIRECTIVE.match(without_comments(_SPLICES.sub("", lexeme.text)))
            if match:
                path = decoded(match.group(2) or "") or path
                yield self.physical_line(lexeme.end), int(match.group(1)), path


def without_mark(text: str) -> str:
    """Return a file's text with blanks in place of a byte order mark, which compilers skip."""
    return f"   {text[3:]}" if text.startswith(_MARK) else text


def last_line(text: str) -> int:
    """Return the length of the last line."""
    return len(text) - text.rfind("\n") - 1


def with_blank_comments(text: str) -> str:
    """Replace each character of comments and line splices by a blank, so that nothing moves."""
    return _JOINTS.sub(lambda m: m.group() if m.group()[0] == '"' else " " * len(m.group()), text)


def without_comments(text: str) -> str:
    """Replace each comment and line splice by one space; literals stay."""
    return _JOINTS.sub(lambda m: m.group() if m.group()[0] == '"' else " ", text)
