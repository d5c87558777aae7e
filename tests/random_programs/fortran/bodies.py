"""Choices for Fortran: directives with their END, conditions, bodies of constructs."""

from __future__ import annotations

import re
from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from tests.random_programs.choices import Choices, Place, Pool, number_of
from tests.random_programs.constructs import Team
from tests.random_programs.fortran.nodes import BlockConstruct, DoHead, Items, LoopStyle, Settled
from tests.random_programs.fortran.program import SHARED, words_of
from tests.random_programs.fortran.text import Form, FortranText
from tests.random_programs.model import Amount, Constant, Node, Numbered
from tests.random_programs.statements import Mark, Plain, Tick
from tests.random_programs.text import Directive, Spelling

SPELLINGS = (
    Spelling.PRAGMA, Spelling.COMMAS, Spelling.SPACED, Spelling.DIGRAPH, Spelling.TRAILED,
    Spelling.SPLICED,
)  # fmt: skip
REDUCTIONS = (
    ("+", "{0} = {0} + 2", None), ("ior", "{0} = ior({0}, 2)", 6),
    ("max", "{0} = max({0}, 9)", 9), ("min", "{0} = min({0}, 2)", 2),
)  # fmt: skip
CONSTANTS = (
    Constant("one == 1", True), Constant("zero == 1", False), Constant(".not. zero == 1", True),
    Constant("one .eq. 1 .and. zero .eq. 0", True), Constant("same(one) == 1", True),
)  # fmt: skip
TICK = "call tick({})"
LOCAL = ("i_", "r_", "x_", "v_", "n_")
WORD = re.compile(r"\b(?:one|zero|[a-z]+_\d+)\b")


@dataclass(slots=True)
class Parts:
    """The parts of a construct: its clauses, and the statements before it, at the start of its
    body and behind it; `ending` are the clauses of its END directive."""

    clauses: list[str] = field(default_factory=list)
    before: list[Node] = field(default_factory=list)
    start: list[Node] = field(default_factory=list)
    after: list[Node] = field(default_factory=list)
    private: set[str] = field(default_factory=set)
    ending: list[str] = field(default_factory=list)
    declared: list[str] = field(default_factory=list)

    def framed(self, node: Node) -> Node:
        items = (*self.before, node, *self.after)
        declared = tuple(f"integer :: {name}" for name in self.declared)
        if declared:
            return BlockConstruct(items, declared)
        return Items(items) if len(items) > 1 else node


