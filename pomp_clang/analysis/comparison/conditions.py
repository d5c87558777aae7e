"""Conditions on the difference of two runs: `imbalance > 5% or (execT > 20% and execT > 0.1s)`.

The grammar has comparisons of one quantity with one number, `and`, `or`, `not`, `new`, `gone` and
parentheses. A quantity is the growth from the first run to the second. Any other text is an error;
nothing is executed.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from pomp_clang.analysis.properties import ROWS
from pomp_clang.analysis.properties.limited_parallelism import OF_PROGRAM

_TOKEN = re.compile(
    r"""\s*(?: (?P<number> [-+]? (?:\d+\.?\d*|\.\d+) (?:[eE][-+]?\d+)? ) \s* (?P<unit> %|ms\b|us\b|s\b)?
    | (?P<name> [A-Za-z][\w-]*)
    | (?P<sign> >=|<=|>|<|\(|\)) )""",
    re.X,
)
_DEEPEST = 50
_SECONDS = {"s": 1.0, "ms": 1e-3, "us": 1e-6}
_JOINED: dict[str, Callable[[list[bool]], bool]] = {
    "and": all,
    "or": any,
    "not": lambda held: not held[0],
}
_SIGNS: dict[str, Callable[[float, float], bool]] = {
    ">": operator.gt,
    ">=": operator.ge,
    "<": operator.lt,
    "<=": operator.le,
}

PROGRAM = (
    "duration",
    "work",
    "serial",
    "not-running",
    "target",
    "sync",
    "imbalance",
    "limpar",
    "management",
    "idle",
    "lost",
)
REGION = ("execT", "execC", "lostT")
STATES = ("new", "gone")
PROPERTIES = (*(row.name for row in ROWS), *OF_PROGRAM)
COUNTS = ("execC",)
_SPELT = {
    "imbal": "imbalance",
    "mgmt": "management",
    "synchronization": "sync",
    "synchronisation": "sync",
    "limited-parallelism": "limpar",
    "overhead": "lost",
}


class ConditionError(ValueError):
    """An error in a condition's text."""


@dataclass(frozen=True, slots=True)
class Growth:
    """The growth of a quantity: in seconds or as a number, and as a share."""

    amount: float
    share: float


Values = Mapping[str, Growth]


@dataclass(frozen=True, slots=True)
class ThresholdCondition:
    """A comparison of one quantity with a number; `name` is in PROGRAM, REGION or PROPERTIES."""

    name: str
    sign: str
    number: float
    unit: str

    def names(self) -> set[str]:
        return {self.name}

    def holds(self, values: Values, state: str) -> bool:
        grown = values.get(self.name, Growth(0.0, 0.0))
        if self.unit == "%":
            return _SIGNS[self.sign](100 * grown.share, self.number)
        return _SIGNS[self.sign](grown.amount, self.number * _SECONDS.get(self.unit, 1.0))


@dataclass(frozen=True, slots=True)
class StateCondition:
    """A condition on whether the region is new or gone."""

    name: str

    def names(self) -> set[str]:
        return {self.name}

    def holds(self, values: Values, state: str) -> bool:
        return state == self.name


@dataclass(frozen=True, slots=True)
class CombinedCondition:
    """Conditions combined by `sign`: and, or, not."""

    sign: str
    parts: tuple[Condition, ...]

    def names(self) -> set[str]:
        return set().union(*(part.names() for part in self.parts))

    def holds(self, values: Values, state: str) -> bool:
        verdicts = [part.holds(values, state) for part in self.parts]
        return _JOINED[self.sign](verdicts)


Condition = ThresholdCondition | StateCondition | CombinedCondition


def parse(text: str) -> Condition:
    """Parse a condition; raise `ConditionError` with the error's text."""
    condition, rest = _either(_tokens(text), 0)
    if rest:
        raise ConditionError(f"'{rest[0].text}' is not expected")
    return condition


@dataclass(frozen=True, slots=True)
class _Token:
    kind: str
    text: str
    unit: str = ""


def _tokens(text: str) -> list[_Token]:
    tokens = []
    at, text = 0, text.rstrip()
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None or not match.group().strip():
            raise ConditionError(f"'{text[at:].strip()[:20]}' is not understood")
        at = match.end()
        if match["number"]:
            tokens.append(_Token("number", match["number"], match["unit"] or ""))
        elif match["sign"]:
            tokens.append(_Token("sign", match["sign"]))
        else:
            tokens.append(_Token("name", match["name"]))
    return tokens


def _either(tokens: list[_Token], depth: int) -> tuple[Condition, list[_Token]]:
    return _joined(tokens, depth, "or", lambda t, d: _joined(t, d, "and", _parse_one))


def _joined(
    tokens: list[_Token],
    depth: int,
    connective: str,
    part: Callable[[list[_Token], int], tuple[Condition, list[_Token]]],
) -> tuple[Condition, list[_Token]]:
    first, rest = part(tokens, depth)
    parts = [first]
    while rest and rest[0].text == connective:
        following, rest = part(rest[1:], depth)
        parts.append(following)
    return (parts[0] if len(parts) == 1 else CombinedCondition(connective, tuple(parts))), rest


def _parse_one(tokens: list[_Token], depth: int) -> tuple[Condition, list[_Token]]:
    if not tokens:
        raise ConditionError("something is missing at its end")
    if depth > _DEEPEST:
        raise ConditionError("it is nested too deeply")
    first, *rest = tokens
    if first.text == "not" and first.kind == "name":
        part, rest = _parse_one(rest, depth + 1)
        return CombinedCondition("not", (part,)), rest
    if first.text == "(" and first.kind == "sign":
        inner, rest = _either(rest, depth + 1)
        if not rest or rest[0].text != ")":
            raise ConditionError("a parenthesis is not closed")
        return inner, rest[1:]
    if first.kind == "name" and first.text in STATES:
        return StateCondition(first.text), rest
    return _comparison(first, rest)


def _comparison(first: _Token, rest: list[_Token]) -> tuple[Condition, list[_Token]]:
    if first.kind != "name":
        raise ConditionError(f"'{first.text}' is not expected")
    name = _SPELT.get(first.text, first.text)
    if name not in (*PROGRAM, *REGION, *PROPERTIES):
        known = ", ".join((*PROGRAM, *REGION, *STATES))
        raise ConditionError(f"'{name}' is none of {known}, and no property")
    if len(rest) < 2 or rest[0].text not in _SIGNS or rest[1].kind != "number":
        raise ConditionError(f"'{name}' is compared with no number, as in {name} > 5%")
    number = rest[1]
    units = ("", "%") if name in COUNTS else ("%", *_SECONDS)
    if number.unit not in units:
        expected = "a number or in %" if name in COUNTS else "in %, s, ms or us"
        raise ConditionError(f"'{name}' is {expected}, not '{number.text}{number.unit}'")
    return ThresholdCondition(name, rest[0].text, float(number.text), number.unit), rest[2:]
