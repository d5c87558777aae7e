"""Metadirectives: directives that the context chooses."""

from __future__ import annotations

from dataclasses import dataclass, replace

from tests.random_programs.choices import Place
from tests.random_programs.constructs import (
    Standalone,
    Team,
    Who,
    construct,
    entered,
    write_block_or_nest,
)
from tests.random_programs.model import Node, Tally, Where, Wrapping
from tests.random_programs.nest import Head, iterations, separate
from tests.random_programs.silent import SilentDirectives
from tests.random_programs.spread import Quiet
from tests.random_programs.text import Directive, Text

TRUE = ("user={condition(1)}", "implementation={vendor(llvm)}")
FALSE = ("user={condition(0)}", "implementation={vendor(gnu)}", "device={kind(nohost)}")
UNKNOWN = "user={condition(one)}"
"""clang 19 takes what it does not know when it compiles for false."""


@dataclass(frozen=True, slots=True)
class Alternative:
    """A directive that a metadirective may become: the directive, its team, and the threads that
    run its block.
    """

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
class Metadirective(Wrapping):
    """A metadirective with a block or loops, as that alternative which is chosen."""

    key: int
    directive: Directive
    chosen: Alternative
    heads: tuple[Head, ...]
    body: Node

    def write(self, out: Text) -> None:
        with construct(out, self.key, "metadirective", self.directive):
            write_block_or_nest(self.directive, self.heads, self.body, out)
        separate(self.heads, out)

    def count(self, where: Where, tally: Tally) -> None:
        tally[self.key, "execC"] += where.executions
        inside = self.chosen.who.of(entered(self.chosen.team, where))
        for iteration in iterations(self.heads, inside):
            self.body.count(iteration, tally)


class Metadirectives(SilentDirectives):
    """Makes metadirectives."""

    def metadirective(self, place: Place) -> Node:
        """Return a metadirective with a block or a loop."""
        is_loop = self.chance(0.4)
        offered = [form for form in (LOOPS if is_loop else BLOCKS) if self._fits(form, place)]
        chosen = self.one_of(offered)
        others = [form for form in (LOOPS if is_loop else BLOCKS) if form.words != "nothing"]
        directive = self._choosing(chosen.words, [other.words for other in others])
        heads = self._plain_heads(1) if is_loop else ()
        inside = self._inside_of(chosen, place).knowing(*(head.expression for head in heads))
        return Metadirective(self.key(), directive, chosen, heads, self.statement(inside))

    def _fits(self, alternative: Alternative, place: Place) -> bool:
        if alternative.team is not None:
            return place.level < 2
        if alternative.who is Who.ONE:
            return place.team and place.level > 0
        if alternative.who is Who.MASTER:
            return place.master
        return {"critical": place.held < 0, "taskgroup": place.takes_tasks}.get(
            alternative.words, True
        )

    def _inside_of(self, chosen: Alternative, place: Place) -> Place:
        one = chosen.who is Who.ONE
        if chosen.team is not None:
            inside = replace(place.deeper(), level=place.level + 1, pool=None, cancel="",
                             team=not one, master=not one, numbered=not one, grouped=False,
                             prompt=False)  # fmt: skip
            return inside.shared_out() if one else inside
        inside = place.shared_out() if one else place.separate()
        return replace(inside, held=0) if chosen.words == "critical" else inside

    def _choosing(self, chosen: str, others: list[str]) -> Directive:
        """Return a metadirective that becomes `chosen`, by a `when` clause or by default."""
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
        """Return a metadirective that is a statement in a list."""
        fits = {"barrier": place.team and place.level > 0, "taskwait": place.takes_tasks,
                "taskyield": place.takes_tasks}  # fmt: skip
        chosen = self.one_of([point for point in POINTS if fits.get(point, True)])
        directive = self._choosing(chosen, list(POINTS[1:]))
        return Standalone(self.key(), "metadirective", directive)

    def quiet_choice(self, place: Place) -> Node:
        """Return a metadirective of which an alternative allows no call in its block."""
        heads = self._plain_heads(1)
        chosen = Alternative("nothing")
        directive = self._choosing("nothing", ["simd", "simd safelen(4)"])
        inside = place.separate().knowing(*(head.expression for head in heads))
        inside = replace(inside, depth=min(place.depth, 2), opaque=True)
        body = Quiet(self.statement(inside))
        return Metadirective(self.key(), directive, chosen, heads, body)
