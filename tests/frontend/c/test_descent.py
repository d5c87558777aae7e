"""The way down to an offset is the same wherever the last one ended."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from typing import cast

import pytest

from pomp_clang.frontend.c.libclang import CursorKind
from pomp_clang.frontend.c.node import Descent, SyntaxNode
from pomp_clang.frontend.source import OffsetRanges

KINDS = (CursorKind.COMPOUND_STMT, CursorKind.LAMBDA_EXPR)


@dataclass
class _Node:
    start: int
    end: int
    kind: int
    children: list[_Node] = field(default_factory=list)

    @property
    def extents(self) -> OffsetRanges:
        return OffsetRanges((child.start, child.end) for child in self.children)


def _tree(chance: random.Random, start: int, end: int, depth: int) -> _Node:
    """Return a tree in which some siblings overlap, as those that one macro makes."""
    node = _Node(start, end, chance.choice(KINDS))
    at = start
    while depth and at < end:
        first = chance.randint(at, end)
        last = chance.randint(first, end)
        node.children.append(_tree(chance, first, last, depth - 1))
        at = last if chance.random() < 0.8 else chance.randint(first, last)
        if chance.random() < 0.3:
            break
    return node


@pytest.mark.parametrize("seed", range(40))
def test_a_way_does_not_depend_on_the_last_one(seed: int) -> None:
    chance = random.Random(seed)
    top = cast(SyntaxNode, _tree(chance, 0, 60, 5))
    descent = Descent(top, 0, 60)
    for _ in range(200):
        offset = chance.randint(0, 60)
        path, functions = descent.to(offset)
        fresh_path, fresh_functions = Descent(top, 0, 60).to(offset)
        assert [id(node) for node in path] == [id(node) for node in fresh_path]
        expected = [id(n) for n in reversed(path) if n.kind == CursorKind.LAMBDA_EXPR]
        assert [id(node) for node in functions] == expected
        assert len(functions) == len(fresh_functions)
