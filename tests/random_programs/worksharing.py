"""Loops and sections, alone or combined with parallel, and parallel itself."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass, replace

from tests.random_programs.choices import Place, Pool, number_of, variables_in
from tests.random_programs.constructs import (
    Blocked,
    Parallel,
    Sections,
    Shared,
    Standalone,
    Team,
    Who,
    in_braces,
)
from tests.random_programs.model import Amount, Node
from tests.random_programs.nest import Head
from tests.random_programs.regions import Regions
from tests.random_programs.statements import Block, If, Mark, Plain, Settled, Tick
from tests.random_programs.text import Directive

SCHEDULES = (
    "static", "static, 2", "dynamic", "dynamic, 1", "guided", "auto", "runtime", "dynamic,one+1",
    "monotonic: dynamic", "nonmonotonic:dynamic, 2", "simd:static",
)  # fmt: skip
HEADS = (
    ("for (int {0} = 0; {0} < {1}; {0}++)", "{0}", 0, 1),
    ("for (int {0} = 0; {0} != {1}; ++{0})", "{0}", 0, 1),
    ("for (long {0} = 1; {0} <= {1}; {0} += 1)", "(int){0}", 1, 1),
    ("for (unsigned {0} = 2; {0} < {1}u + 2; {0} = {0} + 1)", "(int){0}", 2, 1),
    ("for (int {0} = {1} - 1; {0} >= 0; --{0})", "{0}", 0, 1),
    ("for (int {0} = 3; {0} < 3 + 2 * {1}; {0} += 2)", "{0}", 3, 2),
    ("for (int *{0} = cells_0; {0} < cells_0 + {1}; ++{0})", "*{0}", 0, 1),
)
REDUCTIONS = (
    ("+", "{0} += 2;", None), ("Joined", "{0} += 2;", None), ("|", "{0} |= 2;", 6),
    ("max", "{0} = {0} > 9 ? {0} : 9;", 9), ("min", "{0} = {0} < 2 ? {0} : 2;", 2),
)  # fmt: skip
ALLOCATORS = ("", "omp_default_mem_alloc: ")
OUTSIDE = ("for ({0} = 0; {0} < {1}; {0}++)", "{0}", 0, 1)
RANGE = ("for (int {0} : few_0)", "{0}", 0, 1)


@dataclass(slots=True)
class Parts:
    """The parts of a worksharing construct: its clauses; the statements before it, at the start of
    its body and behind it; and its shared variables.
    """

    clauses: list[str]
    before: list[Node]
    start: list[Node]
    after: list[Node]
    private: set[str]


class Worksharing(Regions):
    """Makes what divides work among the members of a team."""

    def combined(self, place: Place) -> Node:
        if self.chance(0.3):
            return self.sections(place, self._team(place))
        return self.shared(place, self._team(place))

    def _team(self, place: Place) -> tuple[Team, list[str]]:
        clauses, threads, condition = [], None, True
        if place.level or self.chance(0.5):
            threads = self.random.randint(1, 4 if place.level == 0 else 3)
            text = self.one_of((str(threads), f"{threads - 1} + one"))
            clauses.append(f"num_threads({text})")
        if self.chance(0.25):
            chosen = self.constant()
            condition = chosen.truth
            modifier = self.one_of(("", "parallel: "))
            clauses.append(f"if({modifier}{chosen.text})")
        if self.chance(0.15):
            clauses.append(f"proc_bind({self.one_of(('close', 'spread', 'master'))})")
        return Team(threads, condition), clauses

    def parallel(self, place: Place) -> Node:
        first = self.number()
        team, clauses = self._team(place)
        pool = Pool()
        inside = replace(
            place.deeper(), level=place.level + 1, team=True, master=True, numbered=True,
            pool=pool, cancel="parallel", grouped=False, prompt=False,
        )  # fmt: skip
        body = self.statement(inside)
        parts = Parts(clauses, [], [], [], set())
        if self.chance(0.3):
            # clang 19 cannot copy in within a lambda that captures nothing.
            copyin = ("copyin",) if place.level == 0 else ()
            kinds = place.data("private", "firstprivate", "reduction", *copyin)
            self._data(parts, kinds)
        if parts.start:
            body = Block((*parts.start, *(body.items if isinstance(body, Block) else (body,))))
        self._sharing(parts, [body], first, set(pool.counts))
        construct = Parallel(self.key(), self.directive("omp parallel", parts.clauses), team, body)
        for name, value in pool.counts.items():
            parts.before.append(Plain(f"long {name} = {value};"))
            parts.after.append(pool.later[name])
        return _framed(parts, construct)

    def shared(self, place: Place, team: tuple[Team, list[str]] | None = None) -> Node:
        """Return for, for simd, parallel for or parallel for simd."""
        first = self.number()
        simd = self.chance(0.25)
        parts = Parts(list(team[1]) if team else [], [], [], [], set())
        forms = ["", "", "collapse", "ordered", "doacross"]
        # gcc 12 transforms no loops.
        forms += ["transformed"] if self.compiler == "clang-19" else []
        form = "" if simd else self.one_of(forms)
        heads = self._heads(form, parts)
        inside = place.shared_out().knowing(*(head.expression for head in heads))
        if team:
            inside = replace(inside, level=place.level + 1)
        self._loop_clauses(form, simd, parts)
        kinds = ["reduction", "lastprivate", "firstprivate", "private"]
        if form in ("", "ordered"):
            kinds.append("linear")
        self._worksharing_data(parts, place, team is not None, place.data(*kinds))
        body = self._loop_body(form, simd, inside, heads)
        if parts.start:
            body = Block((*parts.start, *in_braces(body).items))
        if team:
            self._sharing(parts, [body, *(Plain(h.text) for h in heads)], first, set())
        words = f"omp {'parallel ' if team else ''}for{' simd' if simd else ''}"
        directive = self.directive(words, parts.clauses)
        transforms = self._transforms(directive) if form == "transformed" else ()
        construct = Shared(
            self.key(), directive, heads, body, team[0] if team else None, transforms
        )
        return self._closed(parts, construct, team is not None)

    def _transforms(self, directive: Directive) -> tuple[Directive, ...]:
        """Return directives that transform the loop before it is shared, in the spelling of the
        sharing directive.
        """
        words = self.one_of((("tile sizes(2)",), ("unroll partial(2)",), ("unroll partial",),
                             ("tile sizes(3)", "unroll partial(2)")))  # fmt: skip
        directives = (self.simply(f"omp {word}") for word in words)
        return tuple(
            replace(clause, spelling=directive.spelling) if directive.is_attribute else clause
            for clause in directives
        )

    def _heads(self, form: str, parts: Parts) -> tuple[Head, ...]:
        heads = []
        for _ in range(2 if form == "collapse" else 1):
            plain = form == "doacross"
            others = [OUTSIDE, RANGE] if self.cplusplus else [OUTSIDE]
            others = [] if form in ("collapse", "transformed") else others
            kinds = HEADS[:1] if plain else (*HEADS, *others)
            text, expression, start, step = self.one_of(kinds)
            variable = self.name("i")
            count = self.random.randint(1, 3 if form == "collapse" else 6)
            if "few_0" in text:
                count = 3
                self.flags |= {"-Wno-unused-variable", "-Wno-sign-compare"}
            if (text, expression, start, step) == OUTSIDE:
                parts.before.append(Plain(f"int {variable}, {variable}_b;"))
                parts.after.append(Plain(f"{variable} = {variable}_b = 0; (void){variable}_b;"))
                parts.private.add(variable)
            values = tuple(range(start, start + count * step, step))
            heads.append(Head(text.format(variable, count), expression.format(variable), values))
        return tuple(heads)

    def _loop_clauses(self, form: str, simd: bool, parts: Parts) -> None:
        if self.chance(0.6):
            kind = self.one_of(SCHEDULES)
            # clang 19 crashes on a chunk size that is no constant in parallel for simd.
            fits = "one" not in kind if simd else "simd" not in kind
            if fits and not (form and "nonmonotonic" in kind):
                parts.clauses.append(f"schedule({kind})")
        if form == "collapse":
            parts.clauses.append("collapse(2)")
        elif form in ("ordered", "doacross"):
            parts.clauses.append("ordered" if form == "ordered" else "ordered(1)")
        if simd and self.chance(0.3):
            parts.clauses.append(self.one_of(("safelen(4)", "simdlen(4)", "safelen(8)")))

    def _loop_body(self, form: str, simd: bool, inside: Place, heads: tuple[Head, ...]) -> Node:
        if simd:
            local = self.name("v")
            text = f"{{ long {local} = {heads[0].expression} * 2; (void){local}; }}"
            return Plain(self.one_of((";", text, text)))
        if form == "ordered":
            clauses = ["threads"] if self.chance(0.2) else []
            directive = self.directive("omp ordered", clauses)
            ordered = Blocked(self.key(), "ordered", directive, Who.ALL, self.statement(inside))
            construct: Node = ordered
            if self.chance(0.3):
                construct = If(self.condition(inside), ordered)
            return (
                construct
                if self.chance(0.4)
                else Block((self.tick(inside), construct, self.tick(inside)))
            )
        if form == "doacross":
            sink = f"depend(sink: {heads[0].expression} - 1)"
            first, last = (
                Standalone(self.key(), "ordered", self.directive("omp ordered", [clause]))
                for clause in (sink, "depend(source)")
            )
            return Block((self.tick(inside), first, *self.items(inside), last))
        return self.statement(inside)

    @abstractmethod
    def tick(self, place: Place) -> Node:
        """Return a statement that is counted and adds to the sum."""

    def sections(self, place: Place, team: tuple[Team, list[str]] | None = None) -> Node:
        """Return sections or parallel sections."""
        first = self.number()
        parts = Parts(list(team[1]) if team else [], [], [], [], set())
        kinds = place.data("reduction", "firstprivate", "private")
        self._worksharing_data(parts, place, team is not None, kinds)
        inside = replace(place.shared_out(), level=place.level + (team is not None))
        divided: list[tuple[Directive | None, Node]] = []
        for number in range(self.random.randint(1, 4)):
            node = self.statement(inside)
            if parts.start:
                node = Block((*parts.start, *in_braces(node).items))
            bare = number == 0 and self.chance(0.4)
            divided.append((None if bare else self.directive("omp section"), node))
        if team:
            self._sharing(parts, [node for _, node in divided], first, set())
        words = f"omp {'parallel ' if team else ''}sections"
        directive = self.directive(words, parts.clauses)
        construct = Sections(self.key(), directive, tuple(divided), team[0] if team else None)
        return self._closed(parts, construct, team is not None)

    def _worksharing_data(
        self, parts: Parts, place: Place, team: bool, kinds: tuple[str, ...]
    ) -> None:
        if team and self.chance(0.6):
            self._data(parts, kinds)
        elif not team and place.pool is not None and self.chance(0.6):
            self._data(parts, kinds, place.pool)
        elif not team and self.chance(0.2):
            self._data(parts, ("private",))

    def _data(self, parts: Parts, kinds: tuple[str, ...], pool: Pool | None = None) -> None:
        """Add a data-sharing clause with its variable: declared before, or one of the team's."""
        kind = self.one_of(kinds)
        name = "Mine_0" if kind == "copyin" else self.name("x")
        # libomp and libgomp differ in what linear and, below dynamic schedules, lastprivate
        # leave behind.
        first = 6 if kind == "lastprivate" else 4
        start: Node = Plain(f"(void){name};")
        after: Node = Tick(Amount(first), spelt=name)
        clause = f"{kind}({name})"
        if kind == "reduction":
            operator, text, last = self.one_of(REDUCTIONS)
            clause = f"reduction({operator}:{name})"
            start = Mark(text.format(name), name, Amount(1 if last else 2))
            after = Settled(name, first, last=last)
        elif kind == "linear":
            clause, after = f"linear({name}: 3)", Plain(f"(void){name};")
        elif kind not in ("firstprivate", "copyin"):
            start = Plain(f"{name} = 6;")
        if kind == "private" or (pool is None and kind != "copyin"):
            parts.before.append(Plain(f"long {name} = {first};"))
            parts.after.append(after)
        elif pool is not None:
            pool.counts[name] = first
            pool.later[name] = after
        parts.clauses.append(clause)
        # g++ 12 rejects allocate clauses for private variables of loops with simd.
        allocated = ("firstprivate", "reduction") if self.compiler == "gcc" else kinds
        if kind in allocated and kind not in ("copyin", "linear") and self.chance(0.15):
            parts.clauses.append(f"allocate({self.one_of(ALLOCATORS)}{name})")
        parts.start.append(start)
        parts.private.add(name)

    def _sharing(self, parts: Parts, inside: list[Node], first: int, pool: set[str]) -> None:
        """Add default(none) or default(shared), and shared and firstprivate lists."""
        names = variables_in(*inside, *parts.start) - parts.private
        # clang 19 crashes on some variables that a directive both lists and computes with.
        computed = variables_in(*map(Plain, parts.clauses)) - parts.private
        outer = sorted({n for n in names if number_of(n) < first} - computed | pool)
        default = self.one_of(("", "", "shared" if computed else "none", "shared"))
        if default:
            parts.clauses.append(f"default({default})")
        shared = outer if default == "none" else self.some_of(outer, 2)
        if shared:
            parts.clauses.append(f"shared({', '.join(shared)})")

    def _closed(self, parts: Parts, construct: Shared | Sections | Blocked, team: bool) -> Node:
        """Add nowait, with a barrier behind the construct where a shared variable needs one."""
        if not team and self.chance(0.35):
            directive = construct.directive
            construct = replace(
                construct, directive=replace(directive, clauses=(*directive.clauses, "nowait"))
            )
            if parts.private:
                barrier = Standalone(self.key(), "barrier", self.directive("omp barrier"))
                parts.after.insert(0, barrier)
        return _framed(parts, construct)


def _framed(parts: Parts, node: Node) -> Node:
    if not parts.before and not parts.after:
        return node
    return Block((*parts.before, node, *parts.after))
