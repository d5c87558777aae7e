"""Regions, worksharing and tasks of random Fortran programs."""

from __future__ import annotations

import re
from abc import abstractmethod
from dataclasses import replace

from tests.random_programs.choices import Place, Pool
from tests.random_programs.constructs import Standalone, Team, Who
from tests.random_programs.fortran.bodies import SPELLINGS, TICK, Bodies, Parts
from tests.random_programs.fortran.nodes import (
    BlockConstruct,
    Blocked,
    Counted,
    If,
    Items,
    LoopStyle,
    Masked,
    Opaque,
    Parallel,
    Sections,
    Settled,
    Shared,
    Spread,
)
from tests.random_programs.fortran.program import words_of
from tests.random_programs.model import Amount, Node
from tests.random_programs.spread import Quiet
from tests.random_programs.statements import Mark, Plain, Tick
from tests.random_programs.text import Directive

SCHEDULES = (
    "static", "static, 2", "dynamic", "guided", "runtime", "dynamic, one + 1", "auto",
    "monotonic: dynamic, 2", "nonmonotonic: guided", "guided, same(one)",
)  # fmt: skip
UNSEEN = re.compile(r"(?!.*\bstatic\b)")
"""Schedules with which gfortran evaluates bounds in front of a combined construct."""
DEPENDS = ("depend(in: cells_0(1))", "depend(out: cells_0(2))", "depend(inout: counter_0)")
WAITS = ("", "", "depend(in: cells_0(1))")


