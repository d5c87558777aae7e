"""Nodes of the newer constructs: task loops, masked, and what is measured from around."""

from __future__ import annotations

import itertools
from contextlib import nullcontext
from dataclasses import dataclass

from tests.random_programs.constructs import Head, Team, mixed
from tests.random_programs.model import Amount, Node, Tally, Where
from tests.random_programs.statements import head, substatement
from tests.random_programs.text import Directive, Text


@dataclass(frozen=True, slots=True)
class Masked(Node):
    """masked, and with a `team` parallel masked and parallel master: the member whose
    number `amount` gives runs the block."""

    key: int
    directive: Directive
    amount: Amount
    body: Node
    team: Team | None = None

    def write(self, out: Text) -> None:
        placed = out.place(self.key, self.directive.kind, *out.directive(self.directive))
        out.gap()
        mixed(self.directive, self.body).write(out)
        out.ended(placed)

    def count(self, where: Where, tally: Tally) -> None:
        team = where
        if self.team is not None:
            team = where.forked(self.team.threads, self.team.condition)
            tally[self.key, "execC"] += team.executions
        number = self.amount.worth(where) if where.executions else 0
        inside = team.only(tuple(t for t in team.tids if t == number))
        if self.team is None:
            tally[self.key, "execC"] += inside.executions
        self.body.count(inside, tally)

    @property
    def open_ended(self) -> bool:
        return self.body.open_ended


@dataclass(frozen=True, slots=True)
class Spread(Node):
    """A loop that each who comes by goes through once, in whichever way: taskloop, simd,
    loop, distribute.

    `opaque`: nothing inside is instrumented.  `only`: the member of a team who does it;
    `team`: one member of this new team does.
    """

    key: int
    directive: Directive
    heads: tuple[Head, ...]
    body: Node
    opaque: bool = False
    only: Amount | None = None
    team: Team | None = None

    def write(self, out: Text) -> None:
        placed = out.place(self.key, self.directive.kind, *out.directive(self.directive))
        out.gap()
        with out.opaque() if self.opaque else nullcontext():
            self._nest(self.heads, out)
        out.ended(placed)
        if len(self.heads) > 1:
            out.line()

    def _nest(self, heads: tuple[Head, ...], out: Text) -> None:
        if not heads:
            mixed(self.directive, self.body).write(out)
            return
        outer, *inner = heads
        if not inner:
            head(outer.text, out, self.body)
            substatement(self.body, out)
            return
        out.line()
        out.put(outer.text)
        with out.deeper():
            out.line()
            self._nest(tuple(inner), out)

    def count(self, where: Where, tally: Tally) -> None:
        team = where
        if self.team is not None:
            team = where.forked(self.team.threads, self.team.condition)
        tally[self.key, "execC"] += team.executions
        inside = team
        if self.only is not None:
            number = self.only.worth(where) if where.executions else 0
            inside = team.only(tuple(t for t in team.tids if t == number))
        elif self.team is not None:
            inside = team.alone()
        for values in itertools.product(*(each.values for each in self.heads)):
            iteration = inside
            for each, value in zip(self.heads, values, strict=True):
                iteration = iteration.given(each.expression, value)
            self.body.count(iteration, tally)

    @property
    def open_ended(self) -> bool:
        return self.body.open_ended


@dataclass(frozen=True, slots=True)
class Never(Node):
    """A statement that is not reached."""

    body: Node

    def write(self, out: Text) -> None:
        self.body.write(out)

    def count(self, where: Where, tally: Tally) -> None:
        self.body.count(where.only(()), tally)


@dataclass(frozen=True, slots=True)
class Quiet(Node):
    """What stands where no call may."""

    body: Node

    def write(self, out: Text) -> None:
        with out.opaque():
            self.body.write(out)

    def count(self, where: Where, tally: Tally) -> None:
        self.body.count(where, tally)

    @property
    def open_ended(self) -> bool:
        return self.body.open_ended


@dataclass(frozen=True, slots=True)
class Silent(Node):
    """A directive that has no events."""

    directive: Directive

    def write(self, out: Text) -> None:
        out.directive(self.directive)
        if self.directive.is_attribute:
            out.put(";")

    def count(self, where: Where, tally: Tally) -> None:
        pass
