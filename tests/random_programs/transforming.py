"""Loops that a directive transforms, and no other takes."""

from __future__ import annotations

from dataclasses import dataclass

from tests.random_programs.apart import Apart
from tests.random_programs.choices import Place
from tests.random_programs.model import Node, Tally, Where, Wrapping
from tests.random_programs.nest import Head, iterations, separate, write_nest
from tests.random_programs.statements import Block, Tick
from tests.random_programs.text import Directive, Text
from tests.random_programs.worksharing import HEADS


@dataclass(frozen=True, slots=True)
class Transformed(Wrapping):
    """Loops that a directive transforms and that all arriving threads run alike."""

    directives: tuple[Directive, ...]
    heads: tuple[Head, ...]
    body: Node

    def write(self, out: Text) -> None:
        for directive in self.directives:
            out.directive(directive)
            out.gap()
        write_nest(self.heads, self.body, out)
        separate(self.heads, out)

    def count(self, where: Where, tally: Tally) -> None:
        for iteration in iterations(self.heads, where):
            self.body.count(iteration, tally)


class Transforming(Apart):
    """Makes tile and unroll."""

    def transformed(self, place: Place) -> Node:
        """Return such loops, one or two in each other."""
        nest = self.random.randint(1, 2)
        texts = {1: ("tile sizes(2)", "unroll", "unroll partial(2)", "unroll full", "tile sizes(3)"),
                 2: ("tile sizes(2, 3)", "tile sizes(1, 2)")}[nest]  # fmt: skip
        words = [self.one_of(texts)]
        if nest == 1 and self.chance(0.3):
            words = [self.one_of(("unroll", "tile sizes(2)")), "unroll partial(2)"]
        heads = self._plain_heads(nest)
        inside = place.separate().knowing(*(head.expression for head in heads))
        # clang 19 crashes on a construct in loops that it tiles alone.
        alone = any("tile" in word for word in words) or len(words) > 1
        body = self._tick(inside) if alone else self.statement(inside)
        directives = tuple(self.simply(f"omp {word}") for word in words)
        return Transformed(directives, heads, body)

    def _tick(self, place: Place) -> Node:
        tick = Tick(self.value(place))
        return self.one_of((tick, Block((tick,)), Block((tick, tick))))

    def _plain_heads(self, nest: int) -> tuple[Head, ...]:
        transforms = []
        for _ in range(nest):
            text, expression, start, step = self.one_of(HEADS[:6])
            variable, count = self.name("i"), self.random.randint(1, 4)
            values = tuple(range(start, start + count * step, step))
            transforms.append(
                Head(text.format(variable, count), expression.format(variable), values)
            )
        return tuple(transforms)