class Worksharing(Bodies):
    """Makes what has a team, divides work among one, or creates tasks."""

    @abstractmethod
    def items(self, place: Place) -> list[Node]:
        """Return any statements."""

    @abstractmethod
    def tick(self, place: Place) -> Node:
        """Return a statement that is counted."""

    def control(self, words: str) -> Directive:
        return Directive(words, (), self.one_of(SPELLINGS[:1]))

    def parallel(self, place: Place) -> Node:
        first = self.number()
        team, clauses = self.new_team(place)
        pool = Pool()
        inside = self.inside_team(
            place, team=True, master=True, numbered=True, pool=pool, prompt=False,
            cancel="parallel",
        )  # fmt: skip
        parts = Parts(clauses)
        if self.chance(0.3):
            self.data(parts, place.data("private", "firstprivate", "reduction"))
        if self.chance(0.1):
            parts.clauses.append("copyin(kept_0)")
        body = self.body(inside, parts.start)
        self.sharing(parts, [body], first, list(pool.counts))
        body, end = self.ended_block("parallel", body)
        directive = self.directive("omp parallel", parts.clauses)
        construct = Parallel(self.key(), directive, team, body, end)
        for name, value in pool.counts.items():
            parts.declared.append(name)
            parts.before.append(Plain(f"{name} = {value}"))
            parts.after.append(pool.later[name])
        return parts.framed(construct)

    def combined(self, place: Place) -> Node:
        makes = [self.shared, self.shared]
        # flang 19 takes these for constructs that are closely nested in what is around.
        makes += [self.sections, self.workshare] if self.gfortran or place.team else []
        make = self.one_of(makes)
        return make(place, self.new_team(place))

    def shared(self, place: Place, team: tuple[Team, list[str]] | None = None) -> Node:
        """Return do, do simd, parallel do or parallel do simd."""
        first = self.number()
        simd = self.chance(0.2)
        form = "" if simd else self.one_of(("", "", "collapse", "ordered"))
        parts = Parts(list(team[1]) if team else [])
        # gfortran 12 wants the variable of a simd loop in the lists of default(none) around it.
        heads = self.heads(2 if form == "collapse" else 1, own=simd)
        parts.declared += [head.expression for head in heads if simd]
        inside = place.shared_out().knowing(*(head.expression for head in heads))
        if team:
            inside = replace(inside, level=place.level + 1)
        if self.chance(0.6):
            schedule = self.one_of(SCHEDULES)
            if form == "ordered" and ":" in schedule:
                schedule = "dynamic"
            parts.clauses.append(f"schedule({schedule})")
        parts.clauses += {"collapse": ["collapse(2)"], "ordered": ["ordered"]}.get(form, [])
        self._data_of_work(parts, place, team, ("reduction", "lastprivate", "firstprivate"))
        body = Items((*parts.start, self._loop_body(form, simd, inside)))
        if heads[-1].style.label and self.chance(0.4):
            style = LoopStyle(label=heads[-1].style.label, terminal="counter_0 = counter_0 + 0")
            if not simd:
                style = replace(style, terminal="call tick(0)")
                body = Items((*body.items, Counted(Tick(Amount(0)))))
            heads = tuple(replace(head, style=style) for head in heads)
        if team:
            texts = [head.style.terminal for head in heads]
            schedule = next((c for c in parts.clauses if c.startswith("schedule")), "")
            hidden = self.gfortran and not simd and form != "ordered" and UNSEEN.match(schedule)
            if not hidden:
                texts += [schedule, *(head.text for head in heads)]
            self.sharing(parts, [body, *map(Plain, texts)], first)
        words = f"{'parallel ' if team else ''}do{' simd' if simd else ''}"
        end = self._end_of_work(words, parts, team, optional=True)
        directive = self.directive(f"omp {words}", parts.clauses)
        construct = Shared(self.key(), directive, heads, body, team[0] if team else None, (), end)
        return parts.framed(construct)

    def _data_of_work(
        self, parts: Parts, place: Place, team: object, kinds: tuple[str, ...]
    ) -> None:
        kinds = place.data(*kinds)
        if team and self.chance(0.5):
            self.data(parts, kinds)
        elif not team and place.pool is not None and self.chance(0.5):
            self.data(parts, kinds, place.pool)
        elif not team and self.chance(0.2):
            self.data(parts, ("private",))

    def _end_of_work(
        self, words: str, parts: Parts, team: object, optional: bool
    ) -> Directive | None:
        """Return the END of a construct, with nowait and a barrier behind if that is needed."""
        if team or self.chance(0.65):
            return self.end(words, parts.ending, optional)
        if parts.private:
            barrier = Standalone(self.key(), "barrier", self.directive("omp barrier"))
            parts.after.insert(0, barrier)
        return self.end(words, ["nowait"])

    def _loop_body(self, form: str, simd: bool, inside: Place) -> Node:
        if simd:
            return Plain("continue")
        if form != "ordered":
            return self.statement(inside)
        body, end = self.ended_block("ordered", self.body(inside))
        directive = self.directive("omp ordered")
        ordered: Node = Blocked(self.key(), "ordered", directive, Who.ALL, body, end)
        if self.chance(0.3):
            ordered = If(self.condition(inside), ordered)
        return Items((self.tick(inside), ordered, self.tick(inside)))

    def sections(self, place: Place, team: tuple[Team, list[str]] | None = None) -> Node:
        """Return sections or parallel sections."""
        first = self.number()
        parts = Parts(list(team[1]) if team else [])
        self._data_of_work(parts, place, team, ("reduction", "firstprivate", "private"))
        inside = replace(place.shared_out(), level=place.level + (team is not None))
        divided: list[tuple[Directive | None, Node]] = []
        for number in range(self.random.randint(1, 4)):
            node = self.body(inside, parts.start)
            bare = number == 0 and self.chance(0.4)
            divided.append((None if bare else self.directive("omp section"), node))
        if team:
            self.sharing(parts, [node for _, node in divided], first)
        words = f"{'parallel ' if team else ''}sections"
        end = self._end_of_work(words, parts, team, optional=False)
        directive = self.directive(f"omp {words}", parts.clauses)
        construct = Sections(self.key(), directive, tuple(divided), team[0] if team else None, end)
        return parts.framed(construct)

    def workshare(self, place: Place, team: tuple[Team, list[str]] | None = None) -> Node:
        """Return workshare or parallel workshare: assignments to an array."""
        texts = ("cells_0 = cells_0", "where (cells_0 < 0) cells_0 = 0", "cells_0(0:3) = 0")
        body = Items(tuple(Plain(text) for text in self.some_of(texts, 3)) or (Plain(texts[0]),))
        if team is None:
            end = self.end("workshare", self.one_of(([], ["nowait"])))
            barrier = Standalone(self.key(), "barrier", self.directive("omp barrier"))
            construct = Opaque(self.key(), "workshare", self.directive("omp workshare"), Who.ALL, body,
                          end)  # fmt: skip
            return Items((construct, barrier))
        parts = Parts(list(team[1]))
        end = self.end("parallel workshare")
        directive = self.directive("omp parallel workshare", parts.clauses)
        return Parallel(self.key(), directive, team[0], Quiet(body), end)

    def single(self, place: Place) -> Node:
        inside = place.shared_out()
        form = self.one_of(("", "", "nowait", "copyprivate"))
        key, name = self.key(), ""
        clauses = [form] if form == "nowait" else []
        start: list[Node] = []
        after: list[Node] = []
        # flang 19 fails on copyprivate of a variable of a BLOCK construct within a region.
        local = self.gfortran and self.chance(0.5)
        if form == "copyprivate" and not self.gfortran and self.where == "external":
            form = ""  # flang 19 defines a function for it in each object
        if form == "copyprivate":
            name = self.name("x") if local else "kept_0"
            clauses, start = [f"copyprivate({name})"], [Plain(f"{name} = 3")]
            after = [Tick(Amount(3), TICK, name)]
        body, end = self.ended_block("single", self.body(inside, start), clauses)
        construct = Blocked(key, "single", self.directive("omp single"), Who.ONE, body, end)
        if not after:
            return construct
        items = (construct, *after)
        return BlockConstruct(items, (f"integer :: {name}",)) if local else Items(items)

    def master(self, place: Place) -> Node:
        body, end = self.ended_block("master", self.body(place.separate()))
        return Blocked(self.key(), "master", self.directive("omp master"), Who.MASTER, body, end)

    def masked(self, place: Place) -> Node:
        amount = Amount(0)
        clauses: list[str] = []
        if self.chance(0.6):
            amount = Amount(self.random.randint(0, 3))
            clauses.append(f"filter({amount})")
        body = self.body(place.separate())
        if not self.gfortran and "do" in words_of(body):
            body = self.tick(place)  # flang 19 translates no loop there
        body, end = self.ended_block("masked", body)
        return Masked(self.key(), self.directive("omp masked", clauses), amount, body, None, end)

    def parallel_masked(self, place: Place) -> Node:
        team, clauses = self.new_team(place)
        word = self.one_of(("masked", "master"))
        inside = self.inside_team(place, numbered=True, master=False, team=False, pool=None)
        if inside.takes_tasks and self.gfortran and self.chance(0.4):
            return self.taskloop(inside, (team, clauses))
        words = f"parallel {word}"
        body, end = self.ended_block(words, self.body(inside))
        directive = self.directive(f"omp {words}", clauses)
        return Masked(self.key(), directive, Amount(0), body, team, end)

    def scope(self, place: Place) -> Node:
        body = self.body(replace(place.separate(), master=False))
        clauses = self.one_of(([], ["nowait"]))
        directive = self.directive("omp scope")
        body, end = self.ended_block("scope", body, clauses)
        return Blocked(self.key(), "scope", directive, Who.ALL, body, end)

    def simd(self, place: Place) -> Node:
        """Return a loop in which no call may stand."""
        name = self.name("x")
        heads = self.heads(1, own=True)
        amount = Amount(0, heads[0].expression)
        mark = Mark(f"{name} = {name} + {amount.term}", name, amount)
        directive = self.directive("omp simd", [f"reduction(+: {name})"])
        end = self.end("simd", optional=True)
        construct = Spread(self.key(), directive, heads, mark, True, None, None, end)
        items = (Plain(f"{name} = 4"), construct, Settled(name, 4))
        return BlockConstruct(items, (f"integer :: {name}, {amount.term}",))

    def wait(self) -> Node:
        if self.chance(0.3):
            return Standalone(self.key(), "taskyield", self.directive("omp taskyield"))
        clause = self.one_of(WAITS)
        directive = self.directive("omp taskwait", [clause] if clause else [])
        return Standalone(self.key(), "taskwait", directive)

    def _task_clauses(self, body: Node, place: Place) -> list[str]:
        # flang 19 keeps the list of a task within a task on the stack of the procedure around both.
        depends = 0.3 if self.gfortran or not place.unreduced else 0.0
        offered = [
            (0.15, f"if({self.one_of(('', 'task: '))}{self.constant().text})"),
            (depends, self.one_of(DEPENDS[-1:] if not self.gfortran else DEPENDS)),
            (0.12 if self.gfortran else 0.0, f"final({self.constant().text})"),
            (0.15 if self.gfortran and "kept_0" not in words_of(body) else 0.0, "untied"),
            (0.1 if self.gfortran else 0.0, "priority(2)"),
            (0.15 if self.gfortran else 0.0, "mergeable"),
        ]  # fmt: skip
        clauses = [clause for probability, clause in offered if self.chance(probability)]
        known = self.used_variables(body) & set(place.expressions)
        if known:
            clauses.append(f"firstprivate({', '.join(sorted(known))})")
        if not self.gfortran:
            # flang 19 makes private what is shared outside of a region, and fails on the names
            # of BLOCK constructs and critical sections.
            clauses.append("default(shared)")
        return clauses

    def _in_task(self, place: Place) -> Place:
        if self.gfortran:
            return replace(place.shared_out(), cancel="taskgroup" if place.grouped else "")
        # flang 19 copies firstprivate variables when the task runs, not when it is created.
        return replace(place.shared_out(), unreduced=True, expressions=())

    def task(self, place: Place) -> Node:
        body = self.body(self._in_task(place))
        clauses = self._task_clauses(body, place)
        body, end = self.ended_block("task", body)
        directive = self.directive("omp task", clauses)
        return Blocked(self.key(), "task", directive, Who.ALL, body, end)

    def taskgroup(self, place: Place) -> Node:
        inside = replace(place.separate(), grouped=True)
        if not self.gfortran:
            inside = replace(inside, expressions=())  # flang 19 loses a loop's variable
        body, end = self.ended_block("taskgroup", self.body(inside))
        directive = self.directive("omp taskgroup")
        return Blocked(self.key(), "taskgroup", directive, Who.ALL, body, end)

    def taskloop(self, place: Place, team: tuple[Team, list[str]] | None = None) -> Node:
        """Return taskloop, also with masked, master and, with a team, parallel."""
        words, only = "taskloop", None
        if team or (place.master and self.chance(0.4)):
            words, only = f"{self.one_of(('master', 'masked'))} taskloop", Amount(0)
        words = f"parallel {words}" if team else words
        heads = self.heads(self.one_of((1, 1, 2)))
        inside = self._in_task(place).knowing(*(head.expression for head in heads))
        body = self.statement(inside)
        clauses = [c for c in self._task_clauses(body, place) if not c.startswith(("dep", "if"))]
        if len(heads) > 1:
            clauses.append("collapse(2)")
        if self.chance(0.6):
            clauses.append(self.one_of(("grainsize(2)", "num_tasks(2)", "num_tasks(one)")))
        if team:
            names = [head.expression for head in heads]
            clauses = [c for c in clauses if not c.startswith("firstprivate")]
            known = self.used_variables(body) & set(place.expressions) - set(names)
            clauses += [*team[1], *([f"firstprivate({', '.join(sorted(known))})"] if known else [])]
        end = self.end(words, optional=True)
        directive = self.directive(f"omp {words}", clauses)
        made_team = team[0] if team else None
        return Spread(self.key(), directive, heads, body, False, only, made_team, end)
