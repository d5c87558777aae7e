"""Statements of the base languages."""

from __future__ import annotations

from dataclasses import dataclass

from tests.random_programs.model import TICK, Amount, Condition, Node, Tally, Where
from tests.random_programs.text import Directive, Text


def head(text: str, out: Text, *bodies: Node | None) -> None:
    """Write the head of a statement, on a line of its own unless braces follow: compilers check the
    columns of unbraced bodies.
    """
    if any(body is not None and not isinstance(body, Block) for body in bodies):
        out.line()
    out.put(text)


def substatement(node: Node, out: Text) -> None:
    """Write a statement that belongs to the head before it."""
    if isinstance(node, Block):
        node.write(out)
        return
    with out.deeper():
        out.line()
        node.write(out)
    out.line()


@dataclass(frozen=True, slots=True)
class Tick(Node):
    """Adds to the sum that the program prints; `spelt`: how the amount is written."""

    amount: Amount
    form: str = "tick({});"
    spelt: str = ""

    def write(self, out: Text) -> None:
        out.put(self.form.format(self.spelt or self.amount))

    def count(self, where: Where, tally: Tally) -> None:
        tally[TICK, "execC"] += where.executions
        if where.executions:
            tally[TICK, "sum"] += where.executions * self.amount.worth(where)


ONE = Amount(1)


@dataclass(frozen=True, slots=True)
class Mark(Node):
    """A statement whose executions change what a variable is worth in the end."""

    text: str
    name: str
    amount: Amount = ONE
    is_open: bool = False

    def write(self, out: Text) -> None:
        out.put(self.text)

    @property
    def open_ended(self) -> bool:
        return self.is_open

    def count(self, where: Where, tally: Tally) -> None:
        if where.executions:
            tally[TICK, self.name] += where.executions * self.amount.worth(where)


@dataclass(frozen=True, slots=True)
class Settled(Node):
    """Adds a variable that was reduced: `first`, and what its marks added, or `last` if
    they came to be executed at all."""

    name: str
    first: int
    step: int = 1
    last: int | None = None

    def write(self, out: Text) -> None:
        out.put(f"tick({self.name});")

    def count(self, where: Where, tally: Tally) -> None:
        marks = tally[TICK, self.name]
        tally[TICK, self.name] = 0
        tally[TICK, "execC"] += where.executions
        if self.last is None:
            tally[TICK, "sum"] += where.executions * self.first + self.step * marks
        else:
            tally[TICK, "sum"] += where.executions * (self.last if marks else self.first)


@dataclass(frozen=True, slots=True)
class Plain(Node):
    """A statement or declaration that counts for nothing."""

    text: str
    open: bool = False

    def write(self, out: Text) -> None:
        out.put(self.text)

    def count(self, where: Where, tally: Tally) -> None:
        pass

    @property
    def open_ended(self) -> bool:
        return self.open


@dataclass(frozen=True, slots=True)
class Block(Node):
    """A compound statement."""

    items: tuple[Node, ...]

    def write(self, out: Text) -> None:
        out.put("{")
        with out.deeper():
            for item in self.items:
                out.gap()
                item.write(out)
        out.gap()
        out.put("}")

    def count(self, where: Where, tally: Tally) -> None:
        for item in self.items:
            item.count(where, tally)


@dataclass(frozen=True, slots=True)
class If(Node):
    condition: Condition
    then: Node
    other: Node | None = None

    def write(self, out: Text) -> None:
        head(f"if ({self.condition.text})", out, self.then, self.other)
        then = self.then
        if then.open_ended and not (self.other is None and self._is_bare(then)):
            then = Block((then,))
        substatement(then, out)
        if self.other is not None:
            if not isinstance(self.other, Block):
                out.line()
            out.put("else")
            substatement(self.other, out)

    def count(self, where: Where, tally: Tally) -> None:
        yes, no = self.condition.split(where)
        self.then.count(yes, tally)
        if self.other is not None:
            self.other.count(no, tally)

    @property
    def open_ended(self) -> bool:
        return True

    @staticmethod
    def _is_bare(node: Node) -> bool:
        """Return whether it is an if without else, so that no compiler warns about an ambiguous
        else.
        """
        return isinstance(node, If) and node.other is None and not node.then.open_ended


