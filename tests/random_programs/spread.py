"""Nodes of what OpenMP has since 4.5: masked, loops that are spread, and where no call may stand."""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import dataclass

from tests.random_programs.constructs import (
    Team,
    construct,
    entered,
    member,
    mixed,
    write_block_or_nest,
)
from tests.random_programs.model import Amount, Node, Tally, Where, Wrapping
from tests.random_programs.nest import Head, iterations, separate
from tests.random_programs.text import Directive, Text


def chosen(amount: Amount, where: Where, team: Where) -> Where:
    """Return the member of the team whose number is the value of `amount` where the construct
    stands.
    """
    return member(amount.worth(where) if where.executions else 0, team)


@dataclass(frozen=True, slots=True)
class Masked(Wrapping):
    """masked, and with a `team` parallel masked and parallel master: the member whose
    number `amount` gives runs the block."""

    key: int
    directive: Directive
    amount: Amount
    body: Node
    team: Team | None = None

    def write(self, out: Text) -> None:
        with construct(out, self.key, self.directive.kind, self.directive):
            mixed(self.directive, self.body).write(out)

    def count(self, where: Where, tally: Tally) -> None:
        team = entered(self.team, where)
        if self.team is not None:
            tally[self.key, "execC"] += team.executions
        inside = chosen(self.amount, where, team)
        if self.team is None:
            tally[self.key, "execC"] += inside.executions
        self.body.count(inside, tally)


@dataclass(frozen=True, slots=True)
class Spread(Wrapping):
    """A loop that each arriving thread runs once, in any of these ways: taskloop, simd, loop,
    distribute.

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
        quiet = out.opaque() if self.opaque else nullcontext()
        with construct(out, self.key, self.directive.kind, self.directive), quiet:
            write_block_or_nest(self.directive, self.heads, self.body, out)
        separate(self.heads, out)

    def count(self, where: Where, tally: Tally) -> None:
        team = entered(self.team, where)
        tally[self.key, "execC"] += team.executions
        inside = team
        if self.only is not None:
            inside = chosen(self.only, where, team)
        elif self.team is not None:
            inside = team.alone()
        for iteration in iterations(self.heads, inside):
            self.body.count(iteration, tally)


@dataclass(frozen=True, slots=True)
class Never(Node):
    """A statement that is not reached."""

    body: Node

    def write(self, out: Text) -> None:
        self.body.write(out)

    def count(self, where: Where, tally: Tally) -> None:
        self.body.count(where.only(()), tally)


@dataclass(frozen=True, slots=True)
class Quiet(Wrapping):
    """A node inside which no call may stand."""

    body: Node

    def write(self, out: Text) -> None:
        with out.opaque():
            self.body.write(out)

    def count(self, where: Where, tally: Tally) -> None:
        self.body.count(where, tally)


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
