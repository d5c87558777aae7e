"""The functions of the source in the code of one: its own, and those inlined into it."""

from __future__ import annotations

import os

from pomp_clang.record import record
from pomp_clang.selection.cost import prices
from pomp_clang.selection.cost.block_frequency import BlockFrequencies
from pomp_clang.selection.cost.module import Code, Instruction, Module

InlineSite = tuple[int, int]
"""A function of the source: its node, and the node where it was inlined, or 0."""

FunctionPlace = tuple[str, int, str]
"""A function of the source: the file's name without its folder, its line, and its own name."""


@record
class FunctionPart:
    """A function of the source in the code of one function.

    `cycles` are those of a call without its callees, `calls` has the number of calls by name.
    `repeated` is True if it was inlined into a loop. `spot` is None for code without a source.
    """

    spot: FunctionPlace | None
    inlined: bool
    cycles: float
    calls: dict[str, float]
    loops: bool
    repeated: bool


def parts(module: Module, code: Code, expected: BlockFrequencies) -> list[FunctionPart]:
    """Return the part of the function itself, then those of functions that were inlined into it."""
    return _PartCollector(module, code, expected).all()


def called(code: Code, nests: list[int]) -> dict[str, int]:
    """Return the functions that a function calls, and in how many loops."""
    callees: dict[str, int] = {}
    for block, nest in zip(code.blocks, nests, strict=True):
        for instruction in block.instructions:
            for name in _callees(instruction):
                callees[name] = max(callees.get(name, 0), nest)
    return callees


class _PartCollector:
    def __init__(self, module: Module, code: Code, expected: BlockFrequencies) -> None:
        self._nodes = module.nodes
        self._code = code
        self._flow = expected
        self._chains: dict[int, list[InlineSite]] = {}
        self._own = (code.subprogram, 0)

    def all(self) -> list[FunctionPart]:
        entered: dict[InlineSite, float] = {self._own: 1.0}
        cycles: dict[InlineSite, float] = {self._own: 0.0}
        calls: dict[InlineSite, dict[str, float]] = {self._own: {}}
        loops: set[InlineSite] = set()
        repeated: set[InlineSite] = set()
        looping = {number for loop in self._flow.loops for number in loop.body}
        for number, block in enumerate(self._code.blocks):
            runs = self._flow.runs[number]
            for instruction in block.instructions:
                chain = self._chain(instruction.location)
                for place in chain:
                    if place not in entered and number in looping:
                        repeated.add(place)
                    if entered.setdefault(place, runs) < runs and place != self._own:
                        loops.add(place)
                    if instruction.calls is None:
                        price = prices.instruction(instruction.opcode) * runs
                        cycles[place] = cycles.get(place, 0.0) + price
                    else:
                        _add(calls.setdefault(place, {}), instruction, runs)
                if number in looping and len(chain) == 1:
                    loops.add(self._own)
        return [
            FunctionPart(
                self._spot(place[0]),
                bool(place[1]),
                cycles.get(place, 0.0) / runs if runs else 0.0,
                {name: n / runs for name, n in calls.get(place, {}).items()} if runs else {},
                place in loops,
                place in repeated,
            )
            for place, runs in entered.items()
        ]

    def _chain(self, location: int) -> list[InlineSite]:
        """Return the functions of the source that an instruction is from, innermost first."""
        known = self._chains.get(location)
        if known is None:
            known = self._chains[location] = self._follow(location)
        return known

    def _follow(self, location: int) -> list[InlineSite]:
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

    def _spot(self, subprogram: int) -> FunctionPlace | None:
        _, fields = self._nodes.get(subprogram, ("", {}))
        file = fields.get("file", "")
        if "line" not in fields or not file[1:].isdigit():
            return None
        _, about = self._nodes.get(int(file[1:]), ("", {}))
        base = os.path.basename(about.get("filename", ""))
        return base, int(fields["line"]), own_name(fields.get("name", ""))


def own_name(name: str) -> str:
    """Return a function's name without its scope and without template arguments.

    >>> own_name("space::{lambda}"), own_name("f<std::pair<int, int> >"), own_name("C::operator<")
    ('operator()', 'f', 'operator<')
    """
    if name.endswith("{lambda}"):
        return "operator()"
    at = name.find("operator")
    if at >= 0 and (at == 0 or name[at - 1] == ":"):
        return name[at:]
    return name.split("<")[0].rsplit("::", 1)[-1]


def _add(calls: dict[str, float], instruction: Instruction, runs: float) -> None:
    for name in _callees(instruction):
        calls[name] = calls.get(name, 0.0) + runs


def _callees(instruction: Instruction) -> list[str]:
    """Return the function that an instruction calls, and the functions that it passes on."""
    if instruction.calls is None:
        return []
    others = instruction.references if instruction.calls.startswith(prices.RUNS_OTHERS) else []
    return [instruction.calls, *others]


def _number(text: str) -> int:
    return int(text[1:]) if text.startswith("!") and text[1:].isdigit() else 0
