"""What compilers have of OpenMP 5.1 and 5.2: loops that are transformed, directives that the
context chooses, and those that ask for nothing."""

from __future__ import annotations

from dataclasses import dataclass, replace

from tests.random_programs.apart import Apart
from tests.random_programs.choices import Place
from tests.random_programs.constructs import Standalone, Team, Who, entered, mixed
from tests.random_programs.model import Amount, Constant, Node, Tally, Where
from tests.random_programs.nest import Head, apart, iterations, write_nest
from tests.random_programs.spread import Quiet, Silent
from tests.random_programs.statements import Block, If, Plain, Tick
from tests.random_programs.text import Directive, Text
from tests.random_programs.worksharing import HEADS

TRUE = ("user={condition(1)}", "implementation={vendor(llvm)}")
FALSE = ("user={condition(0)}", "implementation={vendor(gnu)}", "device={kind(nohost)}")
UNKNOWN = "user={condition(one)}"
"""clang 19 takes what it does not know when it compiles for false."""

INTEROP = (
    "init(targetsync: {0})", "init(target, targetsync: {0})", "use({0})", "use({0}) device(0)",
    "init(targetsync: {0}) depend(in: cells_0[1])", "destroy({0})", "destroy({0}) nowait",
)  # fmt: skip
ERRORS = ("severity(warning)", "severity(fatal)", "")


@dataclass(frozen=True, slots=True)
class Alternative:
    """What a metadirective may become: a directive, its team, and who does its block."""

    words: str
    team: Team | None = None
    who: Who = Who.ALL


BLOCKS = (
    Alternative("nothing"),
    Alternative("critical"),
    Alternative("taskgroup"),
    Alternative("master", who=Who.MASTER),
    Alternative("masked", who=Who.MASTER),
    Alternative("parallel", Team()),
    Alternative("parallel num_threads(2)", Team(2)),
    Alternative("parallel if(one) num_threads(3)", Team(3)),
    Alternative("single", who=Who.ONE),
)
LOOPS = (
    Alternative("nothing"),
    Alternative("for", who=Who.ONE),
    Alternative("for schedule(dynamic)", who=Who.ONE),
    Alternative("parallel for", Team(), Who.ONE),
    Alternative("parallel for num_threads(2) schedule(static)", Team(2), Who.ONE),
)
POINTS = ("nothing", "flush", "taskwait", "taskyield", "barrier")


@dataclass(frozen=True, slots=True)
class Metadirective(Node):
    """A metadirective with a block or loops, as that alternative which is chosen."""

    key: int
    directive: Directive
    chosen: Alternative
    heads: tuple[Head, ...]
    body: Node

    def write(self, out: Text) -> None:
        placed = out.place(self.key, "metadirective", *out.directive(self.directive))
        out.gap()
        if self.heads:
            write_nest(self.heads, self.body, out)
        else:
            mixed(self.directive, self.body).write(out)
        out.ended(placed)
        apart(self.heads, out)

    def count(self, where: Where, tally: Tally) -> None:
        tally[self.key, "execC"] += where.executions
        inside = entered(self.chosen.team, where)
        if self.chosen.who is Who.MASTER:
            inside = inside.only(tuple(tid for tid in inside.tids if tid == 0))
        elif self.chosen.who is Who.ONE:
            inside = inside.alone()
        for iteration in iterations(self.heads, inside):
            self.body.count(iteration, tally)

    @property
    def open_ended(self) -> bool:
        return self.body.open_ended


@dataclass(frozen=True, slots=True)
class Transformed(Node):
    """Loops that a directive transforms, which everyone who comes by goes through alike."""

    directives: tuple[Directive, ...]
    heads: tuple[Head, ...]
    body: Node

    def write(self, out: Text) -> None:
        for directive in self.directives:
            out.directive(directive)
            out.gap()
        write_nest(self.heads, self.body, out)
        apart(self.heads, out)

    def count(self, where: Where, tally: Tally) -> None:
        for iteration in iterations(self.heads, where):
            self.body.count(iteration, tally)

    @property
    def open_ended(self) -> bool:
        return self.body.open_ended


