"""The directives in the text of a file, in three spellings.

They are `#pragma omp ...`, `_Pragma("omp ...")` and `[[omp::directive(...)]]`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from pomp_clang.frontend.c.source import CSourceText, Lexeme, without_comments
from pomp_clang.frontend.directive_text import DirectiveText, parenthesized

_PRAGMA_LINE = re.compile(r"\s*(?:#|%:)\s*pragma\s+(omp|ompx|pomp)\b\s*", re.S)
_OPERATOR = re.compile(r"(omp|ompx|pomp)\b\s*", re.S)


def find_pragmas(source: CSourceText, lexemes: Iterable[Lexeme]) -> Iterator[DirectiveText]:
    """Yield the directives among `lexemes` in the order of the text, dead branches included."""
    operator_at = -1
    for lexeme in lexemes:
        if lexeme.kind == "directive":
            match = _PRAGMA_LINE.match(without_comments(lexeme.text))
            if match:
                start = lexeme.start + len(lexeme.text) - len(lexeme.text.lstrip())
                end = lexeme.start + len(lexeme.text.rstrip())
                body = without_comments(lexeme.text)[match.end() :].strip()
                yield DirectiveText(start, end, "#pragma", match.group(1), body)
        elif lexeme.kind == "word" and lexeme.text == "_Pragma":
            operator_at = lexeme.start
        elif lexeme.kind == "string" and operator_at >= 0:
            yield from _operator(source, operator_at, lexeme)
            operator_at = -1
        elif lexeme.kind == "attribute":
            yield from _attribute(source, lexeme)
        elif lexeme.kind != "comment":
            operator_at = -1


def _operator(source: CSourceText, start: int, literal: Lexeme) -> Iterator[DirectiveText]:
    end = source.skip_blank(literal.end)
    if source.text[end : end + 1] != ")":
        return
    inner = literal.text[literal.text.index('"') + 1 : -1]
    inner = inner.replace('\\"', '"').replace("\\\\", "\\")
    inner = without_comments(inner)
    match = _OPERATOR.match(inner.lstrip())
    if match:
        yield DirectiveText(
            start, end + 1, "_Pragma", match.group(1), inner.lstrip()[match.end() :].strip()
        )


def _attribute(source: CSourceText, lexeme: Lexeme) -> Iterator[DirectiveText]:
    end = source.text.find("]]", lexeme.end)
    inner = without_comments(source.text[lexeme.end : end if end >= 0 else lexeme.end]).strip()
    match = re.match(r"(?:using\s+omp\s*:\s*|omp\s*::\s*)(directive|sequence)\s*\(", inner)
    if match:
        body, _ = parenthesized(inner, match.end())
        yield DirectiveText(lexeme.start, end + 2, "[[omp]]", match.group(1), body)
