"""The heads of nested loops that one directive takes together."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass

from tests.random_programs.model import Node, Where
from tests.random_programs.statements import head, substatement
from tests.random_programs.text import Text


@dataclass(frozen=True, slots=True)
class Head:
    """The head of a worksharing loop: its text, the expression that its body can use,
    and what that is worth in each iteration."""

    text: str
    expression: str
    values: tuple[int, ...]


def write_nest(heads: tuple[Head, ...], body: Node, out: Text) -> None:
    """Write the loops, one in the other, round the body."""
    outer, *inner = heads
    if not inner:
        head(outer.text, out, body)
        substatement(body, out)
        return
    out.line()
    out.put(outer.text)
    with out.deeper():
        out.line()
        write_nest(tuple(inner), body, out)


def separate(heads: tuple[Head, ...], out: Text) -> None:
    """Begin a new line behind a nest of several loops."""
    if len(heads) > 1:
        out.line()


def iterations(heads: tuple[Head, ...], where: Where) -> Iterator[Where]:
    """Yield each iteration of the nest, with known values of its variables."""
    for values in itertools.product(*(loop_head.values for loop_head in heads)):
        iteration = where
        for loop_head, value in zip(heads, values, strict=True):
            iteration = iteration.assuming(loop_head.expression, value)
        yield iteration
