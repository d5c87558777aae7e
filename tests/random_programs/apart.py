"""Measurement from outside: loops and blocks that allow no call inside."""

from __future__ import annotations

from dataclasses import dataclass, replace

from tests.random_programs.choices import Place
from tests.random_programs.constructs import Blocked, Shared, Standalone, Who
from tests.random_programs.model import Amount, Node
from tests.random_programs.nest import Head
from tests.random_programs.spread import Quiet, Silent, Spread
from tests.random_programs.statements import Block, Mark, Plain, Settled
from tests.random_programs.tasking import Tasking
from tests.random_programs.worksharing import HEADS


@dataclass(frozen=True, slots=True)
class Pure:
    """A directive that computes a sum. It may have any of `clauses`, and always has those in
    `needs`.
    """

    words: str
    clauses: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()
    collapses: bool = True


SIMD = ("safelen(4)", "simdlen(4)", "if(simd: one)", "order(concurrent)", "nontemporal(cells_0)")
LOOP = ("order(concurrent)",)
DISTRIBUTE = ("dist_schedule(static)", "dist_schedule(static, 2)")
SCHEDULE = ("schedule(static)", "schedule(static, 2)", "schedule(dynamic)")
TEAMS = ("num_teams(2)", "num_teams(1)", "thread_limit(64)")
TARGET = ("if(target: zero)", "device(0)", "map(to: cells_0)")
TASKLOOP = ("grainsize(2)", "num_tasks(2)", "if(taskloop: zero)", "final(one)", "priority(1)")

ANYWHERE = (
    Pure("simd", SIMD),
    Pure("loop", LOOP, ("bind(thread)",)),
)
TASKS = (Pure("taskloop simd", (*SIMD[:2], *TASKLOOP)),)
OF_MASTER = (
    Pure("master taskloop simd", (*SIMD[:2], *TASKLOOP)),
    Pure("masked taskloop simd", (*SIMD[:2], *TASKLOOP)),
)
OF_TEAM = (
    Pure("for simd", (*SIMD, *SCHEDULE)),
    Pure("for", (*SCHEDULE,), ("order(concurrent)",)),
    Pure("loop", LOOP, ("bind(parallel)",)),
)
NEW_TEAM = (
    Pure("parallel for simd", (*SIMD, *SCHEDULE)),
    Pure("parallel for", SCHEDULE, ("order(concurrent)",)),
    Pure("parallel loop", LOOP),
    Pure("parallel master taskloop simd", (*SIMD[:2], *TASKLOOP)),
    Pure("parallel masked taskloop simd", (*SIMD[:2], *TASKLOOP)),
)
LEAGUE = (
    Pure("teams distribute", (*TEAMS, *DISTRIBUTE)),
    Pure("teams distribute simd", (*TEAMS, *DISTRIBUTE, *SIMD[:2])),
    Pure("teams distribute parallel for", (*TEAMS, *DISTRIBUTE, *SCHEDULE)),
    Pure("teams distribute parallel for simd", (*TEAMS, *DISTRIBUTE, *SCHEDULE, *SIMD[:2])),
    Pure("teams loop", (*TEAMS, *LOOP)),
)
ON_TARGET = (
    *(replace(row, words=f"target {row.words}", clauses=(*row.clauses, *TARGET)) for row in LEAGUE),
    Pure("target simd", (*SIMD[:2], *TARGET)),
    Pure("target parallel for", (*SCHEDULE, *TARGET)),
    Pure("target parallel for simd", (*SCHEDULE, *SIMD[:2], *TARGET)),
    Pure("target parallel loop", TARGET),
)
_ALONE = frozenset(("simd", "taskloop", "target", "master", "masked"))
"""The words of loops whose sum is not a team's."""
STANDALONE = (
    ("target update", ("to(cells_0)",)),
    ("target update", ("from(cells_0)", "if(zero)")),
    ("target enter data", ("map(to: cells_0)",)),
    ("target exit data", ("map(from: cells_0)", "device(0)")),
)


