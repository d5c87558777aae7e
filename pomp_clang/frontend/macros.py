"""The macros that make directives or lock calls, and where they are used."""

from __future__ import annotations

import re
from collections.abc import Iterable, Set

from pomp_clang.frontend.constructs import Extent
from pomp_clang.frontend.octets import IDENTIFIER
from pomp_clang.frontend.source import Lexeme, Source
from pomp_clang.openmp.routines import ROUTINES

_DEFINE = re.compile(rf"\s*(?:#|%:)\s*define\s+({IDENTIFIER})(\()?")
_WORD = re.compile(IDENTIFIER)
_NESTING = re.compile(r'"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|//[^\n]*|/\*[\s\S]*?\*/|([()])')


def making_directives(lexemes: Iterable[Lexeme]) -> dict[str, bool]:
    """The macros among the #defines whose expansion may hold a directive or a lock call,
    by way of other macros too; the value is whether one takes arguments."""
    bodies: dict[str, set[str]] = {}
    takes_arguments: dict[str, bool] = {}
    for lexeme in lexemes:
        match = _DEFINE.match(lexeme.text) if lexeme.kind == "directive" else None
        if match:
            words = set(_WORD.findall(lexeme.text, match.end()))
            bodies.setdefault(match.group(1), set()).update(words)
            takes_arguments[match.group(1)] = bool(match.group(2))
    wanted = {"_Pragma", *ROUTINES}
    found: dict[str, bool] = {}
    while True:
        more = [n for n, words in bodies.items() if n not in found and words & wanted]
        if not more:
            return found
        found.update((n, takes_arguments[n]) for n in more)
        wanted.update(more)


def taking_arguments(lexemes: Iterable[Lexeme]) -> frozenset[str]:
    """The macros among the #defines that take arguments, which may hold directives."""
    matches = (_DEFINE.match(each.text) for each in lexemes if each.kind == "directive")
    return frozenset(match.group(1) for match in matches if match and match.group(2))


def uses(
    source: Source, lexemes: Iterable[Lexeme], macros: dict[str, bool], others: Set[str]
) -> list[Extent]:
    """Where the macros are used in the text, with their arguments; others only if their
    arguments hold a directive, a lock call or one of the macros.  Outermost uses only."""
    found: list[Extent] = []
    making = re.compile(r"\b(?:" + "|".join(("_Pragma", *ROUTINES, *macros)) + r")\b")
    for lexeme in lexemes:
        if lexeme.kind != "word" or (lexeme.text not in macros and lexeme.text not in others):
            continue
        if found and lexeme.start < found[-1].end:
            continue
        end: int | None = lexeme.end
        if macros.get(lexeme.text, True):
            opening = source.skip_blank(lexeme.end)
            end = closing(source, opening) if source.text[opening : opening + 1] == "(" else None
        if end is not None and (lexeme.text in macros or making.search(source.text, opening, end)):
            found.append(Extent(lexeme.start, end))
    return found


def closing(source: Source, opening: int, depth: int = 0) -> int | None:
    """One past the parenthesis that closes the one at `opening`, or as many as are open there."""
    for match in _NESTING.finditer(source.text, opening):
        if match.group(1):
            depth += 1 if match.group(1) == "(" else -1
            if depth == 0:
                return match.end()
    return None
