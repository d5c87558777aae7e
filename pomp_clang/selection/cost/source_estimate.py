"""An estimate of a function's cost from its text, where there is no bitcode."""

from __future__ import annotations

import re
from collections.abc import Mapping

from pomp_clang.frontend.constructs import Construct, Constructs
from pomp_clang.record import record
from pomp_clang.selection.cost import prices
from pomp_clang.selection.cost.debug_information import own_name
from pomp_clang.selection.cost.estimates import Estimate

_TOKEN = re.compile(
    r"(?P<blank>\s+|//[^\n]*|/\*.*?\*/|^[ \t]*#[^\n]*)"
    r'|(?P<text>"(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)*\')'
    r"|(?P<word>[A-Za-z_]\w*)|(?P<number>\.?\d[\w.]*)|(?P<sign>[-+*/%<>=!&|^~?]+|.)",
    re.S | re.M,
)
_LIMIT = re.compile(r"[<>]=?\s*(\d+)\b")
_NO_CALLS = frozenset(
    (
        "if",
        "for",
        "while",
        "switch",
        "return",
        "sizeof",
        "alignof",
        "catch",
        "decltype",
        "int",
        "double",
        "float",
        "char",
        "long",
        "unsigned",
        "bool",
        "size_t",
        "static_cast",
    )
)
_LOOPS = frozenset(("for", "while", "do"))

PER_TOKEN = 0.5


def estimate(constructs: Constructs, construct: Construct) -> Estimate:
    """Estimate the cost of a function; the functions that it calls are looked up in its file."""
    assert construct.block is not None
    text = constructs.source.text[construct.block.start : construct.block.end]
    bodies, name = _bodies(constructs), own_name(construct.sub_name)
    reading = _FunctionText(bodies, name)
    bodies.cycles[name] = reading.cycles(text)
    nanoseconds = bodies.cycles[name] / prices.CYCLES_PER_NANOSECOND
    return Estimate(nanoseconds, False, reading.loops > 0, reading.sends)


@record
class _FunctionBodies:
    """The texts of a file's functions, and the cycles known so far, by their names."""

    constructs: Constructs
    texts: Mapping[str, str]
    cycles: dict[str, float]


_read: list[_FunctionBodies] = []


def _bodies(constructs: Constructs) -> _FunctionBodies:
    if not _read or _read[0].constructs is not constructs:
        text = constructs.source.text
        texts = {
            own_name(construct.sub_name): text[construct.block.start : construct.block.end]
            for construct in constructs.items
            if construct.function is not None and construct.block is not None
        }
        _read[:] = [_FunctionBodies(constructs, texts, {})]
    return _read[0]


class _FunctionText:
    """One function's text, token by token."""

    def __init__(self, bodies: _FunctionBodies, name: str) -> None:
        self._bodies = bodies
        self.loops = 0
        self.sends = False
        # A function that calls itself does so for a part of its work: a call is one part.
        bodies.cycles[name] = 0.0

    def cycles(self, text: str) -> float:
        """Return the cycles of the text, with the assumed trips of each loop in it."""
        tokens = [
            (str(match.lastgroup), match.group())
            for match in _TOKEN.finditer(text)
            if match.lastgroup != "blank"
        ]
        cost, _ = self._until(tokens, 0, "")
        return cost

    def _until(self, tokens: list[tuple[str, str]], at: int, close: str) -> tuple[float, int]:
        cost = 0.0
        while at < len(tokens) and tokens[at][1] != close:
            cycles, at = self._one(tokens, at)
            cost += cycles
        return cost, at + 1

    def _one(self, tokens: list[tuple[str, str]], at: int) -> tuple[float, int]:
        kind, text = tokens[at]
        after = tokens[at + 1][1] if at + 1 < len(tokens) else ""
        if text in ("{", "("):
            return self._until(tokens, at + 1, "}" if text == "{" else ")")
        if text in _LOOPS and kind == "word":
            return self._loop(tokens, at)
        if kind == "word" and after == "(" and text not in _NO_CALLS:
            return self._call(text), at + 1
        return PER_TOKEN, at + 1

    def _loop(self, tokens: list[tuple[str, str]], at: int) -> tuple[float, int]:
        self.loops += 1
        head, trips, start = 0.0, prices.SEARCH_TRIPS, at + 1
        if tokens[at][1] != "do" and tokens[start : start + 1] and tokens[start][1] == "(":
            head, body = self._until(tokens, start + 1, ")")
            if tokens[at][1] == "for":
                limit = _LIMIT.search(" ".join(text for _, text in tokens[start:body]))
                trips = float(limit[1]) if limit else prices.COUNTED_TRIPS
            start = body
        cycles, end = self._statement(tokens, start)
        return (head + cycles) * trips, end

    def _statement(self, tokens: list[tuple[str, str]], at: int) -> tuple[float, int]:
        cost = 0.0
        while at < len(tokens):
            text = tokens[at][1]
            cycles, at = self._one(tokens, at)
            cost += cycles
            if text in (";", "{") or text in _LOOPS:
                break
        return cost, at

    def _call(self, name: str) -> float:
        self.sends = self.sends or name.startswith(prices.MESSAGES)
        body = self._bodies.texts.get(name)
        if body is None:
            return prices.callee(name)
        known = self._bodies.cycles.get(name)
        if known is None:
            known = _FunctionText(self._bodies, name).cycles(body)
            self._bodies.cycles[name] = known
        return known + prices.CALL
