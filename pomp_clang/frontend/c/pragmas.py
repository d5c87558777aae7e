"""The directives in the text of a file, in three spellings.

They are `#pragma omp ...`, `_Pragma("omp ...")` and `[[omp::directive(...)]]` (OpenMP 5.2, section
3.1), which becomes a _Pragma.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from pomp_clang.frontend.c.source import CSourceText, Lexeme, last_line, without_comments
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


_USING = re.compile(r"\s*using\s+omp\s*:(?!:)")
_DIRECTIVE = re.compile(r"[\s,]*(?:omp\s*::\s*)?(directive|sequence)\s*\(")
_COMMA = re.compile(r"\A([a-z ]+(?:\([^()]*\))?) ?, ?")
"""An attribute may have one behind the directive's name, a pragma may not."""
_NAMED = re.compile(r"[\s,]*omp\s*::\s*(directive|sequence)\s*\(")


def with_pragma_operators(source: CSourceText) -> CSourceText:
    """Replace each attribute specifier that holds nothing but OpenMP directives by _Pragma
    operators.

    Every directive stays on its lines. Other attribute specifiers are left.
    """
    if "omp" not in source.text or "[[" not in source.text:
        return source
    pieces = []
    moved = []
    at = length = 0
    for lexeme in source.lexemes():
        if lexeme.kind != "attribute" or lexeme.start < at:
            continue
        bodies = bodies_of(source.text, lexeme.start)
        if bodies:
            end = _closing(source.text, lexeme.end)
            inner = source.text[lexeme.end : end]
            operators = " ".join(f'_Pragma("omp {_escaped(body)}")' for body in bodies)
            new = operators + "\n" * inner.count("\n")
            pieces += [source.text[at : lexeme.start], new]
            length += lexeme.start - at + len(new)
            at = end + 2
            moved.append((length, last_line(new) - last_line(source.text[lexeme.start : at])))
    return CSourceText(source.path, "".join([*pieces, source.text[at:]]), tuple(moved))


def bodies_of(text: str, opening: int) -> list[str]:
    """Return the directives of the attribute specifier whose `[[` stands at `opening`."""
    end = _closing(text, opening + 2)
    return list(_bodies(without_comments(text[opening + 2 : end]))) if end >= 0 else []


def _bodies(inner: str) -> Iterator[str]:
    """Yield the directives of an attribute list in order, or none if the list holds anything else."""
    using = _USING.match(inner)
    bodies: list[str] = []
    if _collect(inner[using.end() :] if using else inner, bool(using), bodies):
        yield from bodies


def _collect(text: str, short: bool, bodies: list[str]) -> bool:
    at = 0
    pattern = _DIRECTIVE if short else _NAMED
    while (match := pattern.match(text, at)) is not None:
        body, at = parenthesized(text, match.end())
        if match.group(1) == "directive":
            bodies.append(_COMMA.sub(r"\1 ", " ".join(body.split()), count=1))
        elif not _collect(body, True, bodies):
            return False
    return not text[at:].strip()


def _closing(text: str, start: int) -> int:
    """Return the offset of the `]]` of the attribute specifier, or -1."""
    depth = 0
    for match in re.compile(r'"(?:\\.|[^"\\])*"|[\[\]]').finditer(text, start):
        if match.group() == "[":
            depth += 1
        elif match.group() == "]" and depth:
            depth -= 1
        elif match.group() == "]":
            return match.start() if text[match.start() : match.start() + 2] == "]]" else -1
    return -1


def _escaped(body: str) -> str:
    return body.replace("\\", "\\\\").replace('"', '\\"')
