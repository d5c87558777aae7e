"""Nodes of the newer constructs: task loops, masked, and what is measured from around."""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import dataclass

from tests.random_programs.constructs import Team, entered, mixed
from tests.random_programs.model import Amount, Node, Tally, Where
from tests.random_programs.nest import Head, apart, iterations, write_nest
from tests.random_programs.text import Directive, Text


def member(amount: Amount, where: Where, team: Where) -> Where:
    """The member of the team whose number `amount` is worth where the construct stands."""
    number = amount.worth(where) if where.executions else 0
    return team.only(tuple(tid for tid in team.tids if tid == number))


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
        team = entered(self.team, where)
        if self.team is not None:
            tally[self.key, "execC"] += team.executions
        inside = member(self.amount, where, team)
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
            if self.heads:
                write_nest(self.heads, self.body, out)
            else:
                mixed(self.directive, self.body).write(out)
        out.ended(placed)
        apart(self.heads, out)

    def count(self, where: Where, tally: Tally) -> None:
        team = entered(self.team, where)
        tally[self.key, "execC"] += team.executions
        inside = team
        if self.only is not None:
            inside = member(self.only, where, team)
        elif self.team is not None:
            inside = team.alone()
        for iteration in iterations(self.heads, inside):
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
