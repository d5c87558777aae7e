"""Tasks, their loops, groups, waits and dependences."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from tests.random_programs.choices import Place, number_of, variables_in
from tests.random_programs.constructs import Blocked, Parallel, Standalone, Team, Who, in_braces
from tests.random_programs.model import Amount, Node
from tests.random_programs.spread import Masked, Spread
from tests.random_programs.statements import Block, Mark, Plain, Settled, Tick
from tests.random_programs.worksharing import REDUCTIONS, Parts, Worksharing

DEPENDS = (
    "depend(in: cells_0[1])", "depend(out: cells_0[2])", "depend(inout: cells_0[1], cells_0[3])",
    "depend(mutexinoutset: cells_0[4])", "depend(inout: cells_0[2:3])", "depend(in: one, zero)",
    "depend(iterator(int it = 0:2), in: cells_0[it])", "depend(inout: counter_0)",
)  # fmt: skip
CLANG_DEPENDS = ("depend(inoutset: cells_0[5])", "depend(inout: omp_all_memory)")
WAITS = ("", "", "depend(in: cells_0[1])", "depend(inout: cells_0[2], counter_0)")
CLANG_WAITS = ("depend(in: cells_0[1]) nowait", "depend(inout: omp_all_memory)")
AMOUNTS = (
    "grainsize(1)", "grainsize(2)", "num_tasks(1)", "num_tasks(3)", "grainsize(strict: 2)",
    "num_tasks(strict: 2)", "grainsize(one + 1)", "num_tasks(one)",
)  # fmt: skip


class Tasking(Worksharing):
    """Makes what creates tasks, or waits for them."""

    @property
    def detaching(self) -> str:
        """libomp now and then fails on a detached task."""
        return "detach" if self.compiler == "gcc" else ""

    @property
    def masks_loops(self) -> bool:
        """clang 19 does nothing at all for a masked taskloop."""
        return self.compiler == "gcc"

    def wait(self) -> Node:
        """Return a directive that waits for tasks, or lets some run."""
        if self.chance(0.3):
            return Standalone(self.key(), "taskyield", self.directive("omp taskyield"))
        clause = self.one_of(WAITS + (CLANG_WAITS if self.compiler == "clang-19" else ()))
        directive = self.directive("omp taskwait", [clause] if clause else [])
        return Standalone(self.key(), "taskwait", directive)

    def _all(self) -> Node:
        return Standalone(self.key(), "taskwait", self.directive("omp taskwait"))

    def _inside(self, place: Place, clauses: list[str]) -> Place:
        """Return the place inside a task: the thread that runs it is not known."""
        loose = "untied" in clauses and self.compiler == "clang-19"
        inside = replace(
            place.shared_out(), loose=loose, untasked=place.untasked,
            unreduced=self.compiler == "clang-19",
        )  # fmt: skip
        return replace(inside, cancel="taskgroup" if place.grouped else "")

    def task(self, place: Place) -> Node:
        form = self.one_of(
            ("", "", "", self.detaching, "shared", "object", "private", "firstprivate")
        )
        if form == "object" and place.loose:  # as an iterator there, see _task_clauses
            form = ""
        first = self.number()
        clauses = self._task_clauses(place, mergeable=form != "detach")
        if form == "detach":
            bad = ("untied", "if(", "final(")
            clauses = [c for c in clauses if not c.startswith(bad)]
        if form == "object":
            return self._with_object(place, clauses, first)
        name = self.name("x")
        before: list[Node] = []
        after: list[Node] = []
        start: list[Node] = []
        if form == "detach":
            before.append(Plain(f"omp_event_handle_t {name} = (omp_event_handle_t)0;"))
            clauses.append(f"detach({name})")
            start.append(Plain(f"omp_fulfill_event({name});"))
        elif form:
            before.append(Plain(f"long {name} = 4;"))
            clauses.append(f"{form}({name})")
            after.append(Tick(Amount(6 if form == "shared" else 4), spelt=name))
            effect = f"{name} += 2;" if form == "shared" else f"{name} = 6;"
            start.append(Plain(f"(void){name};" if form == "firstprivate" else effect))
        waits = form in ("shared", "detach") or place.prompt
        node = self._task(place, clauses, start, first, {name} if form else set())
        if waits:
            after.insert(0, self._all())
        return Block((*before, node, *after)) if before or after else node

    def _task(
        self, place: Place, clauses: list[str], start: list[Node], first: int, own: set[str]
    ) -> Node:
        body = self.statement(self._inside(place, clauses))
        if start:
            items = [*in_braces(body).items]
            items[0 if self.chance(0.7) else len(items) : 0] = start
            body = Block(tuple(items))
        self._task_sharing(clauses, body, first, own)
        directive = self.directive("omp task", clauses)
        return Blocked(self.key(), "task", directive, Who.ALL, body)

    def _task_clauses(self, place: Place, mergeable: bool) -> list[str]:
        offered = [
            (0.15, f"if({self.one_of(('', 'task: '))}{self.constant().text})"),
            (0.12, f"final({self.constant().text})"), (0.15, "untied"),
            (0.15 if mergeable else 0.0, "mergeable"), (0.1, f"priority({self.random.randint(0, 3)})"),
            (0.3, self.one_of(DEPENDS + (CLANG_DEPENDS if self.compiler == "clang-19" else ()))),
            (0.1, "affinity(cells_0[0:4])"),
        ]  # fmt: skip
        clauses = [clause for probability, clause in offered if self.chance(probability)]
        # clang 19 corrupts the stack behind an iterator in an untied task: with llvm.stackrestore,
        # it frees memory taken before the task was left and re-entered.
        return [c for c in self._tied(clauses) if not (place.loose and "iterator" in c)]

    def _tied(self, clauses: list[str]) -> list[str]:
        """Return the clauses, without untied on a task executed at once: libomp fails on it."""
        at_once = any(clause.startswith(("if(", "final(")) for clause in clauses)
        if at_once and self.compiler == "clang-19" and "untied" in clauses:
            clauses.remove("untied")
        return clauses

    def _task_sharing(self, clauses: list[str], body: Node, first: int, own: set[str]) -> None:
        """Add a default clause, and list all that the task refers to if needed."""
        default = self.one_of(("", "", "", "shared", "none"))
        computed = variables_in(*map(Plain, clauses))
        outer = {n for n in variables_in(body) if number_of(n) < first} - own
        local = {n for n in outer if number_of(n)}
        # clang 19 crashes on some variables that a directive both lists and computes with.
        if (default == "shared" and local) or (default == "none" and computed):
            return
        if default == "none":
            clauses += [f"shared({n})" for n in sorted(outer - local)]
            clauses += [f"firstprivate({n})" for n in sorted(local)]
        if default:
            clauses.append(f"default({default})")

    def _with_object(self, place: Place, clauses: list[str], first: int) -> Node:
        """Return a task that depends by way of a depend object."""
        name = self.name("object")
        clauses = [c for c in clauses if not c.startswith("depend(")]
        kinds = ["in: cells_0[3]", "inout: cells_0[2]", "mutexinoutset: counter_0"]
        texts = [f"depend({self.one_of(kinds)})"]
        if self.chance(0.4):
            texts.append("update(in)")
        steps = [
            Standalone(self.key(), "depobj", self.directive(f"omp depobj({name})", [text]))
            for text in (*texts, "destroy")
        ]
        node = self._task(place, [*clauses, f"depend(depobj: {name})"], [], first, {name})
        waits = [self._all()] if place.prompt else []
        return Block((Plain(f"omp_depend_t {name};"), *steps[:-1], node, steps[-1], *waits))

    def taskgroup(self, place: Place) -> Node:
        all_come = place.level and not place.loose and self.chance(0.3)
        inside = replace(place.deeper() if all_come else place.separate(), grouped=True)
        inside = replace(inside, prompt=False, cancel="")
        if place.loose and not place.untasked and self.chance(0.8):
            # At -O0 clang 19 crashes on a scheduling point in there.
            self.optimized = True
            inside = replace(inside, untasked=False)
        directive = self.directive("omp taskgroup")
        # Without a team, libgomp frees memory that is not its own.
        plain = place.loose or not (place.in_team or self.compiler == "clang-19")
        if plain or self.chance(0.5):
            body = self.statement(inside)
            return Blocked(self.key(), "taskgroup", directive, Who.ALL, body)
        return self._reducing(
            inside, lambda name, operator, items: Blocked(
                self.key(), "taskgroup",
                self.directive("omp taskgroup", [f"task_reduction({operator}: {name})"]),
                Who.ALL, Block(tuple(items)),
            ),
        )  # fmt: skip

    def _reducing(self, inside: Place, around: Callable[[str, str, list[Node]], Node]) -> Node:
        """Return a variable that tasks within a construct reduce."""
        name = self.name("x")
        # libgomp loses what tasks reduce by an operator of the user's.
        fit = [row for row in REDUCTIONS if row[0] != "Joined" or self.compiler == "clang-19"]
        operator, text, last = self.one_of(fit)
        mark = Mark(text.format(name), name, Amount(1 if last else 2))
        items: list[Node] = []
        for _ in range(self.random.randint(1, 3)):
            first = self.number()
            clauses = [c for c in self._task_clauses(inside, True) if not c.startswith("mergeable")]
            clauses.append(f"in_reduction({operator}: {name})")
            items.append(self._task(inside, clauses, [mark], first, {name}))
            if self.chance(0.3):
                items += self.items(inside)
        node = around(name, operator, items)
        return Block((Plain(f"long {name} = 4;"), node, Settled(name, 4, last=last)))

    def parallel_of_tasks(self, place: Place) -> Node:
        """Return a parallel region whose reduction its tasks take part in."""
        team, clauses = self._team(place)
        inside = replace(
            place.separate(), level=place.level + 1, master=True, numbered=True, prompt=False
        )
        return self._reducing(
            inside, lambda name, operator, items: Parallel(
                self.key(),
                self.directive("omp parallel", [*clauses, f"reduction(task, {operator}: {name})"]),
                team, Block(tuple(items)),
            ),
        )  # fmt: skip

    def scope(self, place: Place) -> Node:
        """Return scope, for places that all of the team reach."""
        parts = Parts([], [], [], [], set())
        self._worksharing_data(parts, place, False, place.data("reduction", "private"))
        # gcc 12 has not learnt that it may allocate.
        parts.clauses = [clause for clause in parts.clauses if not clause.startswith("allocate")]
        body = self.statement(replace(place.separate(), master=False))
        if parts.start:
            body = Block((*parts.start, *in_braces(body).items))
        directive = self.directive("omp scope", parts.clauses)
        construct = Blocked(self.key(), "scope", directive, Who.ALL, body)
        return self._closed(parts, construct, False)

    def takes_loops_of_tasks(self, place: Place) -> bool:
        """Return whether taskloops may stand here. gcc 12 may skip the code behind one in a
        cancelled construct: it tests a register that was never set.
        """
        return self.compiler != "gcc" or not place.cancel

    def taskloop(self, place: Place) -> Node:
        """Return taskloop, or, by one member of the team, masked taskloop or master taskloop."""
        words, only = "omp taskloop", None
        clauses: list[str] = []
        if place.master and self.chance(0.4):
            words, only = "omp master taskloop", Amount(0)
            if self.masks_loops and self.chance(0.5):
                words, only = "omp masked taskloop", self._filter(place, clauses)
        return self._taskloop(place, words, clauses, only)

    def _taskloop(self, place: Place, words: str, clauses: list[str], only: Amount | None) -> Node:
        first = self.number()
        parts = Parts(clauses, [], [], [], set())
        heads = self._heads(self.one_of(("", "", "collapse")), parts)
        if len(heads) > 1:
            clauses.append("collapse(2)")
        if self.chance(0.6):
            clauses.append(self.one_of(AMOUNTS))
        clauses += self._clauses_of_taskloop(words, clauses)
        # clang 19 forgets to reduce in parallel masked taskloop.
        data = self.chance(0.5) and only is None and "parallel" not in words
        nogroup = not data and self.chance(0.25)
        if data:
            kinds = ("firstprivate", "private", "lastprivate")
            reduces = place.in_team or self.compiler == "clang-19"
            self._data(parts, (*kinds, "reduction") if reduces else kinds)
        elif nogroup:
            clauses.append("nogroup")
        elif self.chance(0.2):
            clauses.append("mergeable")
        inside = self._inside(place, clauses).knowing(*(head.expression for head in heads))
        inside = replace(inside, grouped=not nogroup or place.grouped)
        body = self.statement(replace(inside, cancel="taskgroup" if inside.grouped else ""))
        if parts.start:
            body = Block((*parts.start, *in_braces(body).items))
        if not data and not parts.private:
            heads_text = [Plain(h.text) for h in heads]
            self._task_sharing(clauses, Block((body, *heads_text)), first, set())
        construct = Spread(self.key(), self.directive(words, clauses), heads, body, only=only)
        if nogroup and place.prompt:
            parts.after.insert(0, self._all())
        if not parts.before and not parts.after:
            return construct
        return Block((*parts.before, construct, *parts.after))

    def _clauses_of_taskloop(self, words: str, clauses: list[str]) -> list[str]:
        modifier = self.one_of(("", "taskloop: "))
        if "parallel" in words:
            modifier = "taskloop: "
        offered = [
            (0.15, f"if({modifier}{self.constant().text})"),
            (0.12, f"final({self.constant().text})"),
            (0.15, "untied"),
            (0.1, "priority(2)"),
        ]
        if any(clause.startswith("if(") for clause in clauses):
            offered = offered[1:]
        return self._tied([clause for probability, clause in offered if self.chance(probability)])

    def _filter(self, place: Place, clauses: list[str]) -> Amount:
        """Return the number of the thread that is not masked."""
        if self.chance(0.3):
            return Amount(0)
        amount = Amount(self.random.randint(0, 3))
        if place.expressions and self.chance(0.3):
            amount = Amount(0, self.one_of(place.expressions))
        clauses.append(f"filter({amount})")
        return amount

    def masked(self, place: Place) -> Node:
        clauses: list[str] = []
        amount = self._filter(place, clauses)
        body = self.statement(place.separate())
        return Masked(self.key(), self.directive("omp masked", clauses), amount, body)

    def parallel_masked(self, place: Place) -> Node:
        """Return parallel masked, parallel master, or one of these with a taskloop."""
        team, clauses = self._team(place)
        word = self.one_of(("masked", "master"))
        amount = self._filter(replace(place, expressions=()), clauses) if word == "masked" else None
        inside = replace(
            place.separate(), level=place.level + 1, numbered=True, master=False, prompt=False
        )
        if inside.takes_tasks and (word == "master" or self.masks_loops) and self.chance(0.5):
            # clang 19 crashes on some tasks in there.
            inside = replace(inside, untasked=self.compiler == "clang-19")
            node = self._taskloop(inside, f"omp parallel {word} taskloop", clauses, None)
            loop = node.items[-1] if isinstance(node, Block) else node
            while isinstance(loop, Block):
                loop = loop.items[-1]
            return self._forked(node, team, amount or Amount(0))
        body = self.statement(inside)
        directive = self.directive(f"omp parallel {word}", clauses)
        return Masked(self.key(), directive, amount or Amount(0), body, team)

    def _forked(self, node: Node, team: Team, amount: Amount) -> Node:
        """Return the same node with the loop run by one member of a new team."""
        if isinstance(node, Spread):
            return replace(node, team=team, only=amount)
        assert isinstance(node, Block)
        return Block(
            tuple(self._forked(i, team, amount) if isinstance(i, Spread) else i for i in node.items)
        )
