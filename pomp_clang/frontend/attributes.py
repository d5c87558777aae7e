"""Directives that are written as attributes (OpenMP 5.2, section 3.1), as _Pragma."""

from __future__ import annotations

import re
from collections.abc import Iterator

from pomp_clang.frontend.pragmas import parenthesised
from pomp_clang.frontend.source import Source, last_line, without_comments

_USING = re.compile(r"\s*using\s+omp\s*:(?!:)")
_DIRECTIVE = re.compile(r"[\s,]*(?:omp\s*::\s*)?(directive|sequence)\s*\(")
_COMMA = re.compile(r"\A([a-z ]+(?:\([^()]*\))?) ?, ?")
"""An attribute may have one behind the directive's name, a pragma may not."""
_NAMED = re.compile(r"[\s,]*omp\s*::\s*(directive|sequence)\s*\(")


def spelt_as_pragmas(source: Source) -> Source:
    """The text with each attribute specifier that holds nothing but OpenMP directives in
    the _Pragma spelling, on the same lines; any other is left."""
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
    return Source(source.path, "".join([*pieces, source.text[at:]]), tuple(moved))


def bodies_of(text: str, opening: int) -> list[str]:
    """Return the directives of the attribute specifier whose `[[` stands at `opening`."""
    end = _closing(text, opening + 2)
    return list(_bodies(without_comments(text[opening + 2 : end]))) if end >= 0 else []


def _bodies(inner: str) -> Iterator[str]:
    """The directives of an attribute list in order; none if anything else is in it."""
    using = _USING.match(inner)
    found: list[str] = []
    if _collect(inner[using.end() :] if using else inner, bool(using), found):
        yield from found


def _collect(text: str, short: bool, found: list[str]) -> bool:
    at = 0
    pattern = _DIRECTIVE if short else _NAMED
    while (match := pattern.match(text, at)) is not None:
        body, at = parenthesised(text, match.end())
        if match.group(1) == "directive":
            found.append(_COMMA.sub(r"\1 ", " ".join(body.split()), count=1))
        elif not _collect(body, True, found):
            return False
    return not text[at:].strip()


def _closing(text: str, start: int) -> int:
    """Where the `]]` of the attribute specifier stands, or -1."""
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
