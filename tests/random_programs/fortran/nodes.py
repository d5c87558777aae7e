"""The nodes of Fortran programs: those of C, which count, with other text."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass

from tests.random_programs import constructs, loops, spread, statements
from tests.random_programs.fortran.text import FortranText
from tests.random_programs.model import Node, Tally, Where
from tests.random_programs.nest import Head
from tests.random_programs.text import Directive, Placed, Spelling, Text


@contextmanager
def construct(
    out: Text, key: int, kind: str, directive: Directive, end: Directive | None
) -> Iterator[Placed]:
    """Write a directive and, behind the text written in the `with` block, its END directive."""
    placed = out.place(key, kind, *out.directive(directive))
    placed.in_macro = directive.spelling is Spelling.MACRO
    yield placed
    if end is None:
        out.ended(placed)
        assert isinstance(out, FortranText)
        out.unended = directive.kind
        return
    spot, placed.end_last = out.directive(end)
    placed.end_first = spot.line


class Items(statements.Block):
    """Statements, one behind the other."""

    __slots__ = ()

    def write(self, out: Text) -> None:
        for item in self.items:
            out.gap()
            item.write(out)


@dataclass(frozen=True, slots=True)
class BlockConstruct(statements.Block):
    """A BLOCK construct with declarations of its own."""

    declared: tuple[str, ...] = ()

    def write(self, out: Text) -> None:
        out.put("block")
        with out.deeper():
            for text in self.declared:
                out.put(text)
            Items(self.items).write(out)
        out.put("end block")


class If(statements.If):
    __slots__ = ()

    def write(self, out: Text) -> None:
        out.put(f"if ({self.condition.text}) then")
        with out.deeper():
            self.then.write(out)
        if self.other is not None:
            out.put("else")
            with out.deeper():
                self.other.write(out)
        out.put("end if")


class Select(statements.Switch):
    """SELECT CASE of 0, 1, ..., the last arm is the default."""

    __slots__ = ()

    def write(self, out: Text) -> None:
        out.put(f"select case ({self.expression})")
        for number, arm in enumerate(self.arms):
            out.put("case default" if arm is self.arms[-1] else f"case ({number})")
            with out.deeper():
                arm.write(out)
        out.put("end select")


@dataclass(frozen=True, slots=True)
class Jump(Node):
    """A jump over statements that is never taken, to a label behind them."""

    label: int
    body: Node

    def write(self, out: Text) -> None:
        out.put(f"if (zero == 1) goto {self.label}")
        self.body.write(out)
        assert isinstance(out, FortranText)
        out.label(self.label)
        out.put("continue")

    def count(self, where: Where, tally: Tally) -> None:
        self.body.count(where, tally)


class Settled(statements.Settled):
    __slots__ = ()

    def write(self, out: Text) -> None:
        out.put(f"call tick({self.name})")


@dataclass(frozen=True, slots=True)
class LoopStyle:
    """How a DO loop ends: by END DO, with a `name`, or at a labelled statement, whose text is
    `terminal`, or CONTINUE if that is empty."""

    name: str = ""
    label: int = 0
    terminal: str = ""


@dataclass(frozen=True, slots=True)
class DoHead(Head):
    """The head of a DO loop; `text` is what stands behind DO."""

    style: LoopStyle = LoopStyle()


def write_do(heads: tuple[Head, ...], body: Node, out: Text) -> None:
    """Write DO loops, one in the other, round the body; loops of one label end together."""
    head = heads[0]
    assert isinstance(head, DoHead) and isinstance(out, FortranText)
    style = head.style
    named = f"{style.name}: " if style.name else ""
    out.put(f"{named}do {style.label or ''} {head.text}".replace("do  ", "do "))
    shared = len(heads) > 1 and style.label > 0
    with out.deeper():
        if len(heads) > 1:
            write_do(heads[1:], body, out)
        else:
            body.write(out)
    if style.label and not shared:
        out.label(style.label)
        out.put(style.terminal or "continue")
    elif not style.label:
        out.put(f"end do {style.name}".rstrip())


class Acquire(constructs.Acquire):
    """A lock's call, whose parts may be on several lines."""

    __slots__ = ()

    def write(self, out: Text) -> None:
        assert isinstance(out, FortranText)
        out.put(self.before, self.routine, f"{self.arguments}{self.after}")
        begin, last = out.position(self.routine)
        placed = out.place(self.key, "lock", begin, last)
        placed.end_first = placed.end_last = out.position(self.arguments.strip())[1]


