"""What a function's code holds of which function of the source: its own, and what was inlined."""

from __future__ import annotations

import os

from pomp_clang.record import record
from pomp_clang.selection.cost import prices
from pomp_clang.selection.cost.flow import Flow
from pomp_clang.selection.cost.module import Code, Instruction, Module

Place = tuple[int, int]
"""A function of the source by its node, and where it was inlined: a node, 0 for nowhere."""

Spot = tuple[str, int, str]
"""A function of the source: the file's name without its folder, its line, and its own name."""


@record
class Part:
    """A function of the source in the code of one: `cycles` of a call of it without those that
    it calls, `calls` by name with how often, `repeated` if it was inlined into a loop; `spot`
    is None of what has no source."""

    spot: Spot | None
    inlined: bool
    cycles: float
    calls: dict[str, float]
    loops: bool
    repeated: bool


def parts(module: Module, code: Code, expected: Flow) -> list[Part]:
    """The function itself first, then what was inlined into it."""
    return _Parts(module, code, expected).all()


def called(code: Code, nests: list[int]) -> dict[str, int]:
    """What a function calls, each with in how many loops it does so."""
    found: dict[str, int] = {}
    for block, nest in zip(code.blocks, nests, strict=True):
        for each in block.instructions:
            for name in _callees(each):
                found[name] = max(found.get(name, 0), nest)
    return found


class _Parts:
    def __init__(self, module: Module, code: Code, expected: Flow) -> None:
        self._nodes = module.nodes
        self._code = code
        self._flow = expected
        self._chains: dict[int, list[Place]] = {}
        self._own = (code.subprogram, 0)

    def all(self) -> list[Part]:
        entered: dict[Place, float] = {self._own: 1.0}
        cycles: dict[Place, float] = {self._own: 0.0}
        calls: dict[Place, dict[str, float]] = {self._own: {}}
        loops: set[Place] = set()
        repeated: set[Place] = set()
        looping = {number for loop in self._flow.loops for number in loop.body}
        for number, block in enumerate(self._code.blocks):
            runs = self._flow.runs[number]
            for each in block.instructions:
                chain = self._chain(each.location)
                for place in chain:
                    if place not in entered and number in looping:
                        repeated.add(place)
                    if entered.setdefault(place, runs) < runs and place != self._own:
                        loops.add(place)
                    if each.calls is None:
                        paid = prices.instruction(each.opcode) * runs
                        cycles[place] = cycles.get(place, 0.0) + paid
                    else:
                        _add(calls.setdefault(place, {}), each, runs)
                if number in looping and len(chain) == 1:
                    loops.add(self._own)
        return [
            Part(
                self._spot(place[0]),
                bool(place[1]),
                cycles.get(place, 0.0) / runs if runs else 0.0,
                {name: n / runs for name, n in calls.get(place, {}).items()} if runs else {},
                place in loops,
                place in repeated,
            )
            for place, runs in entered.items()
        ]

    def _chain(self, location: int) -> list[Place]:
        """The functions of the source that an instruction is from, the innermost first."""
        known = self._chains.get(location)
        if known is None:
            known = self._chains[location] = self._follow(location)
        return known

    def _follow(self, location: int) -> list[Place]:
        kind, fields = self._nodes.get(location, ("", {}))
        if kind != "Location":
            return [self._own]
        at = _number(fields.get("inlinedAt", ""))
        if not at:
            return [self._own]
        return [(self._subprogram(_number(fields.get("scope", ""))), at), *self._chain(at)]

    def _subprogram(self, number: int) -> int:
        while number:
            kind, fields = self._nodes.get(number, ("", {}))
            if kind == "Subprogram":
                return number
            number = _number(fields.get("scope", ""))
        return 0

    def _spot(self, subprogram: int) -> Spot | None:
        _, fields = self._nodes.get(subprogram, ("", {}))
        file = fields.get("file", "")
        if "line" not in fields or not file[1:].isdigit():
            return None
        _, about = self._nodes.get(int(file[1:]), ("", {}))
        base = os.path.basename(about.get("filename", ""))
        return base, int(fields["line"]), own_name(fields.get("name", ""))


def own_name(name: str) -> str:
    """A function's name without what it belongs to, and without the arguments of a template.

    >>> own_name("space::{lambda}"), own_name("f<std::pair<int, int> >"), own_name("C::operator<")
    ('operator()', 'f', 'operator<')
    """
    if name.endswith("{lambda}"):
        return "operator()"
    at = name.find("operator")
    if at >= 0 and (at == 0 or name[at - 1] == ":"):
        return name[at:]
    return name.split("<")[0].rsplit("::", 1)[-1]


def _add(calls: dict[str, float], made: Instruction, runs: float) -> None:
    for name in _callees(made):
        calls[name] = calls.get(name, 0.0) + runs


def _callees(made: Instruction) -> list[str]:
    """What an instruction calls, and what that is given to call."""
    if made.calls is None:
        return []
    others = made.references if made.calls.startswith(prices.RUNS_OTHERS) else []
    return [made.calls, *others]


def _number(text: str) -> int:
    return int(text[1:]) if text.startswith("!") and text[1:].isdigit() else 0
