"""Filter files: which functions and constructs are measured, by name, file and line.

The blocks of Score-P's filter files apply to functions. A function is left out if its file is
excluded or if its own name is; in either block the last rule that matches counts. The block
POMP_RULES applies to constructs, too; its last rule that matches overrules the other blocks.
"""

from __future__ import annotations

import os
import re

from pomp_clang.frontend.constructs import Construct, Constructs
from pomp_clang.record import record
from pomp_clang.selection.disable import parse_disabled
from pomp_clang.selection.patterns import Pattern, expression, wildcard
from pomp_clang.suggestion import suggestion

OWN = "POMP_RULES"
BLOCKS = ("SCOREP_FILE_NAMES", "SCOREP_REGION_NAMES", OWN)
CONDITIONS = ("construct", "name", "function", "file", "lines", "nth")
"""The conditions of a rule of POMP_RULES: `condition=wildcard` or `condition~expression`."""

_ACTIONS = ("INCLUDE", "EXCLUDE")
_LOOP_ACTIONS = ("ITERATIONS", "RUNTIME_SCHEDULE")
"""The actions of POMP_RULES that are for worksharing loops alone."""
_TOKEN = re.compile(r"(?:\\.|[^\s\\])+")
_COMMENT = re.compile(r"(?<!\\)#.*")
_CONDITION = re.compile(r"(\w+)([=~])(.+)")
_FORTRAN = re.compile(r"\.f(?:or|tn|pp|\d\d)?\Z", re.I)
_LINES = re.compile(r"([1-9]\d*)(?:-([1-9]\d*))?")


class FilterError(ValueError):
    """An error in a filter file, in one line: `file:line: error`."""


@record
class FilterSubject:
    """A function or construct as a filter sees it.

    `functions` are the names of the functions around it, and its own if it is one. `line` is its
    first line. It is the `nth` of its kind and name, from 1, in the innermost function, whose
    names are `innermost`.
    """

    kind: str
    names: tuple[str, ...]
    mangled: str
    functions: tuple[str, ...]
    file: str
    line: int
    nth: int = 1
    innermost: tuple[str, ...] = ()

    @property
    def ignores_case(self) -> bool:
        """True if the language of the file does not tell upper from lower case in names."""
        return _FORTRAN.search(self.file) is not None


@record
class Rule:
    """A rule of a filter file: all its `conditions` must hold.

    `line` is its line in the filter file; 0 stands for any `nth`.
    """

    includes: bool
    line: int
    conditions: tuple[tuple[str, Pattern], ...] = ()
    kinds: frozenset[str] = frozenset()
    lines: tuple[int, int] = (0, 0)
    nth: int = 0

    def matches(self, named: FilterSubject) -> bool:
        """Return True if the rule applies to the subject."""
        if self.kinds and named.kind not in self.kinds:
            return False
        if self.lines[0] and not self.lines[0] <= named.line <= self.lines[1]:
            return False
        if self.nth and self.nth != named.nth:
            return False
        functions = named.innermost if self.nth else named.functions
        return all(_holds(what, pattern, named, functions) for what, pattern in self.conditions)


def _holds(
    subject: str, pattern: Pattern, named: FilterSubject, functions: tuple[str, ...]
) -> bool:
    any_case = named.ignores_case
    if subject == "mangled":
        return pattern.matches(named.mangled or named.names[0], any_case)
    if subject == "path":
        return pattern.matches(named.file)
    if subject == "file":
        return pattern.matches(named.file) or pattern.matches(os.path.basename(named.file))
    names = functions if subject == "function" else named.names
    return any(pattern.matches(name, any_case) for name in names)


@record
class FilterVerdict:
    """A filter's decision on a subject; `place` is the rule's file and line."""

    includes: bool
    place: str


@record
class Filter:
    """The rules of a file in their order."""

    path: str = ""
    files: tuple[Rule, ...] = ()
    regions: tuple[Rule, ...] = ()
    rules: tuple[Rule, ...] = ()
    iterations: tuple[Rule, ...] = ()
    """select loops whose iterations are recorded"""
    runtime_schedules: tuple[Rule, ...] = ()
    """select loops that get the clause `schedule(runtime)`"""

    @property
    def asks_for_functions(self) -> bool:
        """True if some rule includes functions, or needs the function around a construct."""
        own_rules = (r for r in self.rules if not r.kinds or "function" in r.kinds)
        return (
            any(rule.includes for rule in (*self.files, *self.regions, *own_rules))
            or self.counts
            or any(
                what == "function"
                for rule in (*self.rules, *self.iterations, *self.runtime_schedules)
                for what, _ in rule.conditions
            )
        )

    @property
    def counts(self) -> bool:
        """True if some rule depends on the number of a construct among similar ones."""
        return any(rule.nth for rule in (*self.rules, *self.iterations, *self.runtime_schedules))

    def verdict(self, named: FilterSubject) -> FilterVerdict | None:
        """Return the verdict on a subject, or None if no rule applies to it."""
        rule = _last(self.rules, named)
        if rule is None and named.kind == "function":
            rule = _last(self.files, named)
            if rule is None or rule.includes:
                rule = _last(self.regions, named) or rule
        return FilterVerdict(rule.includes, f"{self.path}:{rule.line}") if rule else None


def selects(rules: tuple[Rule, ...], named: FilterSubject) -> bool:
    """Return True if some rule applies to the subject."""
    return any(rule.matches(named) for rule in rules)


