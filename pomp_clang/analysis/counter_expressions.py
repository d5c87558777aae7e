"""Expressions over counters: IPC=PAPI_TOT_INS/PAPI_TOT_CYC.

The grammar has numbers, names, + - * / and parentheses. In a name, `_` equals `-` and capitals
equal small letters. A `-` right before a letter is part of the name around it; a minus is followed
by a blank or a number. Any other text is an error; nothing is executed.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

_TOKEN = re.compile(
    r"\s*(?:(\d+\.?\d*(?:[eE][+-]?\d+)?)|([A-Za-z_](?:[\w:.]|-(?=[A-Za-z]))*)|([-+*/()]))"
)
_DEEPEST = 50


class ExpressionError(ValueError):
    """An error in an expression's text."""


def canonical(name: str) -> str:
    """Normalize a counter's name, so that equal names are spelled alike."""
    return name.lower().replace("-", "_")


@dataclass(frozen=True, slots=True)
class Expression:
    """An expression as `steps` in reverse Polish order: a number, a name, or an operation's sign."""

    steps: tuple[float | str, ...]

    @property
    def names(self) -> set[str]:
        return {s for s in self.steps if isinstance(s, str) and s not in _OPERATIONS}

    def value(self, values: Mapping[str, float | None]) -> float | None:
        """Compute the value; None if a counter is not known or a divisor is 0."""
        stack: list[float | None] = []
        for step in self.steps:
            if isinstance(step, float):
                stack.append(step)
            elif step in _OPERATIONS:
                right, left = stack.pop(), stack.pop()
                stack.append(_applied(step, left, right))
            else:
                stack.append(values.get(step))
        return stack[0]


_OPERATIONS = {"+": 1, "-": 1, "*": 2, "/": 2}


def _applied(sign: str, left: float | None, right: float | None) -> float | None:
    if left is None or right is None or (sign == "/" and right == 0):
        return None
    if sign == "/":
        return left / right
    return {"+": left + right, "-": left - right, "*": left * right}[sign]


def parse(text: str) -> Expression:
    """Parse an expression; raise `ExpressionError` with the error's text."""
    tokens = _tokens(text)
    steps: list[float | str] = []
    rest = _sum(tokens, steps, 0)
    if rest:
        raise ExpressionError(f"{rest[0]} is not expected")
    return Expression(tuple(steps))


def _tokens(text: str) -> list[float | str]:
    tokens: list[float | str] = []
    at = 0
    text = text.rstrip()
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None:
            raise ExpressionError(f"{text[at:].strip()[:20]} is not understood")
        number, name, sign = match.groups()
        tokens.append(float(number) if number else canonical(name) if name else sign)
        at = match.end()
    return tokens


def _sum(tokens: list[float | str], steps: list[float | str], depth: int) -> list[float | str]:
    return _chain(tokens, steps, depth, 1)


def _chain(
    tokens: list[float | str], steps: list[float | str], depth: int, level: int
) -> list[float | str]:
    """Parse operands of the next level between operations of this level, from left to right."""

    def operand(tokens: list[float | str]) -> list[float | str]:
        if level == 1:
            return _chain(tokens, steps, depth, 2)
        return _factor(tokens, steps, depth)

    rest = operand(tokens)
    while rest and isinstance(rest[0], str) and _OPERATIONS.get(rest[0]) == level:
        sign = rest[0]
        rest = operand(rest[1:])
        steps.append(sign)
    return rest


def _factor(tokens: list[float | str], steps: list[float | str], depth: int) -> list[float | str]:
    if not tokens or depth > _DEEPEST:
        raise ExpressionError("something is missing at its end")
    first, *rest = tokens
    if first == "(":
        rest = _sum(rest, steps, depth + 1)
        if not rest or rest[0] != ")":
            raise ExpressionError("a parenthesis is not closed")
        return rest[1:]
    if first in _OPERATIONS or first == ")":
        raise ExpressionError(f"{first} is not expected")
    steps.append(first)
    return rest
