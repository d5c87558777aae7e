"""Filter files: which functions and constructs are measured, by name, file and line.

The blocks of Score-P's filter files hold for functions, as they do there: a function is left
out if its file is or if it is itself, and of the rules for either the last that matches counts.
The block POMP_RULES is for constructs, too; of its rules the last that matches overrules all.
"""

from __future__ import annotations

import os
import re

from pomp_clang.frontend.constructs import Construct, Constructs
from pomp_clang.record import record
from pomp_clang.selection.disable import parse_disabled
from pomp_clang.selection.patterns import Pattern, expression, wildcard

OWN = "POMP_RULES"
BLOCKS = ("SCOREP_FILE_NAMES", "SCOREP_REGION_NAMES", OWN)
CONDITIONS = ("construct", "name", "function", "file", "lines", "nth")
"""What a rule of our own may ask for, as `condition=wildcard` or `condition~expression`."""

_ACTIONS = ("INCLUDE", "EXCLUDE")
_TOKEN = re.compile(r"(?:\\.|[^\s\\])+")
_COMMENT = re.compile(r"(?<!\\)#.*")
_CONDITION = re.compile(r"(\w+)([=~])(.+)")
_LINES = re.compile(r"([1-9]\d*)(?:-([1-9]\d*))?")


class FilterError(ValueError):
    """What is wrong with a filter file, in one line: `file:line: what`."""


@record
class Named:
    """A function or construct as a filter sees it: `functions` are the names of those that it
    stands in, or is, `line` is where it begins.  It is the `nth` of its kind and name, from 1,
    in the innermost of them, whose names are `innermost`."""

    kind: str
    names: tuple[str, ...]
    mangled: str
    functions: tuple[str, ...]
    file: str
    line: int
    nth: int = 1
    innermost: tuple[str, ...] = ()


@record
class Rule:
    """`conditions` must all hold; `line` is that of the filter file; 0 is any `nth`."""

    includes: bool
    line: int
    conditions: tuple[tuple[str, Pattern], ...] = ()
    kinds: frozenset[str] = frozenset()
    lines: tuple[int, int] = (0, 0)
    nth: int = 0

    def matches(self, named: Named) -> bool:
        """Whether the rule is about it."""
        if self.kinds and named.kind not in self.kinds:
            return False
        if self.lines[0] and not self.lines[0] <= named.line <= self.lines[1]:
            return False
        if self.nth and self.nth != named.nth:
            return False
        functions = named.innermost if self.nth else named.functions
        return all(_holds(what, pattern, named, functions) for what, pattern in self.conditions)


def _holds(what: str, pattern: Pattern, named: Named, functions: tuple[str, ...]) -> bool:
    if what == "mangled":
        return pattern.matches(named.mangled or named.names[0])
    if what == "path":
        return pattern.matches(named.file)
    if what == "file":
        return pattern.matches(named.file) or pattern.matches(os.path.basename(named.file))
    return any(map(pattern.matches, functions if what == "function" else named.names))


@record
class Verdict:
    """What a filter says of something: the rule's line tells where."""

    includes: bool
    where: str


@record
class Filter:
    """The rules of a file in their order."""

    path: str = ""
    files: tuple[Rule, ...] = ()
    regions: tuple[Rule, ...] = ()
    rules: tuple[Rule, ...] = ()

    @property
    def asks_for_functions(self) -> bool:
        """Whether some rule wants functions measured, or to know in which a construct stands."""
        own = (r for r in self.rules if not r.kinds or "function" in r.kinds)
        return (
            any(rule.includes for rule in (*self.files, *self.regions, *own))
            or self.counts
            or any(what == "function" for rule in self.rules for what, _ in rule.conditions)
        )

    @property
    def counts(self) -> bool:
        """Whether some rule asks which of several alike a construct is."""
        return any(rule.nth for rule in self.rules)

    def verdict(self, named: Named) -> Verdict | None:
        """Whether it is measured; None if no rule is about it."""
        found = _last(self.rules, named)
        if found is None and named.kind == "function":
            found = _last(self.files, named)
            if found is None or found.includes:
                found = _last(self.regions, named) or found
        return Verdict(found.includes, f"{self.path}:{found.line}") if found else None


def _last(rules: tuple[Rule, ...], named: Named) -> Rule | None:
    return next((rule for rule in reversed(rules) if rule.matches(named)), None)


def seen(constructs: Constructs, construct: Construct, nth: int = 1) -> Named:
    """A construct, as a filter sees it; `nth` is its number in
    `constructs.ordinals`."""
    file, line = constructs.source.place(construct.begin.start)
    path = os.path.abspath(file)
    around = [_names(each) for each in constructs.around(construct) if each.function]
    if construct.function is not None:
        names = _names(construct)
        return Named("function", names, construct.function.mangled, names, path, line, nth, names)
    functions = (construct.home.function, *(name for names in around for name in names))
    innermost = around[0] if around else functions
    return Named(construct.kind, (construct.sub_name,), "", functions, path, line, nth, innermost)


def _names(function: Construct) -> tuple[str, ...]:
    assert function.function is not None
    return function.sub_name, function.function.signature


def read_filter(path: str) -> Filter:
    """The filter in a file.  Raises `FilterError`, or OSError if it cannot be read."""
    with open(path, encoding="utf-8", errors="surrogateescape") as file:
        return parse_filter(path, file.read())