def _last(rules: tuple[Rule, ...], named: FilterSubject) -> Rule | None:
    return next((rule for rule in reversed(rules) if rule.matches(named)), None)


def filter_subject(constructs: Constructs, construct: Construct, nth: int = 1) -> FilterSubject:
    """Describe a construct for a filter; `nth` is its number in `constructs.ordinals`."""
    file, line = constructs.source.origin(construct.begin.start)
    path = os.path.abspath(file)
    around = [_names(function) for function in constructs.around(construct) if function.function]
    if construct.function is not None:
        names = _names(construct)
        return FilterSubject(
            "function", names, construct.function.mangled, names, path, line, nth, names
        )
    functions = (construct.declaration_site.function, *(name for names in around for name in names))
    innermost = around[0] if around else functions
    return FilterSubject(
        construct.kind, (construct.sub_name,), "", functions, path, line, nth, innermost
    )


def _names(function: Construct) -> tuple[str, ...]:
    assert function.function is not None
    return function.sub_name, function.function.signature


def read_filter(path: str) -> Filter:
    """Read a filter file.  Raises `FilterError`, or OSError if the file cannot be read."""
    with open(path, encoding="utf-8", errors="surrogateescape") as file:
        return parse_filter(path, file.read())


def parse_filter(path: str, text: str) -> Filter:
    """Parse the text of a filter file.  Raises `FilterError`."""
    return _FilterParser(path).parse(text)


class _FilterParser:
    def __init__(self, path: str) -> None:
        self._path = path
        self._line = 0
        self._block = ""
        self._includes: bool | None = None
        self._mangled = False
        self._rules: dict[str, list[Rule]] = {block: [] for block in (*BLOCKS, *_LOOP_ACTIONS)}

    def parse(self, text: str) -> Filter:
        for self._line, line in enumerate(text.splitlines(), 1):
            tokens = _TOKEN.findall(_COMMENT.sub("", line))
            first = tokens[0] if self._block == OWN and tokens else ""
            if first in _ACTIONS:
                self._rules[OWN].append(self._parse_own_rule(*tokens))
            elif first in _LOOP_ACTIONS:
                self._rules[first].append(self._parse_own_rule(*tokens))
            else:
                for token in tokens:
                    self._word(token)
        if self._block:
            raise self._wrong(f"{self._block}_END is missing")
        return Filter(self._path, *map(tuple, self._rules.values()))

    def _wrong(self, problem: str) -> FilterError:
        return FilterError(f"{self._path}:{self._line}: {problem}")

    def _expected(self, token: str, expected: tuple[str, ...]) -> FilterError:
        """Return the error of a token that stands where only `expected` may."""
        known = f"{', '.join(expected[:-1])} or {expected[-1]}"
        return self._wrong(f"expected {known}, found '{token}'{suggestion(token, expected)}")

    def _word(self, token: str) -> None:
        """Read a word of a block of Score-P's, or a word that begins or ends a block."""
        if token.removesuffix("_BEGIN") in BLOCKS and token.endswith("_BEGIN"):
            if self._block:
                raise self._wrong(f"{self._block}_END is missing before {token}")
            self._block = token.removesuffix("_BEGIN")
            self._includes, self._mangled = None, False
        elif token.removesuffix("_END") in BLOCKS and token.endswith("_END"):
            if token != f"{self._block}_END":
                raise self._wrong(f"{token} without {token.removesuffix('END')}BEGIN")
            self._block = ""
        elif not self._block:
            raise self._expected(token, tuple(f"{block}_BEGIN" for block in BLOCKS))
        elif token in _ACTIONS:
            self._includes, self._mangled = token == "INCLUDE", False
        elif self._block == OWN:
            raise self._expected(token, (*_ACTIONS, *_LOOP_ACTIONS, f"{OWN}_END"))
        elif self._includes is None:
            raise self._expected(token, (*_ACTIONS, f"{self._block}_END"))
        elif token in ("MANGLED", "DEMANGLED") and self._block == "SCOREP_REGION_NAMES":
            self._mangled = token == "MANGLED"
        else:
            self._rules[self._block].append(self._rule(token))

    def _rule(self, token: str) -> Rule:
        names = "mangled" if self._mangled else "name"
        kind = "path" if self._block == "SCOREP_FILE_NAMES" else names
        return Rule(self._includes is True, self._line, ((kind, wildcard(token)),))

    def _parse_own_rule(self, first: str, *rest: str) -> Rule:
        kinds: frozenset[str] = frozenset()
        lines, nth = (0, 0), 0
        conditions = []
        for name, sign, text in map(self._condition, rest):
            if name == "construct":
                kinds = self._kinds(text)
            elif name == "lines":
                lines = self._range(text)
            elif name == "nth":
                nth = self._number(text)
            else:
                conditions.append((name, self._pattern(sign, text)))
        if not rest:
            raise self._wrong(f"{first} needs a condition: {', '.join(CONDITIONS)}")
        return Rule(first == "INCLUDE", self._line, tuple(conditions), kinds, lines, nth)

    def _condition(self, token: str) -> tuple[str, str, str]:
        match = _CONDITION.fullmatch(token)
        if match is None or match[1] not in CONDITIONS:
            known = ", ".join(CONDITIONS)
            suggested = suggestion(re.split("[=~]", token)[0], CONDITIONS)
            raise self._wrong(f"'{token}' is no condition; write {known} with = or ~{suggested}")
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
