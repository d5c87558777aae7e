"""The functions of the source in the code of one: its own, and those inlined into it."""

from __future__ import annotations

from typing import NamedTuple

from pomp_clang.selection.cost import prices
from pomp_clang.selection.cost.block_frequency import BlockFrequencies
from pomp_clang.selection.cost.debug_information import FunctionPlace
from pomp_clang.selection.cost.module import BasicBlock, Code, Instruction, Module

InlineSite = tuple[int, int]
"""A function of the source: its node, and the node where it was inlined, or 0."""


class FunctionPart(NamedTuple):
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
        self._debug = module.debug
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
            for location, instructions in _by_location(block).items():
                chain = self._chain(location)
                price = sum(prices.instruction(i.opcode) for i in instructions if i.calls is None)
                calling = [i for i in instructions if i.calls is not None]
                for place in chain:
                    if place not in entered and number in looping:
                        repeated.add(place)
                    if entered.setdefault(place, runs) < runs and place != self._own:
                        loops.add(place)
                    cycles[place] = cycles.get(place, 0.0) + price * runs
                    for instruction in calling:
                        _add(calls.setdefault(place, {}), instruction, runs)
                if number in looping and len(chain) == 1:
                    loops.add(self._own)
        return [
            FunctionPart(
                self._debug.place(place[0]),
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
            subprogram, at = self._debug.inlined(location)
            known = [(subprogram, at), *self._chain(at)] if at else [self._own]
            self._chains[location] = known
        return known


def _by_location(block: BasicBlock) -> dict[int, list[Instruction]]:
    """Return the instructions of a block by the node of their location."""
    by_location: dict[int, list[Instruction]] = {}
    for instruction in block.instructions:
        by_location.setdefault(instruction.location, []).append(instruction)
    return by_location


def _add(calls: dict[str, float], instruction: Instruction, runs: float) -> None:
    for name in _callees(instruction):
        calls[name] = calls.get(name, 0.0) + runs


def _callees(instruction: Instruction) -> list[str]:
    """Return the function that an instruction calls, and the functions that it passes on."""
    if instruction.calls is None:
        return []
    others = instruction.references if instruction.calls.startswith(prices.RUNS_OTHERS) else []
    return [instruction.calls, *others]