class Repeat(loops.Repeat):
    """A sequential loop: DO, DO WHILE, or one that is left by EXIT."""

    __slots__ = ()

    def write(self, out: Text) -> None:
        name, rounds = self.variable, self.rounds
        if self.form is loops.Loop.FOR:
            out.put(f"do {name} = 0, {rounds} - 1")
        elif self.form is loops.Loop.DOWN:
            out.put(f"do {name} = {rounds} - 1, 0, -1")
        elif self.form is loops.Loop.WHILE:
            out.put(f"{name} = -1")
            out.put(f"do while ({name} < {rounds} - 1)")
            out.put(f"{name} = {name} + 1")
        else:
            out.put(f"{name} = -1")
            out.put("do")
            out.put(f"{name} = {name} + 1")
            out.put(f"if ({name} >= {rounds}) exit")
        with out.deeper():
            self.body.write(out)
        out.put("enddo")


@dataclass(frozen=True, slots=True)
class Blocked(constructs.Blocked):
    end: Directive | None = None

    def write(self, out: Text) -> None:
        with construct(out, self.key, self.kind, self.directive, self.end), out.deeper():
            self.body.write(out)


@dataclass(frozen=True, slots=True)
class Opaque(Blocked):
    """A construct inside which no call may stand."""

    def write(self, out: Text) -> None:
        with construct(out, self.key, self.kind, self.directive, self.end), out.opaque():
            self.body.write(out)


@dataclass(frozen=True, slots=True)
class Parallel(constructs.Parallel):
    end: Directive | None = None

    def write(self, out: Text) -> None:
        with construct(out, self.key, self.directive.kind, self.directive, self.end), out.deeper():
            self.body.write(out)


@dataclass(frozen=True, slots=True)
class Shared(constructs.Shared):
    end: Directive | None = None

    def write(self, out: Text) -> None:
        with construct(out, self.key, self.directive.kind, self.directive, self.end):
            write_do(self.heads, self.body, out)


@dataclass(frozen=True, slots=True)
class Sections(constructs.Sections):
    end: Directive | None = None

    def write(self, out: Text) -> None:
        with construct(out, self.key, self.directive.kind, self.directive, self.end):
            for directive, node in self.parts:
                if directive is not None:
                    out.directive(directive)
                with out.deeper():
                    node.write(out)


@dataclass(frozen=True, slots=True)
class Masked(spread.Masked):
    end: Directive | None = None

    def write(self, out: Text) -> None:
        with construct(out, self.key, self.directive.kind, self.directive, self.end), out.deeper():
            self.body.write(out)


@dataclass(frozen=True, slots=True)
class Spread(spread.Spread):
    end: Directive | None = None

    def write(self, out: Text) -> None:
        quiet = out.opaque() if self.opaque else nullcontext()
        with construct(out, self.key, self.directive.kind, self.directive, self.end), quiet:
            write_do(self.heads, self.body, out)


@dataclass(frozen=True, slots=True)
class Included(Node):
    """Statements in a file of their own."""

    file: str
    body: Node
    by_cpp: bool = False

    def write(self, out: Text) -> None:
        assert isinstance(out, FortranText)
        with out.include(self.file, self.by_cpp) as other:
            self.body.write(other)

    def count(self, where: Where, tally: Tally) -> None:
        self.body.count(where, tally)


@dataclass(frozen=True, slots=True)
class Together(Node):
    """Statements that are written one behind the other, without a comment between them."""

    texts: tuple[str, ...]

    def write(self, out: Text) -> None:
        for text in self.texts:
            out.put(text)

    def count(self, where: Where, tally: Tally) -> None:
        pass


@dataclass(frozen=True, slots=True)
class Counted(Node):
    """A node whose text stands elsewhere."""

    node: Node

    def write(self, out: Text) -> None:
        pass

    def count(self, where: Where, tally: Tally) -> None:
        self.node.count(where, tally)
