"""The macros that make directives or lock calls, and where they are used."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterable, Set
from functools import cached_property

from pomp_clang.frontend.c.source import CSourceText, Lexeme
from pomp_clang.frontend.source import IDENTIFIER, Extent
from pomp_clang.openmp.pomp_api import ROUTINES
from pomp_clang.record import record

_DEFINE = re.compile(rf"\n#define ({IDENTIFIER})(\()?([^\n]*)")
NAME = re.compile(IDENTIFIER)
_UNDEFINED = re.compile(rf"^#undef ({IDENTIFIER})", re.M)
_BY_PLACE = frozenset(
    ("__LINE__", "__FILE__", "__FILE_NAME__", "__BASE_FILE__", "__INCLUDE_LEVEL__", "__COUNTER__",
     "__TIMESTAMP__", "__func__", "__VA_OPT__")
)  # fmt: skip
"""Words whose meaning depends on where or how often they stand."""
_LAST = re.compile(rf"({IDENTIFIER})\s*\Z")
_WHOLE_WORD = re.compile(rf"\b{IDENTIFIER}")
_ALONE = re.compile(rf"\s*({IDENTIFIER})\s*((?:\(.*\))?)\s*\Z")
"""A body that is a name, with arguments or without, and nothing else."""
_NESTING = re.compile(r'"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|//[^\n]*|/\*[\s\S]*?\*/|([()])')
_MAKES = re.compile(
    r'\b_Pragma(?!\s*\(\s*")|\b_Pragma\s*\(\s*"\s*p?omp|\b(?:' + "|".join(ROUTINES) + r")\b"
)
"""Operators and calls in a macro; a `_Pragma` of another string is none of OpenMP's."""


@record
class Macro:
    """A macro as `-dD` prints it."""

    name: str
    takes_arguments: bool
    body: str
    system: bool
    """whether a system header defines it"""

    @property
    def last(self) -> str:
        """The identifier that the body ends with, or ""."""
        match = _LAST.search(self.body)
        return match.group(1) if match else ""


class Macros:
    """The macros that a text defines.

    `is_system` tells for the offset of a #define line if a system header holds it. All definitions
    of a macro count for what it makes, and the last one for how it is used.
    """

    def __init__(self, text: str, is_system: Callable[[int], bool]) -> None:
        self._text = text
        self._is_system = is_system
        self._known: dict[str, Macro | None] = {}

    @cached_property
    def _all(self) -> list[tuple[str, str, int, str]]:
        """The names, bodies, offsets and opening brackets of all definitions."""
        # With a line break before the first line, the offset of a line's break is that of the line.
        matches = _DEFINE.finditer(f"\n{self._text}")
        return [(match[1], match[3], match.start(), match[2]) for match in matches]

    @cached_property
    def _last(self) -> dict[str, tuple[str, str, int, str]]:
        return {definition[0]: definition for definition in self._all}

    def spelling(self, words: Iterable[str]) -> dict[str, str]:
        """Return the names of macros without arguments that hold one of the words, or another such
        macro, each with the word."""
        known = {word: word for word in words}
        if not any(map(self._may_define, known)):
            return known
        size = 0
        while size < len(known):
            size = len(known)
            any_known = re.compile(rf"\b(?:{'|'.join(known)})\b")
            for name, body, _, bracket in self._all:
                if not bracket and name not in known and (match := any_known.search(body)):
                    known[name] = known[match[0]]
        return known

    def _may_define(self, word: str) -> bool:
        """Return True if the line of some definition holds a word; quickly, as most texts have none."""
        at = self._text.find(word)
        while at >= 0:
            if self._text.startswith("#define ", self._text.rfind("\n", 0, at) + 1):
                return True
            at = self._text.find(word, at + len(word))
        return False

    def __contains__(self, name: str) -> bool:
        return name in self._last

    def get(self, name: str) -> Macro | None:
        """Return the macro of this name, or None."""
        if name not in self._known:
            macro = None
            if name in self._last:
                _, body, start, opening = self._last[name]
                macro = Macro(name, bool(opening), body, self._is_system(start))
            self._known[name] = macro
        return self._known[name]

    @cached_property
    def making(self) -> frozenset[str]:
        """The macros whose expansion may hold a directive or a lock call, through others too."""
        pending = [name for name, body, *_ in self._all if _MAKES.search(body)]
        if not pending:
            return frozenset()
        users: dict[str, list[str]] = {}
        for name, body, *_ in self._all:
            for word in set(NAME.findall(body)):
                users.setdefault(word, []).append(name)
        makers = set(pending)
        while pending:
            more = [user for user in users.get(pending.pop(), ()) if user not in makers]
            makers.update(more)
            pending += more
        return frozenset(makers)

    def lasting_definitions(self, text: str) -> list[str] | None:
        """Return the #define lines of all macros that a text may expand, through others too.

        Return None if one of them changes within the unit, or depends on its place.
        """
        lines: list[str] = []
        reached: set[str] = set()
        pending = [text]
        while pending:
            for name in set(NAME.findall(pending.pop())) - reached:
                reached.add(name)
                macro = self.get(name)
                if name in _BY_PLACE or name in self._undefined:
                    return None
                if macro is None:
                    continue
                if self._number[name] > 1:
                    return None
                lines.append(f"#define {name}{'(' if macro.takes_arguments else ''}{macro.body}")
                pending.append(macro.body)
        return lines

    def makes_one_pragma(self, name: str) -> bool:
        """Return True if a macro's expansion is one `_Pragma` and nothing else.

        False may also mean that this is not obvious: several definitions, or another macro's name
        without its arguments.
        """
        passed: set[str] = set()
        while name not in passed:
            passed.add(name)
            body = self._only_body(name)
            match = _ALONE.match(body)
            if match is None or _closes_early(match.group(2)):
                return False
            if match.group(1) == "_Pragma":
                return bool(match.group(2))
            name = match.group(1)
            macro = self.get(name)
            if macro is None or macro.takes_arguments != bool(match.group(2)):
                return False
        return False

    def _only_body(self, name: str) -> str:
        """Return the body of a macro without its parameters, "" if it has several definitions."""
        macro = self.get(name)
        if macro is None or self._number[name] > 1:
            return ""
        return macro.body.partition(")")[2] if macro.takes_arguments else macro.body

    @cached_property
    def _undefined(self) -> frozenset[str]:
        """The macros that an #undef names."""
        return frozenset(_UNDEFINED.findall(self._text))

    @cached_property
    def _number(self) -> Counter[str]:
        return Counter(name for name, *_ in self._all)

    def end_of_use(
        self, source: CSourceText, word: Lexeme, brackets: dict[int, int | None]
    ) -> int | None:
        """Return where a use of the macro named by `word` ends, or None if it is no use.

        The arguments belong to it, and those of a macro that the expansion ends with: an
        object-like macro may be another name of a function-like one.  `brackets` has the pairs
        of parentheses that are known by then.
        """
        macro = self.get(word.text)
        if macro is None:
            return None
        end: int | None = None if macro.takes_arguments else word.end
        at = word.end
        passed = set()
        while macro.name not in passed:
            passed.add(macro.name)
            if macro.takes_arguments:
                opening = source.skip_blank(at)
                arguments_end = _closing(source, opening, brackets)
                if arguments_end is None:
                    break
                end = at = arguments_end
            macro = self.get(macro.last) or macro
        return end


