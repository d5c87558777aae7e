"""Statements of the base languages."""

from __future__ import annotations

from dataclasses import dataclass

from tests.random_programs.model import Condition, Node, Tally, Where
from tests.random_programs.text import Directive, Text

TICK = 0
"""The key of the atomic that every tick executes."""


def head(text: str, out: Text, *bodies: Node | None) -> None:
    """The head of a statement, on a line of its own unless braces follow: compilers look at
    the columns of what is unbraced."""
    if any(body is not None and not isinstance(body, Block) for body in bodies):
        out.line()
    out.put(text)


def substatement(node: Node, out: Text) -> None:
    """A statement that belongs to the head before it."""
    if isinstance(node, Block):
        node.write(out)
        return
    with out.deeper():
        out.line()
        node.write(out)
    out.line()


@dataclass(frozen=True, slots=True)
class Tick(Node):
    """Adds to the sum that the program prints."""

    expression: str
    form: str = "tick({});"

    def write(self, out: Text) -> None:
        out.put(self.form.format(self.expression))

    def count(self, where: Where, tally: Tally) -> None:
        tally[TICK, "execC"] += where.executions


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
        """Whether it has no else, so that no compiler asks whose that is."""
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
    statement expression."""

    before: str
    items: tuple[Node, ...]
    after: str
    ticks: int = 0

    def write(self, out: Text) -> None:
        out.put(self.before)
        with out.deeper():
            for item in self.items:
                out.gap()
                item.write(out)
        out.gap()
        out.put(self.after)

    def count(self, where: Where, tally: Tally) -> None:
        tally[TICK, "execC"] += where.executions * self.ticks
        for item in self.items:
            item.count(where, tally)


@dataclass(frozen=True, slots=True)
class Branches(Node):
    """#if and #else; the dead branch is no part of the program."""

    condition: str
    truth: bool
    live: Node
    dead: Node

    def write(self, out: Text) -> None:
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