@dataclass(frozen=True, slots=True)
class Switch(Node):
    """`case` for 0, 1, ..., the last arm is the default."""

    expression: str
    value: int | None
    arms: tuple[Node, ...]

    def write(self, out: Text) -> None:
        out.put(f"switch ({self.expression}) {{")
        out.line()
        for number, arm in enumerate(self.arms):
            out.put("default:" if arm is self.arms[-1] else f"case {number}:")
            with out.deeper():
                out.gap()
                arm.write(out)
                out.gap()
                out.put("break;")
            out.line()
        out.put("}")

    def count(self, where: Where, tally: Tally) -> None:
        value = where.values[self.expression] if self.value is None else self.value
        self.arms[min(value, len(self.arms) - 1)].count(where, tally)


@dataclass(frozen=True, slots=True)
class Labelled(Node):
    """A label on a statement, and a jump that is never taken."""

    label: str
    body: Node

    def write(self, out: Text) -> None:
        out.line()
        out.put(f"{{ if (zero) goto {self.label};")
        out.gap()
        out.put("tick(1);")
        out.gap()
        out.put(f"{self.label}:")
        out.gap()
        self.body.write(out)
        out.gap()
        out.put("}")

    def count(self, where: Where, tally: Tally) -> None:
        tally[TICK, "execC"] += where.executions
        tally[TICK, "sum"] += where.executions
        self.body.count(where, tally)


@dataclass(frozen=True, slots=True)
class Try(Node):
    """A try block that may throw at its end."""

    body: Node
    handler: Node
    throws: bool

    def write(self, out: Text) -> None:
        out.put("try")
        thrown = (Plain("if (one) throw 1;"),) if self.throws else ()
        Block((self.body, *thrown)).write(out)
        out.put("catch (int)")
        Block((self.handler,)).write(out)

    def count(self, where: Where, tally: Tally) -> None:
        self.body.count(where, tally)
        if self.throws:
            self.handler.count(where, tally)


@dataclass(frozen=True, slots=True)
class Enclosed(Node):
    """A list of statements within an expression: a lambda that is called in place, a
    statement expression.  It may be worth a tick."""

    before: str
    items: tuple[Node, ...]
    after: str
    ticks: Amount | None = None

    def write(self, out: Text) -> None:
        out.put(self.before)
        with out.deeper():
            for item in self.items:
                out.gap()
                item.write(out)
        out.gap()
        out.put(self.after)

    def count(self, where: Where, tally: Tally) -> None:
        if self.ticks is not None:
            Tick(self.ticks).count(where, tally)
        for item in self.items:
            item.count(where, tally)


@dataclass(frozen=True, slots=True)
class Argument(Node):
    """A statement as the argument of a macro, which makes it again; in braces of its own."""

    macro: str
    body: Node

    def write(self, out: Text) -> None:
        out.put(f"{{ {self.macro}(")
        with out.arguments():
            self.body.write(out)
            out.put(")")
        out.put("}")

    def count(self, where: Where, tally: Tally) -> None:
        self.body.count(where, tally)


@dataclass(frozen=True, slots=True)
class Branches(Node):
    """#if and #else; the dead branch is no part of the program."""

    condition: str
    truth: bool
    live: Node
    dead: Node

    def write(self, out: Text) -> None:
        if out.in_macro:
            self.live.write(out)
            return
        out.preprocessor(f"#if {self.condition}")
        self._branch(out, self.truth)
        out.preprocessor("#else")
        self._branch(out, not self.truth)
        out.preprocessor("#endif")

    def _branch(self, out: Text, live: bool) -> None:
        if live:
            self.live.write(out)
        else:
            with out.dead():
                self.dead.write(out)

    def count(self, where: Where, tally: Tally) -> None:
        self.live.count(where, tally)

    @property
    def open_ended(self) -> bool:
        return self.live.open_ended


@dataclass(frozen=True, slots=True)
class Silenced(Node):
    """A stretch between noinstrument and instrument; stands in a list."""

    begin: Directive
    items: tuple[Node, ...]
    end: Directive

    def write(self, out: Text) -> None:
        with out.silenced():
            out.directive(self.begin)
            for item in self.items:
                out.gap()
                item.write(out)
        out.gap()
        out.directive(self.end)

    def count(self, where: Where, tally: Tally) -> None:
        for item in self.items:
            item.count(where, tally)