class Apart(Tasking):
    """Makes constructs that are left alone inside."""

    def pure(self, place: Place) -> Node:
        """Return a loop with a sum."""
        rows = [*ANYWHERE, *NEW_TEAM] if place.level < 3 else [*ANYWHERE]
        # libgomp makes a team of the initial thread where tasks reduce outside of any: later
        # ones hang now and then, and tasks are not run.
        reduces = place.in_team or self.compiler == "clang-19"
        rows += TASKS if place.takes_tasks and reduces else ()
        rows += OF_MASTER if place.master and place.takes_tasks and reduces else ()
        rows += OF_TEAM if place.pool is not None else ()
        # libomp has no teams within a parallel region, on a target neither.
        targets = [row for row in ON_TARGET if place.outermost or "teams" not in row.words]
        rows += [] if place.untargeted else targets
        rows += LEAGUE if place.outermost else ()
        if not place.takes_tasks or not self.takes_loops_of_tasks(place):
            rows = [row for row in rows if "taskloop" not in row.words]
        if place.unreduced:
            rows = [row for row in rows if row in ANYWHERE or _ALONE.issuperset(row.words.split())]
        if not self.masks_loops:
            rows = [row for row in rows if "masked" not in row.words]
        return self._pure(place, self.one_of(rows))

    def _pure(self, place: Place, row: Pure) -> Node:
        name = self.name("x")
        shared = row in OF_TEAM
        team, clauses = None, [*row.needs, f"reduction(+: {name})"]
        if row.words.startswith("parallel"):
            team, more = self._team(place)
            clauses += more
        clauses += self._fitting(row, clauses)
        if row.words.startswith("target"):
            clauses.append(f"map(tofrom: {name})")
        only = self._of_whom(place, row.words, clauses)
        heads = self._pure_heads(row, clauses)
        body = self._sum(name, row, heads, "order(concurrent)" not in clauses)
        directive = self.directive(f"omp {row.words}", clauses)
        node: Node
        if "taskloop" not in row.words and (shared or team is not None):
            node = Shared(self.key(), directive, heads, Quiet(body), team)
        else:
            node = Spread(self.key(), directive, heads, body, True, only, team)
        if not shared:
            return Block((Plain(f"long {name} = 4;"), node, Settled(name, 4)))
        assert place.pool is not None
        place.pool.counts[name] = 4
        place.pool.later[name] = Settled(name, 4)
        return node

    def _of_whom(self, place: Place, words: str, clauses: list[str]) -> Amount | None:
        if "master" in words:
            return Amount(0)
        if "masked" in words:
            inner = replace(place, expressions=()) if words.startswith("parallel") else place
            return self._filter(inner, clauses)
        return None

    def _fitting(self, row: Pure, clauses: list[str]) -> list[str]:
        """Return some of a row's clauses, one of a kind."""
        chosen: dict[str, str] = {}
        for clause in self.some_of(row.clauses, 3):
            chosen[clause.split("(")[0]] = clause
        if "grainsize" in chosen:
            chosen.pop("num_tasks", None)
        if "safelen" in chosen or "simdlen" in chosen:
            chosen.pop("order", None)
        if any(c.startswith("if(") for c in clauses):
            chosen.pop("if", None)
        if "nontemporal" in chosen and self.compiler != "clang-19":
            chosen.pop("nontemporal")
        return list(chosen.values())

    def _pure_heads(self, row: Pure, clauses: list[str]) -> tuple[Head, ...]:
        heads = []
        for _ in range(2 if row.collapses and self.chance(0.2) else 1):
            text, expression, start, step = self.one_of(HEADS[:6])
            variable, count = self.name("i"), self.random.randint(1, 6)
            values = tuple(range(start, start + count * step, step))
            heads.append(Head(text.format(variable, count), expression.format(variable), values))
        if len(heads) > 1:
            clauses.append("collapse(2)")
        return tuple(heads)

    def _sum(self, name: str, row: Pure, heads: tuple[Head, ...], ordered: bool) -> Node:
        amount = Amount(self.random.randint(0, 5), heads[-1].expression)
        mark = Mark(f"{name} += {amount};", name, amount)
        local = self.name("v")
        forms: list[Node] = [
            mark,
            Block((mark,)),
            Block(
                (Plain(f"long {local} = {heads[0].expression};"), Plain(f"(void){local};"), mark)
            ),
            Block((Plain(f"if ({heads[0].expression} >= 0)"), mark)),
        ]
        if (
            ordered
            and "target" not in row.words
            and "simd" in row.words
            and "taskloop" not in row.words
            and len(heads) == 1
        ):
            directive = self.directive("omp ordered", ["simd"])
            forms.append(Block((Blocked(self.key(), "ordered", directive, Who.ALL, mark),)))
        return self.one_of(forms)

    def scanned(self, place: Place) -> Node:
        """Return a loop with a scan."""
        words = self.one_of(("simd", "parallel for", "parallel for simd"))
        if place.pool is not None:
            words = self.one_of((words, "for", "for simd"))
        # Others are compiled to programs that crash, by clang 19 and gcc 12 alike.
        words = "simd"
        name = self.name("x")
        team, clauses = None, [f"reduction(inscan, +: {name})"]
        if words.startswith("parallel"):
            team, more = self._team(place)
            clauses += more
        heads = self._pure_heads(Pure(words, collapses=False), clauses)
        amount = Amount(self.random.randint(0, 5), heads[0].expression)
        mark = Mark(f"{name} += {amount};", name, amount)
        use = Plain(f"(void){name};")
        kind = "inclusive"
        if words == "simd" and self.chance(0.5):
            kind = "exclusive"
        scan = Silent(self.directive(f"omp scan {kind}({name})"))
        items = (mark, scan, use) if kind == "inclusive" else (use, scan, mark)
        directive = self.directive(f"omp {words}", clauses)
        if words == "simd":
            node: Node = Spread(self.key(), directive, heads, Block(items), True)
        else:
            node = Shared(self.key(), directive, heads, Block(items), team)
        if words.startswith("for"):
            assert place.pool is not None
            place.pool.counts[name] = 0
            place.pool.later[name] = Settled(name, 0)
            return node
        return Block((Plain(f"long {name} = 0;"), node, Settled(name, 0)))

    def target(self, place: Place) -> Node:
        """Return a block on a target or for a league, or one that maps data."""
        if self.chance(0.3):
            directive = self.directive("omp target data", ["map(tofrom: cells_0)"])
            body = self.statement(replace(place.separate(), untasked=place.untasked))
            return Blocked(self.key(), "target data", directive, Who.ALL, body)
        rows: list[tuple[str, tuple[str, ...]]] = [("target", TARGET), ("target", TARGET)]
        if not place.unreduced:
            rows.append(("target parallel", TARGET))
        if place.outermost:
            rows += [("teams", TEAMS), ("teams", TEAMS), ("target teams", (*TARGET, *TEAMS))]
        words, offered = self.one_of(rows)
        name = self.name("x")
        clauses = self._fitting(Pure(words, offered), [])
        if words.startswith("target"):
            clauses.append(f"map(tofrom: {name})")
        if words != "target":
            clauses.append(f"reduction(|: {name})")
        items: list[Node] = [Mark(f"{name} |= 2;", name)]
        if words == "target":
            inside = replace(place.shared_out(), depth=min(place.depth, 3), opaque=True)
            items += self.items(inside)
        elif words == "teams":
            items = [self._distributed(name)]
        body = Quiet(Block(tuple(items)))
        node = Spread(self.key(), self.directive(f"omp {words}", clauses), (), body)
        return Block((Plain(f"long {name} = 4;"), node, Settled(name, 4, last=6)))

    def _distributed(self, name: str) -> Node:
        words = self.one_of(("distribute", "distribute simd", "distribute parallel for"))
        offered = DISTRIBUTE if "parallel" not in words else (*DISTRIBUTE, *SCHEDULE)
        row = Pure(words, offered, collapses=False)
        clauses = self._fitting(row, [])
        heads = self._pure_heads(row, clauses)
        directive = self.directive(f"omp {words}", clauses)
        if words != "distribute":
            clauses.append(f"reduction(|: {name})")
            directive = self.directive(f"omp {words}", clauses)
        return Spread(self.key(), directive, heads, Mark(f"{name} |= 2;", name))

    def moving(self) -> Node:
        """Return a directive that moves data to or from a target."""
        words, clauses = self.one_of(STANDALONE)
        return Standalone(self.key(), words, self.directive(f"omp {words}", clauses))
