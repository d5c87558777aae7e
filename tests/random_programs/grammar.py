"""Statements of any kind, in the places that allow them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from tests.random_programs.choices import Place
from tests.random_programs.constructs import Region
from tests.random_programs.functions import Functions
from tests.random_programs.loops import Loop, Repeat
from tests.random_programs.model import Amount, Node, Numbered, Settings
from tests.random_programs.program import Call, Function, Program
from tests.random_programs.statements import (
    Argument,
    Block,
    Branches,
    Enclosed,
    If,
    Labelled,
    Plain,
    Silenced,
    Switch,
    Tick,
    Try,
)

TICKS = (
    "tick({});",
    "tick({});",
    "BUMP({});",
    "DO_BUMP({});",
    "{{ tick({}); }}",
    "BUMP_HERE({})",
    "chosen({});",
)

Make = Callable[[Place], Node]


class Grammar(Functions):
    """Chooses among everything; `budget` is how many nodes are left to make."""

    def __init__(self, seed: int, cplusplus: bool, compiler: str, budget: int) -> None:
        super().__init__(seed, cplusplus, compiler)
        self.obeyed = self.chance(0.3)
        self.budget = budget
        self.functions: list[Function] = []

    def tick(self, place: Place) -> Node:
        # g++ 12 crashes on a variant in constructors and destructors.
        forms = TICKS[:-1] if self.cplusplus and self.compiler == "gcc" else TICKS
        return Tick(self.value(place), self.one_of(forms))

    def statement(self, place: Place) -> Node:
        """Return one statement, with or without braces."""
        self.budget -= 1
        if place.depth <= 0 or self.budget <= 0:
            return self.tick(place)
        if self.chance(0.3):
            return self.block(place)
        weighted = self._constructs(place) + self._forms(place)
        makes = [make for make, _ in weighted]
        make = self.random.choices(makes, [weight for _, weight in weighted])[0]
        return make(place)

    def _constructs(self, place: Place) -> list[tuple[Make, float]]:
        if place.opaque:
            return []
        offered: list[tuple[Make, float]] = [
            (self.atomic, 1.5),
            (self.pure, 1.5),
            (self.scanned, 0.0 if place.untargeted or self.compiler == "gcc" else 0.4),
        ]
        if place.takes_tasks:
            offered += [(self.task, 3), (self.taskgroup, 1)]
            offered.append((self.taskloop, 1.5 if self.takes_loops_of_tasks(place) else 0.0))
            reduces = place.level < 2 and not place.unreduced
            offered.append((self.parallel_of_tasks, 0.5 if reduces else 0.0))
        if place.level < 2 and not place.untargeted:
            offered.append((self.target, 0.8))
        if place.level < 2 or (place.level < 3 and self.chance(0.2)):
            offered.append((self.parallel, 3.0 if place.level == 0 else 0.8))
            offered.append((self.combined, 3.0 if place.level == 0 else 0.8))
            offered.append((self.cancelled, 1.0 if self.obeyed else 0.0))
            offered.append((self.parallel_masked, 1.0 if place.level == 0 else 0.3))
        if place.held < 8:
            offered += [(self.critical, 2), (self.locked, 1.0)]
        if place.master:
            offered += [(self.master, 1), (self.masked, 1)]
        if place.team and (place.level or self.chance(0.2)):
            offered += [(self.shared, 3), (self.sections, 2), (self.single, 2.5)]
            offered.append((self.scope, 1.0 if place.level and self.compiler == "gcc" else 0.0))
        return offered

    def _forms(self, place: Place) -> list[tuple[Make, float]]:
        offered: list[tuple[Make, float]] = [
            (self.tick, 1), (self.conditional, 1.5), (self.repeat, 1), (self.switch, 0.6),
            (self.labelled, 0.5), (self.branches, 0.6), (self.expression, 0.3), (self.argument, 0.3),
        ]  # fmt: skip
        if place.opaque:
            return offered[:4]
        if self.since_5_1 and not place.loose:
            offered += [(self.metadirective, 0.8), (self.quiet_choice, 0.3)]
        if self.since_5_1:
            # clang 19 crashes on some loops that it transforms in templates.
            in_template = self.cplusplus and place.orphan
            offered += [(self.transformed, 0.0 if in_template else 0.8), (self.allocated, 0.3)]
        if self.callable_at(place):
            offered.append((self.call, 3))
        if self.cplusplus:
            offered += [(self.attempt, 0.8), (self.called_lambda, 0.8), (self.local_class, 0.4)]
        return offered

    def block(self, place: Place) -> Block:
        return Block(tuple(self.items(place)))

    def items(self, place: Place) -> list[Node]:
        """Return statements for a list."""
        nodes: list[Node] = []
        for _ in range(self.random.randint(1, 3)):
            if self.chance(0.2) and not place.opaque:
                nodes.append(self.standalone(place))
            if self.chance(0.06) and not place.opaque:
                nodes.append(self.unheard())
            if self.since_5_1 and self.chance(0.06) and not place.opaque and not place.loose:
                nodes.append(self.choosing_point(place))
            if place.takes_tasks and self.chance(0.1) and not place.opaque:
                nodes.append(self.wait())
            if place.cancel and self.chance(0.15):
                nodes.append(self.cancelling(place))
            if self.chance(0.08) and not place.opaque:
                nodes.append(self.region(place))
            if self.chance(0.06) and not place.silenced and not place.opaque:
                nodes.append(self.stretch(place))
            nodes.append(self.statement(place))
        return nodes

    def region(self, place: Place) -> Node:
        name = self.name("Phase")
        begin = self.directive(f"pomp inst begin({name})")
        end = self.directive(f"pomp inst end( {name} )")
        return Region(self.key(), begin, tuple(self.items(place.deeper())), end)

    def stretch(self, place: Place) -> Node:
        items = self.items(replace(place.deeper(), silenced=True))
        begin, end = (self.directive(f"pomp {word}") for word in ("noinstrument", "instrument"))
        return Silenced(begin, tuple(items), end)

    def conditional(self, place: Place) -> Node:
        condition = self.condition(place)
        inside = place.deeper()
        if isinstance(condition, Numbered):
            inside = replace(place.separate(), cancel=place.cancel)
        other = self.statement(inside) if self.chance(0.4) else None
        return If(condition, self.statement(inside), other)

    def repeat(self, place: Place) -> Node:
        variable = self.name("r")
        forms = [form for form in Loop if form is not Loop.RANGE or self.cplusplus]
        body = self.statement(place.deeper().knowing(variable))
        return Repeat(variable, self.random.randint(1, 3), self.one_of(forms), body)

    def switch(self, place: Place) -> Node:
        expression, value = "one + one", 2
        known: int | None = value
        if place.expressions and self.chance(0.7):
            expression, known = self.one_of(place.expressions), None
        arms = tuple(self.statement(place.deeper()) for _ in range(self.random.randint(2, 4)))
        return Switch(expression, known, arms)

    def labelled(self, place: Place) -> Node:
        return Labelled(self.name("Label"), self.statement(place.deeper()))

    def branches(self, place: Place) -> Node:
        condition, truth = self.one_of((("LIVE", True), ("!LIVE", False), ("defined NONE", False)))
        live, dead = self.statement(place.deeper()), self.statement(place.deeper())
        return Branches(condition, truth, live, dead)

    def argument(self, place: Place) -> Node:
        inside = replace(place.deeper(), depth=min(place.depth - 1, 2))
        return Argument(self.one_of(("ONLY", "ONCE")), self.block(inside))

    def expression(self, place: Place) -> Node:
        items = (*self.items(place.deeper()), Plain("3;"))
        return Enclosed("add(({", items, "}));", Amount(3))

    def attempt(self, place: Place) -> Node:
        inside = place.deeper()
        return Try(self.statement(inside), self.statement(inside), self.chance(0.5))

    def make_functions(self) -> None:
        """Make functions of the main unit, or also of a header, which a second unit includes."""
        shared = ("header",) * self.random.randint(1, 2) + ("second",)
        places = (shared if self.chance(0.3) else ()) + ("",) * self.random.randint(1, 3)
        for where in places:
            self.functions.append(self.function(where))

    def main(self) -> Block:
        """Return the body of main: some parallel regions, among other statements."""
        place = Place(6, team=True, master=True)
        nodes: list[Node] = []
        for _ in range(3):
            self.budget = max(self.budget, 8)
            nodes += [self.one_of((self.parallel, self.combined))(place), *self.items(place)]
        nodes += [Call(f, self.one_of(f.calls), "", 2) for f in self.functions]
        return Block(tuple(nodes))


MOST = 4000
"""Executions of constructs in a program: more take long on a small machine."""


def program(seed: int, language: str, compiler: str = "", size: int = 60) -> Program:
    """Return the program of a seed, in "c" or "c++", for both compilers or one of them."""
    for attempt in range(100):
        number = hash((seed, language == "c++", attempt))
        grammar = Grammar(number, language == "c++", compiler, size // 2)
        grammar.make_functions()
        grammar.budget = size
        body = grammar.main()
        most = 16 if grammar.chance(0.2) else 5
        settings = Settings(
            grammar.random.randint(1, most), grammar.random.randint(1, 3), grammar.obeyed
        )
        dense = grammar.one_of((0.0, 0.0, 0.3, 0.8))
        functions = tuple(grammar.functions)
        level = grammar.one_of(("-O0", "-O0", "-O0", "-O0", "-O1", "-O2"))
        if grammar.optimized and level == "-O0":
            level = "-O1"
        flags = (level, *sorted(grammar.flags))
        program = Program(
            seed, language, compiler, flags, settings, dense, tuple(grammar.macros), functions, body
        )
        if sum(n for (_, column), n in program.counts().items() if column == "execC") < MOST:
            return program
    raise AssertionError(f"seed {seed} makes no program that is small enough")
