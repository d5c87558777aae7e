"""The directives' tokens: one reader for all three spellings.

`#pragma omp ...`, `_Pragma("omp ...")` and `[[omp::directive(...)]]` are found in
the live text of a file; words and clauses are split by the tables of
`pomp_clang.openmp`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache

from pomp_clang.frontend.octets import IDENTIFIER
from pomp_clang.frontend.source import Lexeme, Source, without_comments
from pomp_clang.openmp.directives import Directive, longest_match
from pomp_clang.record import record

_PRAGMA_LINE = re.compile(r"\s*(?:#|%:)\s*pragma\s+(omp|ompx|pomp)\b\s*", re.S)
_OPERATOR = re.compile(r"(omp|ompx|pomp)\b\s*", re.S)
_WORD = re.compile(rf"\s*({IDENTIFIER})")
_CLAUSE = re.compile(rf"[\s,]*({IDENTIFIER})\s*")
_LITERAL_OR_PAREN = re.compile(r'"(?:\\.|[^"\\])*"|\'(?:\\.|[^\'\\])*\'|[()\[\]{}]')


@record
class ClauseText:
    """A clause as written: `argument` is what stands in its parentheses, or None."""

    name: str
    argument: str | None

    def __str__(self) -> str:
        return self.name if self.argument is None else f"{self.name}({self.argument})"


@record
class Pragma:
    """A directive in the text of a file.

    `start` and `end` delimit what has to be replaced to replace it; `body` is what
    follows the sentinel (omp or pomp), comments and line splices as spaces.
    """

    start: int
    end: int
    spelling: str
    sentinel: str
    body: str

    def spelt(self, body: str, breaks: int = 0) -> str:
        """The directive with another body, in the spelling that it has; of several lines it
        begins on the first and ends on the last."""
        if self.spelling == "#pragma":
            splices = "\\\n" * breaks
            return f"#pragma {splices}{self.sentinel} {body}"
        escaped = body.replace("\\", "\\\\").replace('"', '\\"')
        lines = "\n" * breaks
        return f'_Pragma({lines}"{self.sentinel} {escaped}")'


@record
class Reading:
    """A body split by the tables: the directive, its argument in parentheses if it
    takes one there (critical's name, flush's list), and its clauses."""

    directive: Directive | None
    argument: str | None
    clauses: tuple[ClauseText, ...]

    def clause(self, name: str) -> ClauseText | None:
        """The first clause of that name."""
        return next((c for c in self.clauses if c.name == name), None)


def find_pragmas(source: Source, lexemes: Iterable[Lexeme]) -> Iterator[Pragma]:
    """The directives among `lexemes`, dead branches included, in the order of the text."""
    operator_at = -1
    for lexeme in lexemes:
        if lexeme.kind == "directive":
            match = _PRAGMA_LINE.match(without_comments(lexeme.text))
            if match:
                start = lexeme.start + len(lexeme.text) - len(lexeme.text.lstrip())
                end = lexeme.start + len(lexeme.text.rstrip())
                body = without_comments(lexeme.text)[match.end() :].strip()
                yield Pragma(start, end, "#pragma", match.group(1), body)
        elif lexeme.kind == "word" and lexeme.text == "_Pragma":
            operator_at = lexeme.start
        elif lexeme.kind == "string" and operator_at >= 0:
            yield from _operator(source, operator_at, lexeme)
            operator_at = -1
        elif lexeme.kind == "attribute":
            yield from _attribute(source, lexeme)
        elif lexeme.kind != "comment":
            operator_at = -1


@lru_cache(maxsize=4096)
def read(body: str) -> Reading:
    """Split a directive's body.  `directive` is None if its words are in no table."""
    words = []
    at = 0
    while (match := _WORD.match(body, at)) is not None:
        words.append(match.group(1))
        at = match.end()
    directive = longest_match(words)
    if directive is None:
        return Reading(None, None, ())
    at = 0
    for _ in directive.words.split():
        match = _WORD.match(body, at)
        assert match is not None
        at = match.end()
    argument = None
    rest = re.compile(r"\s*\(").match(body, at)
    if rest:
        argument, at = parenthesised(body, rest.end())
    return Reading(directive, argument, tuple(_clauses(body, at)))


def _clauses(body: str, at: int) -> Iterator[ClauseText]:
    while (match := _CLAUSE.match(body, at)) is not None:
        at = match.end()
        argument = None
        if body[at : at + 1] == "(":
            argument, at = parenthesised(body, at + 1)
        yield ClauseText(match.group(1), argument)


def parenthesised(body: str, start: int) -> tuple[str, int]:
    """What stands between the parenthesis before `start` and its partner, and where
    that ends; an unbalanced rest is taken whole, for the compiler to complain of."""
    depth = 1
    for match in _LITERAL_OR_PAREN.finditer(body, start):
        if match.group() in ("(", "[", "{"):
            depth += 1
        elif match.group() in (")", "]", "}"):
            depth -= 1
            if depth == 0:
                return body[start : match.start()].strip(), match.end()
    return body[start:].strip(), len(body)


def _operator(source: Source, start: int, literal: Lexeme) -> Iterator[Pragma]:
    end = source.skip_blank(literal.end)
    if source.text[end : end + 1] != ")":
        return
    inner = literal.text[literal.text.index('"') + 1 : -1]
    inner = inner.replace('\\"', '"').replace("\\\\", "\\")
    inner = without_comments(inner)
    match = _OPERATOR.match(inner.lstrip())
    if match:
        yield Pragma(
            start, end + 1, "_Pragma", match.group(1), inner.lstrip()[match.end() :].strip()
        )


def _attribute(source: Source, lexeme: Lexeme) -> Iterator[Pragma]:
    end = source.text.find("]]", lexeme.end)
    inner = without_comments(source.text[lexeme.end : end if end >= 0 else lexeme.end]).strip()
    match = re.match(r"(?:using\s+omp\s*:\s*|omp\s*::\s*)(directive|sequence)\s*\(", inner)
    if match:
        body, _ = parenthesised(inner, match.end())
        yield Pragma(lexeme.start, end + 2, "[[omp]]", match.group(1), body)