class Bodies(Choices):
    """Chooses what all Fortran constructs are made of."""

    def __init__(self, seed: int, compiler: str, form: Form) -> None:
        super().__init__(seed, False, compiler)
        self.form = form
        self.declared: list[str] = []
        self.where = ""
        """the kind of the procedure that is made"""
        self.include_depth = 0
        """the number of INCLUDE lines around, whose files have no macros"""

    @property
    def gfortran(self) -> bool:
        return self.compiler == "gfortran"

    @abstractmethod
    def statement(self, place: Place) -> Node:
        """Return any one statement."""

    def variable(self, stem: str) -> str:
        """Return a variable of the procedure."""
        name = self.name(stem)
        self.declared.append(name)
        return name

    def directive(self, words: str, clauses: Sequence[str] = ()) -> Directive:
        """Return a directive in any spelling, also out of a macro."""
        listed = list(clauses)
        self.random.shuffle(listed)
        spelled = Directive(words, tuple(listed), self.one_of(SPELLINGS))
        plain = not any(WORD.search(clause) for clause in clauses)
        macros = self.form.preprocessed and not self.include_depth
        # To flang a line of fixed form that begins with D is a comment.
        macros = macros and (self.gfortran or not self.form.fixed)
        if macros and plain and self.chance(0.08) and words.startswith("omp"):
            name = f"DIRECTIVE_{len(self.macros) + 1}"
            text = " ".join((f"!${words}", *listed))
            if len(text) < 70:
                self.macros.append(f"#define {name} {text}")
                return Directive(f"{name}", (), Spelling.MACRO, spelled.kind)
        return spelled

    def end(
        self, words: str, clauses: Sequence[str] = (), optional: bool = False
    ) -> Directive | None:
        """Return an END directive, or None if it is left out."""
        if optional and not clauses and self.chance(0.4):
            return None
        return Directive(f"omp end {words}", tuple(clauses), self.one_of(SPELLINGS))

    def constant(self) -> Constant:
        return self.one_of(CONSTANTS)

    def condition(self, place: Place) -> Constant | Numbered:
        if place.numbered and self.chance(0.25):
            divisor = self.random.randint(1, 3)
            remainder = self.random.randrange(divisor)
            text = f"mod(omp_get_thread_num(), {divisor}) == {remainder}"
            return Numbered(text, divisor, remainder)
        return self.constant()

    def body(self, place: Place, start: Sequence[Node] = ()) -> Node:
        """Return the statements of a block, of which a BLOCK construct is not the first."""
        node = self.statement(place)
        if start or self.begins_with_block(node):
            node = Items((*(start or (Tick(Amount(1), TICK),)), node))
        return node

    def ended_block(self, words: str, body: Node, clauses: Sequence[str] = ()) -> tuple[
        Node, Directive | None
    ]:  # fmt: skip
        """Return a body and its END, which is left out behind a BLOCK construct at times."""
        if self.gfortran and not clauses and "(" not in words and self.chance(0.15):
            return BlockConstruct((body,)), self.end(words, (), optional=True)
        return body, self.end(words, clauses)

    def begins_with_block(self, node: Node) -> bool:
        out = FortranText(0, 0.0, "", Form(fixed=False))
        node.write(out)
        lines = [line.strip() for line in str(out).splitlines()]
        code = [line for line in lines if line and not line.startswith(("!", "#"))]
        return not code or code[0].removeprefix("!$ ").startswith(("block", "include"))

    def declares(self, *nodes: Node) -> bool:
        """Return True if nodes have variables of BLOCK constructs, or names of critical ones.

        flang 19 fails where a construct around would get private copies of either.
        """
        words = words_of(*nodes)
        return "integer" in words or any(word.startswith("named_") for word in words)

    def used_variables(self, *nodes: Node) -> set[str]:
        """Return the variables that occur in nodes."""
        words = words_of(*nodes)
        return {w for w in words if w in SHARED or (w[:2] in LOCAL and w[2:].isdigit())}

    def new_team(self, place: Place) -> tuple[Team, list[str]]:
        clauses, threads, condition = [], None, True
        if place.level or self.chance(0.5):
            threads = self.random.randint(1, 4 if place.level == 0 else 3)
            clauses.append(f"num_threads({self.one_of((str(threads), f'{threads - 1} + one'))})")
        if self.chance(0.25):
            chosen = self.constant()
            condition = chosen.truth
            clauses.append(f"if({self.one_of(('', 'parallel: '))}{chosen.text})")
        if self.chance(0.15):
            clauses.append(f"proc_bind({self.one_of(('close', 'spread', 'master'))})")
        return Team(threads, condition), clauses

    def heads(self, number: int, own: bool = False) -> tuple[DoHead, ...]:
        """Return the heads of DO loops; `own`: their variables are declared elsewhere."""
        heads: list[DoHead] = []
        label = self.label() if self.chance(0.25) else 0
        for _ in range(number):
            variable = self.name("i") if own else self.variable("i")
            count = self.random.randint(1, 3 if number > 1 else 6)
            first, step = self.one_of(((0, 1), (1, 1), (2, 3), (count, -1)))
            last = first + (count - 1) * step
            bounds = [
                self.one_of((str(n), str(n), f"{n} + zero", f"{n - 1} + one"))
                for n in (first, last)
            ]
            by = f", {step}" if step != 1 or self.chance(0.2) else ""
            style = LoopStyle(label=label)
            if not label and self.chance(0.2):
                style = LoopStyle(name=self.name("Loop"))
            values = tuple(range(first, last + (1 if step > 0 else -1), step))
            text = f"{variable} = {bounds[0]}, {bounds[1]}{by}"
            heads.append(DoHead(text, variable, values, style))
        return tuple(heads)

    def label(self) -> int:
        return 10 * self.number()

    def data(self, parts: Parts, kinds: Sequence[str], pool: Pool | None = None) -> None:
        """Add a data-sharing clause with its variable."""
        kind = self.one_of(kinds)
        name = self.name("x")
        first = 6 if kind == "lastprivate" else 4
        start: Node = Plain(f"if ({name} /= 4) call tick(1)")
        after: Node = Settled(name, first)
        clause = f"{kind}({name})"
        if kind == "reduction":
            operator, text, last = self.one_of(REDUCTIONS)
            clause = f"reduction({operator}: {name})"
            start = Mark(text.format(name), name, Amount(1 if last else 2))
            after = Settled(name, first, last=last)
        elif kind != "firstprivate":
            start = Plain(f"{name} = 6")
        if pool is None:
            parts.declared.append(name)
            parts.before.append(Plain(f"{name} = {first}"))
            parts.after.append(after)
        else:
            pool.counts[name] = first
            pool.later[name] = after
        parts.clauses.append(clause)
        parts.start.append(start)
        parts.private.add(name)

    def sharing(
        self, parts: Parts, inside: Sequence[Node], first: int, pool: Sequence[str] = ()
    ) -> None:
        """Add default(none) or another default, with the lists that it needs."""
        names = self.used_variables(*inside, *parts.start) - parts.private
        outer = {n for n in names if number_of(n) < first or n in pool}
        kinds = ["", "", "shared", "none", "private", "firstprivate"]
        if not self.gfortran and self.declares(*inside):
            kinds = kinds[:4]
        default = self.one_of(kinds)
        if default in ("none", "private", "firstprivate") and outer:
            parts.clauses.append(f"shared({', '.join(sorted(outer))})")
        if default:
            parts.clauses.append(f"default({default})")

    def inside_team(self, place: Place, **changed: object) -> Place:
        """Return the place inside a new team."""
        inside = replace(place.deeper(), level=place.level + 1, cancel="", grouped=False)
        return replace(inside, **changed)  # type: ignore[arg-type]
