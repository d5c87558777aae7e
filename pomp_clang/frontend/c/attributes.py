"""Directives that are written as attributes (OpenMP 5.2, section 3.1), as _Pragma."""

from __future__ import annotations

import re
from collections.abc import Iterator

from pomp_clang.frontend.c.source import CSourceText, last_line, without_comments
from pomp_clang.frontend.directive_text import parenthesized

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
