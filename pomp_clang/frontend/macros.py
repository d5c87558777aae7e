"""The macros that make directives or lock calls, and where they are used."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Mapping, Set

from pomp_clang.frontend.constructs import Extent
from pomp_clang.frontend.octets import IDENTIFIER
from pomp_clang.frontend.source import Lexeme, Source
from pomp_clang.openmp.routines import ROUTINES

_DEFINE = re.compile(rf"\s*(?:#|%:)\s*define\s+({IDENTIFIER})(\()?")
_WORD = re.compile(IDENTIFIER)
_WHOLE_WORD = re.compile(rf"\b{IDENTIFIER}")
_FEW = 20
"""Names up to which one pattern for all of them is faster than a look at each word."""
_NESTING = re.compile(r'"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|//[^\n]*|/\*[\s\S]*?\*/|([()])')


def making_directives(lexemes: Iterable[Lexeme]) -> dict[str, bool]:
    """The macros among the #defines whose expansion may hold a directive or a lock call,
    by way of other macros too; the value is whether one takes arguments."""
    naming: dict[str, list[str]] = {}
    takes_arguments: dict[str, bool] = {}
    for lexeme in lexemes:
        match = _DEFINE.match(lexeme.text) if lexeme.kind == "directive" else None
        if match:
            for word in set(_WORD.findall(lexeme.text, match.end())):
                naming.setdefault(word, []).append(match.group(1))
            takes_arguments[match.group(1)] = bool(match.group(2))
    found: dict[str, bool] = {}
    pending = ["_Pragma", *ROUTINES]
    while pending:
        more = [name for name in naming.get(pending.pop(), ()) if name not in found]
        found.update((name, takes_arguments[name]) for name in more)
        pending += more
    return found


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
    making: list[int] | None = None
    brackets: dict[int, int | None] = {}
    for lexeme in lexemes:
        if lexeme.kind != "word" or (lexeme.text not in macros and lexeme.text not in others):
            continue
        if found and lexeme.start < found[-1].end:
            continue
        end: int | None = lexeme.end
        if macros.get(lexeme.text, True):
            opening = source.skip_blank(lexeme.end)
            end = _closing(source, opening, brackets)
        if end is None:
            continue
        if lexeme.text not in macros:
            making = _making(source.text, macros) if making is None else making
            at = bisect_left(making, opening)
            if at == len(making) or making[at] >= end:
                continue
        found.append(Extent(lexeme.start, end))
    return found


def names_one(text: str, macros: Mapping[str, bool]) -> bool:
    """Tell if a text has the name of a lock's routine or of one of the macros."""
    if len(macros) < _FEW:
        words = re.compile(r"\b(?:" + "|".join((*ROUTINES, *macros)) + r")\b")
        return words.search(text) is not None
    return any(word in macros or word in ROUTINES for word in _WHOLE_WORD.findall(text))


def _making(text: str, macros: Mapping[str, bool]) -> list[int]:
    """The offsets of the words that may make a directive or a lock call."""
    wanted = {"_Pragma", *ROUTINES, *macros}
    return [word.start() for word in _WHOLE_WORD.finditer(text) if word[0] in wanted]


def _closing(source: Source, opening: int, brackets: dict[int, int | None]) -> int | None:
    """The same as `closing`; `brackets` has the pairs within those that were gone through, so
    that what nests is read once."""
    if source.text[opening : opening + 1] != "(":
        return None
    if opening not in brackets:
        opened: list[int] = []
        for match in _NESTING.finditer(source.text, opening):
            if match.group(1) == "(":
                opened.append(match.start())
            elif match.group(1):
                brackets[opened.pop()] = match.end()
                if not opened:
                    break
        brackets.update(dict.fromkeys(opened))
    return brackets.get(opening)


def closing(source: Source, opening: int, depth: int = 0) -> int | None:
    """One past the parenthesis that closes the one at `opening`, or as many as are open there."""
    for match in _NESTING.finditer(source.text, opening):
        if match.group(1):
            depth += 1 if match.group(1) == "(" else -1
            if depth == 0:
                return match.end()
    return None