def uses(source: CSourceText, lexemes: Iterable[Lexeme], macros: Macros) -> list[Extent]:
    """Return where macros that may make directives or lock calls are used in the text.

    The use of another macro of the project counts if its arguments hold a directive, a lock call
    or the name of such a macro. Only the outermost uses are returned.
    """
    extents: list[Extent] = []
    making: list[int] | None = None
    brackets: dict[int, int | None] = {}
    for lexeme in lexemes:
        if lexeme.kind != "word" or lexeme.text not in macros:
            continue
        if extents and lexeme.start < extents[-1].end:
            continue
        makes = lexeme.text in macros.making
        macro = macros.get(lexeme.text)
        if macro is None or (macro.system and not makes):
            continue
        end = macros.end_of_use(source, lexeme, brackets)
        if end is None:
            continue
        if not makes:
            making = _making(source.text, macros.making) if making is None else making
            at = bisect_left(making, lexeme.end)
            if at == len(making) or making[at] >= end:
                continue
        extents.append(Extent(lexeme.start, end))
    return extents


def _closes_early(text: str) -> bool:
    """Return True if the bracket that a text begins with closes before its end."""
    depth = 0
    for match in _NESTING.finditer(text):
        if match.group(1):
            depth += 1 if match.group(1) == "(" else -1
            if depth == 0:
                return match.end() < len(text)
    return depth != 0


def _making(text: str, macros: Set[str]) -> list[int]:
    """Return the offsets of the words that may make a directive or a lock call."""
    making_words = {"_Pragma", *ROUTINES, *macros}
    return [word.start() for word in _WHOLE_WORD.finditer(text) if word[0] in making_words]


def _closing(source: CSourceText, opening: int, brackets: dict[int, int | None]) -> int | None:
    """Return what `closing` does for a `(` at `opening`.

    `brackets` keeps the pairs that were passed on the way, so that nested brackets are read once.
    """
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


def closing(source: CSourceText, opening: int, depth: int = 0) -> int | None:
    """Return the offset behind the `)` that closes the `(` at `opening`.

    With `depth`, that many are open already.
    """
    for match in _NESTING.finditer(source.text, opening):
        if match.group(1):
            depth += 1 if match.group(1) == "(" else -1
            if depth == 0:
                return match.end()
    return None
