"""The way down a file's tree to an offset."""

from __future__ import annotations

from pomp_clang.frontend.c.node import FUNCTIONS, SyntaxNode
from pomp_clang.record import record


@record
class _Step:
    """A node on the way, and the offsets (`low` and `high` excluded) whose ways all have it.

    `functions` are the functions and lambdas up to it, innermost first.
    """

    node: SyntaxNode
    low: int
    high: int
    functions: tuple[SyntaxNode, ...]


class Descent:
    """The way from a node down to the innermost node around an offset.

    The next way begins where it leaves the last one: constructs are asked for in their order, and
    a chain of a thousand else-ifs is a thousand nodes deep.
    """

    def __init__(self, top: SyntaxNode, low: int, high: int) -> None:
        functions = (top,) if top.kind in FUNCTIONS else ()
        self._steps = [_Step(top, low, high, functions)]

    def to(self, offset: int) -> tuple[tuple[SyntaxNode, ...], tuple[SyntaxNode, ...]]:
        """Return the nodes around an offset, outermost first, and the functions among them,
        innermost first."""
        steps = self._steps
        while len(steps) > 1 and not steps[-1].low < offset < steps[-1].high:
            steps.pop()
        while (inner := steps[-1].node.extents.first_around(offset)) is not None:
            steps.append(_below(steps[-1], inner))
        return tuple([step.node for step in steps]), steps[-1].functions


def _below(step: _Step, number: int) -> _Step:
    """Return the step to a child of a node."""
    node = step.node.children[number]
    functions = (node, *step.functions) if node.kind in FUNCTIONS else step.functions
    if step.node.extents.is_disjoint:
        return _Step(node, max(step.low, node.start), min(step.high, node.end), functions)
    return _Step(node, 0, 0, functions)