def parse_filter(path: str, text: str) -> Filter:
    """The filter that a file would be with this text.  Raises `FilterError`."""
    return _Parser(path).parse(text)


def _meant(word: str, known: tuple[str, ...]) -> str:
    """Return the question whether the known word most like this one was meant, or ""."""
    from difflib import get_close_matches  # seldom needed: not on the path of a compile

    folded = {name.casefold(): name for name in known}
    found = get_close_matches(word.casefold(), folded, n=1)
    return f" (did you mean {folded[found[0]]}?)" if found else ""


class _Parser:
    def __init__(self, path: str) -> None:
        self._path = path
        self._line = 0
        self._block = ""
        self._includes: bool | None = None
        self._mangled = False
        self._rules: dict[str, list[Rule]] = {block: [] for block in BLOCKS}

    def parse(self, text: str) -> Filter:
        for self._line, line in enumerate(text.splitlines(), 1):
            words = _TOKEN.findall(_COMMENT.sub("", line))
            if self._block == OWN and words and words[0] in _ACTIONS:
                self._rules[OWN].append(self._own(*words))
            else:
                for word in words:
                    self._word(word)
        if self._block:
            raise self._wrong(f"{self._block}_END is missing")
        return Filter(self._path, *(tuple(self._rules[block]) for block in BLOCKS))

    def _wrong(self, what: str) -> FilterError:
        return FilterError(f"{self._path}:{self._line}: {what}")

    def _expected(self, word: str, words: tuple[str, ...]) -> FilterError:
        """Return the error of a word that stands where only `words` may."""
        known = f"{', '.join(words[:-1])} or {words[-1]}"
        return self._wrong(f"expected {known}, found '{word}'{_meant(word, words)}")

    def _word(self, word: str) -> None:
        """A word of a block of Score-P's, or one that begins or ends a block."""
        if word.removesuffix("_BEGIN") in BLOCKS and word.endswith("_BEGIN"):
            if self._block:
                raise self._wrong(f"{self._block}_END is missing before {word}")
            self._block = word.removesuffix("_BEGIN")
            self._includes, self._mangled = None, False
        elif word.removesuffix("_END") in BLOCKS and word.endswith("_END"):
            if word != f"{self._block}_END":
                raise self._wrong(f"{word} without {word.removesuffix('END')}BEGIN")
            self._block = ""
        elif not self._block:
            raise self._expected(word, tuple(f"{block}_BEGIN" for block in BLOCKS))
        elif word in _ACTIONS:
            self._includes, self._mangled = word == "INCLUDE", False
        elif self._block == OWN:
            raise self._expected(word, (*_ACTIONS, f"{OWN}_END"))
        elif self._includes is None:
            raise self._expected(word, (*_ACTIONS, f"{self._block}_END"))
        elif word in ("MANGLED", "DEMANGLED") and self._block == "SCOREP_REGION_NAMES":
            self._mangled = word == "MANGLED"
        else:
            self._rules[self._block].append(self._rule(word))

    def _rule(self, word: str) -> Rule:
        names = "mangled" if self._mangled else "name"
        what = "path" if self._block == "SCOREP_FILE_NAMES" else names
        return Rule(self._includes is True, self._line, ((what, wildcard(word)),))

    def _own(self, first: str, *rest: str) -> Rule:
        kinds: frozenset[str] = frozenset()
        lines, nth = (0, 0), 0
        conditions = []
        for what, sign, text in map(self._condition, rest):
            if what == "construct":
                kinds = self._kinds(text)
            elif what == "lines":
                lines = self._range(text)
            elif what == "nth":
                nth = self._number(text)
            else:
                conditions.append((what, self._pattern(sign, text)))
        if not rest:
            raise self._wrong(f"{first} needs a condition: {', '.join(CONDITIONS)}")
        return Rule(first == "INCLUDE", self._line, tuple(conditions), kinds, lines, nth)

    def _condition(self, word: str) -> tuple[str, str, str]:
        match = _CONDITION.fullmatch(word)
        if match is None or match[1] not in CONDITIONS:
            known = ", ".join(CONDITIONS)
            meant = _meant(re.split("[=~]", word)[0], CONDITIONS)
            raise self._wrong(f"'{word}' is no condition; write {known} with = or ~{meant}")
        if match[2] == "~" and match[1] in ("construct", "lines", "nth"):
            raise self._wrong(f"write {match[1]}={match[3]}")
        return match[1], match[2], match[3]

    def _pattern(self, sign: str, text: str) -> Pattern:
        try:
            return wildcard(text) if sign == "=" else expression(text)
        except ValueError as error:
            raise self._wrong(str(error)) from None

    def _kinds(self, text: str) -> frozenset[str]:
        items = text.split(",")
        functions = frozenset({"function"} & set(items))
        try:
            return functions | parse_disabled(",".join(i for i in items if i != "function"))
        except ValueError as error:
            raise self._wrong(str(error)) from None

    def _range(self, text: str) -> tuple[int, int]:
        match = _LINES.fullmatch(text)
        if match is None or int(match[2] or match[1]) < int(match[1]):
            raise self._wrong(f"lines={text}: write lines=7 or lines=7-20")
        return int(match[1]), int(match[2] or match[1])

    def _number(self, text: str) -> int:
        if not re.fullmatch(r"[1-9]\d*", text):
            raise self._wrong(f"nth={text}: write nth=2")
        return int(text)
