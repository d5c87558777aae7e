"""What a unit's functions cost by themselves, and what they call: all that its code is read for."""

from __future__ import annotations

from pomp_clang.record import record
from pomp_clang.selection.cost import prices
from pomp_clang.selection.cost.flow import Graph
from pomp_clang.selection.cost.inlined import Part, called, parts
from pomp_clang.selection.cost.module import Code, Module


@record
class Function:
    """A function in code: `calls` has what it calls with in how many loops it does so, `by_nest`
    its parts where it is called in no loop, in one, in more; once where that is all the same."""

    name: str
    local: bool
    calls: dict[str, int]
    by_nest: list[list[Part]]

    def parts(self, around: int) -> list[Part]:
        """The function itself first, then what was inlined, if it is called in so many loops."""
        return self.by_nest[min(around, len(self.by_nest) - 1)]


Summary = list[Function]


def summarised(module: Module) -> Summary:
    """The functions of a module."""
    return [_function(module, code) for code in module.functions]


def _function(module: Module, code: Code) -> Function:
    graph = Graph(code, module.weights)
    by_nest = [parts(module, code, graph.flow())]
    if graph.guesses:
        around = range(1, prices.DEEP + 1)
        by_nest += [parts(module, code, graph.flow(nest)) for nest in around]
    return Function(code.name, code.local, called(code, graph.nests()), by_nest)
