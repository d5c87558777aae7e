"""Estimates of what a call of a function costs, by the function's place in the source. They come
from the cost of a unit's functions by themselves, and the functions that they call.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from statistics import median

from pomp_clang.frontend.constructs import FunctionCandidates
from pomp_clang.record import record
from pomp_clang.selection.cost import prices
from pomp_clang.selection.cost.block_frequency import ControlFlowGraph
from pomp_clang.selection.cost.debug_information import FunctionPlace
from pomp_clang.selection.cost.inlined import FunctionPart, called, parts
from pomp_clang.selection.cost.module import Code, Module


@record
class FunctionSummary:
    """A function in code.

    `calls` has its callees, with the number of loops around the call. `by_nest` has its parts if it
    is called in no loop, in one loop, and in more; a single element holds for all.
    """

    name: str
    local: bool
    calls: dict[str, int]
    by_nest: list[list[FunctionPart]]

    def parts(self, around: int) -> list[FunctionPart]:
        """Return the parts of a function that is called in `around` loops, its own first."""
        return self.by_nest[min(around, len(self.by_nest) - 1)]


Summary = list[FunctionSummary]


def summarized(module: Module) -> Summary:
    """Summarize the functions of a module."""
    return [_function(module, code) for code in module.functions]


def _function(module: Module, code: Code) -> FunctionSummary:
    graph = ControlFlowGraph(code, module.weights)
    by_nest = [parts(module, code, graph.flow())]
    if graph.guesses:
        around = range(1, prices.DEEP + 1)
        by_nest += [parts(module, code, graph.flow(nest)) for nest in around]
    return FunctionSummary(code.name, code.local, called(code, graph.nests()), by_nest)


Key = tuple[int, str]
"""A function in code: the number of its unit, or -1 if all units share it, and its name."""


@record
class Estimate:
    """The estimate of a function of the source: nanoseconds of a call with all its callees.

    `inlined` is True if only other functions hold its code. `loops` is True if it has a loop,
    `sends` if it calls MPI, and `repeated` if it is called in a loop.
    """

    nanoseconds: float
    inlined: bool
    loops: bool
    sends: bool
    repeated: bool = False

    @property
    def worth_it(self) -> bool:
        """True if a call costs so much that its events do not matter."""
        minimum = prices.REPEATED_WORTH if self.repeated else prices.WORTH
        return self.nanoseconds * prices.CYCLES_PER_NANOSECOND >= minimum


@record
class Estimates:
    """The estimates of a program's functions, in the units that are known.

    They are found by the file's name without its folder and the line, and then by name.
    """

    by_line: Mapping[tuple[str, int], Mapping[str, Estimate]]

    @cached_property
    def candidates(self) -> FunctionCandidates:
        """The functions that may be measured for what they cost."""
        lines: dict[str, set[int]] = {}
        for (file, line), estimates in self.by_line.items():
            if any(estimate.worth_it or estimate.sends for estimate in estimates.values()):
                lines.setdefault(file, set()).add(line)
        return FunctionCandidates({file: frozenset(numbers) for file, numbers in lines.items()})

    def of(self, file: str, line: int, name: str) -> Estimate | None:
        """Return the estimate of a function, or None if the compiler makes no code for it."""
        estimates = self.by_line.get((os.path.basename(file), line), {})
        if name in estimates:
            return estimates[name]
        return max(estimates.values(), key=lambda estimate: estimate.nanoseconds, default=None)


def estimates(units: Sequence[Summary]) -> Estimates:
    """Estimate all functions whose code the units of one program hold."""
    return _Program(units).estimates()


class _Program:
    def __init__(self, units: Sequence[Summary]) -> None:
        self._units = units
        self._local = [{function.name for function in unit if function.local} for unit in units]
        self._codes: dict[Key, tuple[int, FunctionSummary]] = {}
        for number, unit in enumerate(units):
            for function in unit:
                self._codes.setdefault(self._key(number, function.name), (number, function))
        calls = {
            key: {
                self._key(number, name): nest
                for name, nest in code.calls.items()
                if self._key(number, name) in self._codes
            }
            for key, (number, code) in self._codes.items()
        }
        # Callees come before their callers.
        groups = list(_components({key: list(after) for key, after in calls.items()}))
        self._around = _loop_depths(groups, calls)
        self._cycles: dict[Key, float] = {}
        for group in groups:
            self._cycles.update(self._together(group))

    def estimates(self) -> Estimates:
        """Return those of all units."""
        members = [(key, number, code) for key, (number, code) in self._codes.items()]
        alone: dict[FunctionPlace, list[Estimate]] = {}
        inlined: dict[FunctionPlace, list[Estimate]] = {}
        for key, number, code in members:
            for part in code.parts(self._around[key]):
                if part.spot is not None:
                    kind = inlined if part.inlined else alone
                    cycles = self._paid(number, part) if part.inlined else self._cycles[key]
                    estimate = _estimate(part, cycles, self._around[key] > 0)
                    kind.setdefault(part.spot, []).append(estimate)
        by_line: dict[tuple[str, int], dict[str, Estimate]] = {}
        for kind, together in ((inlined, _median_cost), (alone, _dearest)):
            for (file, line, name), alternatives in kind.items():
                by_line.setdefault((file, line), {})[name] = together(alternatives)
        return Estimates(by_line)

    def _together(self, group: list[Key]) -> dict[Key, float]:
        """Return the cycles of a call of functions that call one another, or of a single one.

        A function that calls itself does so for a part of its work, and a call is one part. A
        recursion that ends makes on average at most one more call for each call. If the code seems
        to make more, its loops have fewer iterations.
        """
        self._cycles.update(dict.fromkeys(group, 0.0))
        costs = {}
        for key in group:
            number, code = self._codes[key]
            own_part = code.parts(self._around[key])[0]
            calls = own_part.calls.items()
            again = sum((often for name, often in calls if self._key(number, name) in group), 0.0)
            costs[key] = self._paid(number, own_part) / max(again, 1.0)
        return costs

    def _key(self, number: int, name: str) -> Key:
        return (number if name in self._local[number] else -1, name)

    def _paid(self, number: int, part: FunctionPart) -> float:
        """Return the cycles of a call, with those of the functions that it calls."""
        cycles = part.cycles
        for name, often in part.calls.items():
            known = self._cycles.get(self._key(number, name))
            cycles += often * (prices.callee(name) if known is None else known + prices.CALL)
        return cycles


def _estimate(part: FunctionPart, cycles: float, repeated: bool) -> Estimate:
    return Estimate(
        cycles / prices.CYCLES_PER_NANOSECOND,
        part.inlined,
        part.loops,
        any(name.startswith(prices.MESSAGES) for name in part.calls),
        part.repeated or repeated,
    )


def _median_cost(alternatives: list[Estimate]) -> Estimate:
    """Return the median over the places where a function was inlined.

    Code that is unrolled there counts several times.
    """
    return _joined(alternatives, median(estimate.nanoseconds for estimate in alternatives))


def _dearest(alternatives: list[Estimate]) -> Estimate:
    """Return the maximum over the instances of a template."""
    return _joined(alternatives, max(estimate.nanoseconds for estimate in alternatives))


def _joined(alternatives: list[Estimate], nanoseconds: float) -> Estimate:
    return Estimate(
        nanoseconds,
        alternatives[0].inlined,
        any(estimate.loops for estimate in alternatives),
        any(estimate.sends for estimate in alternatives),
        any(estimate.repeated for estimate in alternatives),
    )


def _loop_depths(groups: list[list[Key]], calls: Mapping[Key, Mapping[Key, int]]) -> dict[Key, int]:
    """Return the number of loops in which each function is called, with those of its callers."""
    nests = {key: 0 for group in groups for key in group}
    for group in reversed(groups):
        for key in group:
            for other, nest in calls[key].items():
                if other not in group:
                    nests[other] = max(nests[other], min(nests[key] + nest, prices.DEEP))
    return nests


def _components(after: Mapping[Key, list[Key]]) -> Iterator[list[Key]]:
    """Yield groups of functions that call one another, callees before callers (Tarjan)."""
    index: dict[Key, int] = {}
    low: dict[Key, int] = {}
    stack: list[Key] = []
    on_stack: set[Key] = set()
    for root in after:
        if root in index:
            continue
        pending = [(root, iter(after[root]))]
        while pending:
            key, others = pending[-1]
            if key not in index:
                index[key] = low[key] = len(index)
                stack.append(key)
                on_stack.add(key)
            for other in others:
                if other not in index:
                    pending.append((other, iter(after[other])))
                    break
                if other in on_stack:
                    low[key] = min(low[key], index[other])
            else:
                pending.pop()
                if pending:
                    low[pending[-1][0]] = min(low[pending[-1][0]], low[key])
                if low[key] == index[key]:
                    group = stack[stack.index(key) :]
                    del stack[len(stack) - len(group) :]
                    on_stack.difference_update(group)
                    yield group