class Newer(Apart):
    """Makes what is newer."""

    @property
    def newer(self) -> bool:
        """gcc 12 has none of it."""
        return self.compiler == "clang-19"

    def transformed(self, place: Place) -> Node:
        """tile and unroll of loops that no other directive takes."""
        nest = self.random.randint(1, 2)
        texts = {1: ("tile sizes(2)", "unroll", "unroll partial(2)", "unroll full", "tile sizes(3)"),
                 2: ("tile sizes(2, 3)", "tile sizes(1, 2)")}[nest]  # fmt: skip
        words = [self.one_of(texts)]
        if nest == 1 and self.chance(0.3):
            words = [self.one_of(("unroll", "tile sizes(2)")), "unroll partial(2)"]
        heads = self._plain_heads(nest)
        inside = place.apart().knowing(*(head.expression for head in heads))
        # clang 19 crashes on a construct in loops that it tiles alone.
        alone = any("tile" in each for each in words) or len(words) > 1
        body = self._tick(inside) if alone else self.statement(inside)
        directives = tuple(self.simply(f"omp {each}") for each in words)
        return Transformed(directives, heads, body)

    def _tick(self, place: Place) -> Node:
        tick = Tick(self.value(place))
        return self.one_of((tick, Block((tick,)), Block((tick, tick))))

    def _plain_heads(self, nest: int) -> tuple[Head, ...]:
        made = []
        for _ in range(nest):
            text, expression, start, step = self.one_of(HEADS[:6])
            variable, count = self.name("i"), self.random.randint(1, 4)
            values = tuple(range(start, start + count * step, step))
            made.append(Head(text.format(variable, count), expression.format(variable), values))
        return tuple(made)

    def metadirective(self, place: Place) -> Node:
        """One with a block or a loop."""
        is_loop = self.chance(0.4)
        offered = [each for each in (LOOPS if is_loop else BLOCKS) if self._fits(each, place)]
        chosen = self.one_of(offered)
        others = [each for each in (LOOPS if is_loop else BLOCKS) if each.words != "nothing"]
        directive = self._choosing(chosen.words, [each.words for each in others])
        heads = self._plain_heads(1) if is_loop else ()
        inside = self._inside_of(chosen, place).knowing(*(head.expression for head in heads))
        return Metadirective(self.key(), directive, chosen, heads, self.statement(inside))

    def _fits(self, each: Alternative, place: Place) -> bool:
        if each.team is not None:
            return place.level < 2
        if each.who is Who.ONE:
            return place.team and place.level > 0
        if each.who is Who.MASTER:
            return place.master
        return {"critical": place.held < 0, "taskgroup": place.takes_tasks}.get(each.words, True)

    def _inside_of(self, chosen: Alternative, place: Place) -> Place:
        one = chosen.who is Who.ONE
        if chosen.team is not None:
            inside = replace(place.deeper(), level=place.level + 1, pool=None, cancel="",
                             team=not one, master=not one, numbered=not one, grouped=False,
                             prompt=False)  # fmt: skip
            return inside.shared_out() if one else inside
        inside = place.shared_out() if one else place.apart()
        return replace(inside, held=0) if chosen.words == "critical" else inside

    def _choosing(self, chosen: str, others: list[str]) -> Directive:
        """A metadirective that becomes `chosen`, by a `when` or as what is left."""
        clauses = [
            f"when({self.one_of((*FALSE, UNKNOWN))}: {self.one_of(others)})"
            for _ in range(self.random.randint(0, 2))
        ]
        last = self.one_of(("default", "otherwise"))
        if chosen != "nothing" and (not clauses or self.chance(0.6)):
            clauses.append(f"when({self.one_of(TRUE)}: {chosen})")
            clauses.append(f"{last}({self.one_of(('nothing', *others))})")
        else:
            clauses = clauses or [f"when({self.one_of(FALSE)}: {self.one_of(others)})"]
            clauses.append(f"{last}({chosen})")
        return self.simply("omp metadirective", clauses)

    def choosing_point(self, place: Place) -> Node:
        """A metadirective that is a statement in a list."""
        fits = {"barrier": place.team and place.level > 0, "taskwait": place.takes_tasks,
                "taskyield": place.takes_tasks}  # fmt: skip
        chosen = self.one_of([each for each in POINTS if fits.get(each, True)])
        directive = self._choosing(chosen, list(POINTS[1:]))
        return Standalone(self.key(), "metadirective", directive)

    def unheard(self) -> Node:
        """A directive that has no events, or is not reached."""
        form = self.one_of(("nothing", "error", *(("interop",) if self.newer else ())))
        if form == "nothing":
            return Silent(self.simply("omp nothing"))
        if form == "error":
            directive = self.simply("omp error at(execution)", [self.one_of(ERRORS)])
            return If(Constant("zero", False), Block((Silent(directive),)))
        name = self.name("object")
        used = [
            Standalone(self.key(), "interop", self.simply("omp interop", [text.format(name)]))
            for text in self.some_of(INTEROP, 3)
        ]
        # The library has no interop for a host: what compilers leave out is not linked.
        return Block((
            Plain(f"omp_interop_t {name} = omp_interop_none;"), Plain(f"(void){name};"),
            If(Constant("0", False), Block(tuple(used))),
        ))  # fmt: skip

    def allocated(self, place: Place) -> Node:
        """A variable for which memory is asked."""
        name = self.name("x")
        clause = self.one_of(
            ("", "allocator(omp_default_mem_alloc)", "allocator(omp_large_cap_mem_alloc)")
        )
        directive = Silent(self.simply(f"omp allocate({name})", [clause] if clause else []))
        value = self.random.randint(1, 9)
        items = (
            Plain(f"long {name};"), directive, Plain(f"{name} = {value};"),
            Tick(Amount(value), spelt=name), self.statement(place.deeper()),
        )  # fmt: skip
        return Block(items)

    def quiet_choice(self, place: Place) -> Node:
        """A metadirective of which an alternative allows no call in its block."""
        heads = self._plain_heads(1)
        chosen = Alternative("nothing")
        directive = self._choosing("nothing", ["simd", "simd safelen(4)"])
        inside = place.apart().knowing(*(head.expression for head in heads))
        inside = replace(inside, depth=min(place.depth, 2), opaque=True)
        body = Quiet(self.statement(inside))
        return Metadirective(self.key(), directive, chosen, heads, body)
