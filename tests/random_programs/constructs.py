"""OpenMP constructs, lock calls and user regions."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from enum import Enum

from tests.random_programs.model import Node, Tally, Where, Wrapping
from tests.random_programs.nest import Head, iterations, separate, write_nest
from tests.random_programs.statements import Block
from tests.random_programs.text import Directive, Text


def mixed(directive: Directive, body: Node) -> Node:
    """Return the block of a directive: gcc takes no attribute on a statement with another
    directive.
    """
    inner = getattr(body, "directive", None)
    if isinstance(inner, Directive) and (inner.is_attribute or directive.is_attribute):
        return Block((body,))
    return body


@contextmanager
def construct(out: Text, key: int, kind: str, directive: Directive) -> Iterator[None]:
    """Write a directive; text written in the `with` block belongs to it."""
    placed = out.place(key, kind, *out.directive(directive))
    out.gap()
    yield
    out.ended(placed)


def write_block_or_nest(
    directive: Directive, heads: tuple[Head, ...], body: Node, out: Text
) -> None:
    """Write a directive's body: a nest of loops if there are `heads`, else a block."""
    if heads:
        write_nest(heads, body, out)
    else:
        mixed(directive, body).write(out)


class Who(Enum):
    """Which members of a team execute the block of a construct."""

    ALL = "all"
    MASTER = "master"
    ONE = "one"

    def of(self, where: Where) -> Where:
        if self is Who.MASTER:
            return member(0, where)
        return where.alone() if self is Who.ONE else where


def member(number: int, team: Where) -> Where:
    """Return the member of a team that has this number."""
    return team.only(tuple(tid for tid in team.tids if tid == number))


@dataclass(frozen=True, slots=True)
class Blocked(Wrapping):
    """critical, master, single, ordered, atomic: a directive and its statement."""

    key: int
    kind: str
    directive: Directive
    who: Who
    body: Node

    def write(self, out: Text) -> None:
        with construct(out, self.key, self.kind, self.directive):
            mixed(self.directive, self.body).write(out)

    def count(self, where: Where, tally: Tally) -> None:
        inside = self.who.of(where)
        counted = inside if self.who is Who.MASTER else where
        tally[self.key, "execC"] += counted.executions
        if self.kind == "task":
            tally[self.key, "createC"] += where.executions
        if self.who is Who.ONE:
            tally[self.key, "singleC"] += inside.executions
        self.body.count(inside, tally)


@dataclass(frozen=True, slots=True)
class Standalone(Node):
    """barrier, flush, ordered depend; stands in a list."""

    key: int
    kind: str
    directive: Directive

    def write(self, out: Text) -> None:
        out.place(self.key, self.kind, *out.directive(self.directive))
        if self.directive.is_attribute:
            out.put(";")

    def count(self, where: Where, tally: Tally) -> None:
        tally[self.key, "execC"] += where.executions


@dataclass(frozen=True, slots=True)
class Team:
    """A parallel directive's clauses for its team: num_threads, and the value of if."""

    threads: int | None = None
    condition: bool = True


def entered(team: Team | None, where: Where) -> Where:
    """Return the threads inside a construct that makes this team; without a team, the threads stay
    the same.
    """
    return where if team is None else where.forked(team.threads, team.condition)


@dataclass(frozen=True, slots=True)
class Parallel(Wrapping):
    key: int
    directive: Directive
    team: Team
    body: Node

    def write(self, out: Text) -> None:
        with construct(out, self.key, "parallel", self.directive):
            mixed(self.directive, self.body).write(out)

    def count(self, where: Where, tally: Tally) -> None:
        inside = entered(self.team, where)
        tally[self.key, "execC"] += inside.executions
        self.body.count(inside, tally)


@dataclass(frozen=True, slots=True)
class Shared(Wrapping):
    """for, for simd and, with a `team`, parallel for and parallel for simd; `transforms` stand
    between the directive and its loops."""

    key: int
    directive: Directive
    heads: tuple[Head, ...]
    body: Node
    team: Team | None = None
    transforms: tuple[Directive, ...] = ()

    def write(self, out: Text) -> None:
        with construct(out, self.key, self.directive.kind, self.directive):
            for directive in self.transforms:
                out.directive(directive)
                out.gap()
            write_nest(self.heads, self.body, out)
        separate(self.heads, out)

    def count(self, where: Where, tally: Tally) -> None:
        inside = entered(self.team, where)
        tally[self.key, "execC"] += inside.executions
        for iteration in iterations(self.heads, inside.alone()):
            self.body.count(iteration, tally)


@dataclass(frozen=True, slots=True)
class Sections(Node):
    """sections and, with a `team`, parallel sections; the first section may go without
    its directive (None)."""

    key: int
    directive: Directive
    parts: tuple[tuple[Directive | None, Node], ...]
    team: Team | None = None

    def write(self, out: Text) -> None:
        with construct(out, self.key, self.directive.kind, self.directive):
            out.put("{")
            for directive, node in self.parts:
                out.gap()
                if directive is not None:
                    out.directive(directive)
                    out.gap()
                node.write(out)
            out.gap()
            out.put("}")

    def count(self, where: Where, tally: Tally) -> None:
        inside = entered(self.team, where)
        tally[self.key, "execC"] += inside.executions
        tally[self.key, "sectC"] += inside.alone().executions * len(self.parts)
        for _, node in self.parts:
            node.count(inside.alone(), tally)


@dataclass(frozen=True, slots=True)
class Acquire(Node):
    """A call that gets a lock: `before`, the routine with its arguments, `after`."""

    key: int
    before: str
    routine: str
    arguments: str
    after: str

    def write(self, out: Text) -> None:
        text = f"{self.before}{self.routine}{self.arguments}{self.after}"
        spot = out.put(text)
        begin = type(spot)(spot.line, spot.column + len(self.before))
        out.place(self.key, "lock", begin, begin.line)

    def count(self, where: Where, tally: Tally) -> None:
        tally[self.key, "execC"] += where.executions


@dataclass(frozen=True, slots=True)
class Region(Node):
    """A user region; stands in a list."""

    key: int
    begin: Directive
    items: tuple[Node, ...]
    end: Directive

    def write(self, out: Text) -> None:
        placed = out.place(self.key, "region", *out.directive(self.begin))
        for item in self.items:
            out.gap()
            item.write(out)
        out.gap()
        spot, placed.end_last = out.directive(self.end)
        placed.end_first = spot.line

    def count(self, where: Where, tally: Tally) -> None:
        tally[self.key, "execC"] += where.executions
        for item in self.items:
            item.count(where, tally)


def in_braces(node: Node) -> Block:
    """Return the node as a compound statement."""
    return node if isinstance(node, Block) else Block((node,))
