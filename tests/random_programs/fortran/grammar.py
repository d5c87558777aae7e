"""Random Fortran programs from seeds."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from tests.random_programs.choices import Place
from tests.random_programs.constructs import Region, Standalone, Who
from tests.random_programs.fortran.bodies import TICK
from tests.random_programs.fortran.nodes import (
    Acquire,
    BlockConstruct,
    Blocked,
    Counted,
    If,
    Included,
    Items,
    Jump,
    Parallel,
    Repeat,
    Select,
    Together,
)
from tests.random_programs.fortran.program import Call, FortranProgram, Procedure, Scope
from tests.random_programs.fortran.text import Form
from tests.random_programs.fortran.worksharing import Worksharing
from tests.random_programs.loops import Loop
from tests.random_programs.model import Amount, Node, Numbered, Settings
from tests.random_programs.program import LOCKS
from tests.random_programs.spread import Never
from tests.random_programs.statements import Block, Branches, Mark, Plain, Silenced, Tick

Make = Callable[[Place], Node]
KINDS_OF_PROCEDURES = ("external", "module", "submodule", "internal")
FLUSHES = ("omp flush", "omp flush(counter_0)", "omp flush(counter_0, written_0)")
UPDATES = (
    "counter_0 = counter_0 + 3", "counter_0 = 2 + counter_0", "counter_0 = max(counter_0, 2)",
    "counter_0 = counter_0 - 1", "counter_0 = ior(counter_0, 4)",
)  # fmt: skip
CAPTURES = (
    ("{0} = counter_0", "counter_0 = counter_0 + 2"), ("counter_0 = counter_0 - 1", "{0} = counter_0"),
    ("{0} = counter_0", "counter_0 = 5"),
)  # fmt: skip

COMPARES = (
    ("{0} = low_0", "if (low_0 == 9) low_0 = 3"),
    ("if (low_0 == 9) low_0 = 3", "{0} = low_0"),
    ("if (low_0 == 9) then", "low_0 = 3", "else", "{0} = low_0", "end if"),
)


class Grammar(Worksharing):
    """Chooses among everything; `budget` is how many nodes are left to make."""

    def __init__(self, seed: int, compiler: str, form: Form, budget: int) -> None:
        super().__init__(seed, compiler, form)
        self.budget = budget
        self.functions: list[Procedure] = []
        self.obeyed = compiler == "gfortran" and self.chance(0.3)
        """whether OMP_CANCELLATION is to be true"""

    def statement(self, place: Place) -> Node:
        """Return one statement, or some."""
        self.budget -= 1
        if place.depth <= 0 or self.budget <= 0:
            return self.tick(place)
        if self.chance(0.3):
            return Items(tuple(self.items(place)))
        weighted = self._constructs(place) + self._forms(place)
        makes = [make for make, _ in weighted]
        return self.random.choices(makes, [weight for _, weight in weighted])[0](place)

    def _constructs(self, place: Place) -> list[tuple[Make, float]]:
        offered: list[tuple[Make, float]] = [(self.atomic, 2), (self.simd, 0.7)]
        if place.takes_tasks:
            offered += [(self.task, 3), (self.taskgroup, 1)]
            offered.append((self.taskloop, 1.5 if self.gfortran else 0.0))
        if place.level < 2 or (place.level < 3 and self.chance(0.2)):
            offered.append((self.parallel, 3.0 if place.level == 0 else 0.8))
            offered.append((self.combined, 3.0 if place.level == 0 else 0.8))
            offered.append((self.parallel_masked, 0.7 if self.gfortran else 0.0))
        if place.held < 8:
            offered += [(self.critical, 2), (self.locked, 1)]
        if place.master:
            offered += [(self.master, 1), (self.masked, 1)]
        if place.team and (place.level or self.chance(0.2)):
            offered += [(self.shared, 3), (self.sections, 2), (self.single, 2.5)]
            offered.append((self.workshare, 1.0))
            offered.append((self.cancelled, 0.7 if self.obeyed else 0.0))
            offered.append((self.scope, 0.7 if place.level and self.gfortran else 0.0))
        return offered

    def _forms(self, place: Place) -> list[tuple[Make, float]]:
        offered: list[tuple[Make, float]] = [
            (self.tick, 1), (self.conditional, 1.5), (self.repeat, 1), (self.select, 0.6),
            (self.jump, 0.5), (self.block, 0.7), (self.included, 0.3),
            (self.concurrent, 0.2 if self.gfortran else 0.0),
        ]  # fmt: skip
        if self.form.preprocessed and not self.include_depth:
            offered.append((self.branches, 0.5))
        if self.callable_at(place):
            offered.append((self.call, 3))
        return offered

    def items(self, place: Place) -> list[Node]:
        """Return statements for a list."""
        grammar: list[Node] = []
        for _ in range(self.random.randint(1, 3)):
            if self.chance(0.2):
                grammar.append(self.standalone(place))
            if place.takes_tasks and self.chance(0.1):
                grammar.append(self.wait())
            if self.chance(0.08):
                grammar.append(self.region(place))
            if place.cancel and self.gfortran and self.chance(0.15):
                grammar.append(self.cancelling(place))
            if self.chance(0.06) and not place.silenced:
                grammar.append(self.stretch(place))
            grammar.append(self.statement(place))
        return grammar

    def cancelling(self, place: Place) -> Node:
        """Return a directive that cancels nothing: cancellation is off, or no cancel asks for it."""
        words = "cancellation point" if self.obeyed or self.chance(0.4) else "cancel"
        clauses = ["if(zero == 1)"] if words == "cancel" and self.chance(0.3) else []
        directive = self.directive(f"omp {words} {place.cancel}", clauses)
        grammar = Standalone(self.key(), words, replace(directive, named=words))
        return If(self.condition(place), grammar) if self.chance(0.4) else grammar

    def cancelled(self, place: Place) -> Node:
        """Return a parallel region that each of its threads cancels."""
        team, clauses = self.new_team(place)
        inside = self.inside_team(
            place, team=False, master=True, numbered=True, untasked=True, pool=None
        )
        items = (self.tick(inside), *self.items(inside))
        directive = replace(self.directive("omp cancel parallel"), named="cancel")
        cancel = Standalone(self.key(), "cancel", directive)
        rest = [Never(item) for item in self.items(replace(inside, master=False))]
        body = Items((*items, cancel, *rest))
        start = self.directive("omp parallel", clauses)
        return Parallel(self.key(), start, team, body, self.end("parallel"))

    def concurrent(self, place: Place) -> Node:
        """Return a DO CONCURRENT construct, in which no call may stand."""
        name = self.name("i")
        loop = (f"do concurrent ({name} = 1:3)", f"if ({name} < 0) cycle", "end do")
        if not self.gfortran or self.chance(0.5):
            loop = (loop[0], "continue", loop[2])
        return BlockConstruct((Together(loop),), (f"integer :: {name}",))

    def tick(self, place: Place) -> Node:
        number = self.random.randint(1, 9)
        if place.expressions and self.chance(0.5):
            return Tick(Amount(number, self.one_of(place.expressions)), TICK)
        return Tick(Amount(number), TICK)

    def region(self, place: Place) -> Node:
        name = self.name("Phase")
        begin = self.control(f"pomp inst begin({name})")
        end = self.control(f"pomp inst end({name})")
        return Region(self.key(), begin, tuple(self.items(place.deeper())), end)

    def stretch(self, place: Place) -> Node:
        items = self.items(replace(place.deeper(), silenced=True))
        begin, end = (self.control(f"pomp {word}") for word in ("noinstrument", "instrument"))
        return Silenced(begin, tuple(items), end)

    def standalone(self, place: Place) -> Node:
        """Return a directive that is a statement."""
        if place.team and place.level and self.chance(0.6):
            return Standalone(self.key(), "barrier", self.directive("omp barrier"))
        return Standalone(self.key(), "flush", self.directive(self.one_of(FLUSHES)))

    def atomic(self, place: Place) -> Node:
        form = self.one_of(("", "update", "read", "write", "capture", "compare", "both"))
        if form in ("compare", "both") and not self.gfortran:
            form = ""
        order = self.one_of(("", "", "seq_cst", "relaxed"))
        forms = ("compare", "capture") if form == "both" else (form,)
        clauses = [text for text in (*forms, order) if text]
        directive = self.directive("omp atomic", clauses)
        end = self.end("atomic", optional=True)
        body: Node = Plain(self.one_of(UPDATES))
        local = self.name("v")
        if form == "write":
            body = Mark("written_0 = 42", "written_0")
        elif form == "compare":
            body = Mark("if (low_0 == 9) low_0 = 3", "low_0")
        elif form == "both":
            text = Together(tuple(text.format(local) for text in self.one_of(COMPARES)))
            body = Items((text, Counted(Mark("", "low_0"))))
        elif form == "read":
            body = Plain(f"{local} = counter_0")
        elif form == "capture":
            body = Together(tuple(text.format(local) for text in self.one_of(CAPTURES)))
            end = end if self.gfortran else self.end("atomic")
        grammar = Blocked(self.key(), "atomic", directive, Who.ALL, body, end)
        if form in ("read", "capture", "both"):
            return BlockConstruct((grammar,), (f"integer :: {local}",))
        return grammar

    def critical(self, place: Place) -> Node:
        inside = replace(place.separate(), held=place.held + 1)
        argument = ""
        if place.held >= 0 or self.chance(0.6):
            inside = replace(inside, held=self.random.randint(place.held + 1, LOCKS - 1))
            argument = f"{self.one_of(('', ' '))}(Named_{inside.held})"
        directive = self.directive(f"omp critical{argument}")
        body, end = self.ended_block(f"critical{argument}", self.body(inside))
        return Blocked(self.key(), "critical", directive, Who.ALL, body, end)

    def locked(self, place: Place) -> Node:
        level = self.random.randint(place.held + 1, LOCKS - 1)
        inside = replace(place.separate(), held=level)
        form = self.one_of(("set", "nest", "again", "test"))
        if form == "set":
            lock = f"(locks_0({level}))"
            name = self.one_of(("omp_set_lock", "omp_set_lock", "grab_0"))
            get = Acquire(self.key(), "call ", name, lock, "")
            return Items((get, *self.items(inside), Plain(f"call omp_unset_lock{lock}")))
        lock = f"(nests_0({level}))"
        name = self.one_of(("omp_set_nest_lock", "omp_set_nest_lock", "grab_nest_0"))
        gets = [Acquire(self.key(), "call ", name, lock, "")]
        if form == "again":
            gets.append(Acquire(self.key(), "call ", "OMP_SET_NEST_LOCK", f" {lock}", ""))
        elif form == "test":
            before, after = "if (", " < 2) call tick(100)"
            gets.append(Acquire(self.key(), before, "omp_test_nest_lock", lock, after))
        unset = [Plain(f"call omp_unset_nest_lock{lock}") for _ in gets]
        return Items((*gets, *self.items(inside), *unset))

    def conditional(self, place: Place) -> Node:
        condition = self.condition(place)
        inside = place.deeper()
        if isinstance(condition, Numbered):
            inside = place.separate()
        other = self.statement(inside) if self.chance(0.4) else None
        return If(condition, self.statement(inside), other)

    def repeat(self, place: Place) -> Node:
        form = self.one_of((Loop.FOR, Loop.DOWN, Loop.WHILE, Loop.DO))
        counted = form in (Loop.FOR, Loop.DOWN)
        variable = self.variable("i") if counted else self.name("r")
        body = self.statement(place.deeper().knowing(variable))
        grammar = Repeat(variable, self.random.randint(1, 3), form, body)
        return grammar if counted else BlockConstruct((grammar,), (f"integer :: {variable}",))

    def select(self, place: Place) -> Node:
        expression, known = "one + one", 2
        arms = tuple(self.statement(place.deeper()) for _ in range(self.random.randint(2, 4)))
        if place.expressions and self.chance(0.7):
            return Select(self.one_of(place.expressions), None, arms)
        return Select(expression, known, arms)

    def jump(self, place: Place) -> Node:
        return Jump(self.label(), self.statement(place.deeper()))

    def block(self, place: Place) -> Node:
        return BlockConstruct(tuple(self.items(place.deeper())))

    def included(self, place: Place) -> Node:
        first = self.tick(place)
        self.include_depth += 1
        items = self.items(place.deeper())
        self.include_depth -= 1
        by_cpp = self.form.preprocessed and not self.include_depth and self.chance(0.5)
        return Included(f"part_{self.number()}.inc", Items((first, *items)), by_cpp)

    def branches(self, place: Place) -> Node:
        condition, truth = self.one_of((("LIVE", True), ("!LIVE", False), ("defined NONE", False)))
        live, dead = (Items((self.tick(place), self.statement(place.deeper()))) for _ in range(2))
        return Branches(condition, truth, live, dead)

    def callable_at(self, place: Place) -> list[Procedure]:
        return [
            f for f in self.functions
            if place.level <= 1 and place.held < f.held and (place.team or not f.team)
        ]  # fmt: skip

    def call(self, place: Place) -> Node:
        function = self.one_of(self.callable_at(place))
        expression = ""
        if place.expressions and self.chance(0.6):
            expression = self.one_of(place.expressions)
        return Call(function, "", expression, self.random.randint(0, 4))

    def procedure(self, where: str) -> Procedure:
        """Return a subroutine whose constructs are orphans."""
        parameter, name = self.name("n"), self.name("step")
        self.declared, self.where = [], where
        team = self.chance(0.6)
        held = -1 if team or self.chance(0.4) else self.random.randint(3, 6)
        place = Place(
            3, level=1, team=team, master=team, held=held, expressions=(parameter,), orphan=True
        )
        body = Block((Tick(Amount(0, parameter), TICK), Items(tuple(self.items(place)))))
        scope = self._scope()
        return Procedure(
            name, Items(body.items), "", parameter, (), team, held + 1, where, name, scope
        )

    def _scope(self) -> Scope:
        implicit = self.one_of(("", "", " (type)", " (type, external)"))
        return Scope(self.one_of(("", "only")), implicit, self.declared)

    def make_procedures(self) -> None:
        kinds = KINDS_OF_PROCEDURES
        chosen = [self.one_of(kinds) for _ in range(self.random.randint(1, 4))]
        for where in sorted(chosen, key=kinds.index):
            self.functions.append(self.procedure(where))


def program(seed: int, compiler: str, size: int) -> FortranProgram:
    """Return the Fortran program of a seed, of about so many nodes."""
    fixed = seed // 2 % 2 == 0
    form = Form(
        fixed, preprocessed=seed // 4 % 4 == 0, tabs=seed // 16 % 4 == 0, crlf=seed // 4 % 8 == 1
    )
    grammar = Grammar(seed, compiler, form, size)
    grammar.make_procedures()
    grammar.declared, grammar.where = [], "program"
    grammar.budget = max(grammar.budget, size // 2)
    place = Place(6, team=True, master=True)
    body: list[Node] = []
    while grammar.budget > 0:
        body += grammar.items(place)
    scope = grammar._scope()
    settings = Settings(grammar.random.randint(1, 4), grammar.random.randint(1, 3), grammar.obeyed)
    dense = grammar.one_of((0.0, 0.0, 0.2))
    return FortranProgram(
        seed, "fortran", compiler, tuple(sorted(grammar.flags)), settings, dense, form, tuple(grammar.macros),
        tuple(grammar.functions), scope, Items(tuple(body)),
    )  # fmt: skip
