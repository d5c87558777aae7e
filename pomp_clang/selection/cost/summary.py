"""The cost of a unit's functions by themselves, and the functions that they call."""

from __future__ import annotations

from pomp_clang.record import record
from pomp_clang.selection.cost import prices
from pomp_clang.selection.cost.block_frequency import ControlFlowGraph
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
