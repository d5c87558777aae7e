"""Constructs that enclose statements, and those without a statement."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import replace

from tests.random_programs.choices import Choices, Place
from tests.random_programs.constructs import Acquire, Blocked, Standalone, Who
from tests.random_programs.model import Amount, Constant, Node
from tests.random_programs.program import LOCKS
from tests.random_programs.statements import Block, If, Mark, Plain, Tick

UPDATES = (
    "counter_0++;", "++counter_0;", "counter_0--;", "counter_0 += 2;", "counter_0 = counter_0 + 3;",
    "counter_0 = 2 + counter_0;", "counter_0 |= 4;", "counter_0 ^= 4;",
)  # fmt: skip
CAPTURES = (
    "{v} = counter_0++;", "{v} = ++counter_0;", "{v} = counter_0 += 2;",
    "{v} = counter_0 = counter_0 - 1;",
    "{{ {v} = counter_0; counter_0 += 2; }}", "{{ counter_0 -= 1; {v} = counter_0; }}",
    "{{ {v} = counter_0; counter_0 = 5; }}",
)  # fmt: skip
FLUSHES = ("omp flush", "omp flush(counter_0)", "omp flush(counter_0,written_0)", "omp flush acq_rel",
           "omp flush acquire", "omp flush release")  # fmt: skip
HINTS = (
    "hint(omp_sync_hint_none)", "hint(omp_sync_hint_contended)",
    "hint(omp_sync_hint_uncontended | omp_sync_hint_nonspeculative)",
)  # fmt: skip
ORDERS = ("", "", "seq_cst", "relaxed", "hint(omp_sync_hint_none)")


class Regions(Choices):
    """Makes the constructs whose blocks are executed by whoever comes."""

    @abstractmethod
    def statement(self, place: Place) -> Node:
        """Return any one statement."""

    @abstractmethod
    def moving(self) -> Node:
        """Return a directive that moves data to or from a target."""

    @abstractmethod
    def items(self, place: Place) -> list[Node]:
        """Return any statements and declarations."""

    def standalone(self, place: Place) -> Node:
        """Return a directive that is a statement in a list."""
        if self.chance(0.1):
            return self.moving()
        if place.team and place.level and self.chance(0.6):
            return Standalone(self.key(), "barrier", self.directive("omp barrier"))
        return Standalone(self.key(), "flush", self.directive(self.one_of(FLUSHES)))

    def atomic(self, place: Place) -> Node:
        order = self.one_of(ORDERS)
        clauses = [order] if order else []
        form = self.one_of(("", "update", "read", "write", "capture", "compare"))
        if form:
            clauses.append(form)
        directive = self.directive("omp atomic", clauses)
        key = self.key()
        if form == "compare" and self.chance(0.3):
            variable = self.name("v")
            text = f"{{ {variable} = low_0; if (low_0 > 3) {{ low_0 = 3; }} }}"
            directive = self.directive("omp atomic", [*clauses, "capture"])
            construct = Blocked(key, "atomic", directive, Who.ALL, Mark(text, "low_0"))
            return Block((Plain(f"long {variable};"), construct, Plain(f"(void){variable};")))
        if form in ("read", "capture"):
            variable = self.name("v")
            text = "{v} = counter_0;" if form == "read" else self.one_of(CAPTURES)
            construct = Blocked(key, "atomic", directive, Who.ALL, Plain(text.format(v=variable)))
            return Block((Plain(f"long {variable};"), construct, Plain(f"(void){variable};")))
        if form == "write":
            return Blocked(key, "atomic", directive, Who.ALL, Mark("written_0 = 42;", "written_0"))
        if form == "compare":
            text = self.one_of(("if (low_0 > 3) { low_0 = 3; }", "low_0 = low_0 > 3 ? 3 : low_0;"))
            lowered = Mark(text, "low_0", is_open=text.startswith("if"))
            return Blocked(key, "atomic", directive, Who.ALL, lowered)
        return Blocked(key, "atomic", directive, Who.ALL, Plain(self.one_of(UPDATES)))

    def critical(self, place: Place) -> Node:
        inside = replace(place.separate(), held=place.held + 1)
        words, clauses = "omp critical", []
        if place.held >= 0 or self.chance(0.6):
            inside = replace(inside, held=self.random.randint(place.held + 1, LOCKS - 1))
            words += f"(Named_{inside.held})"
            # g++ 12 finds no name of a critical section in a template.
            plain = self.cplusplus and self.compiler == "gcc"
            hint = HINTS[0 if plain else inside.held % len(HINTS)]
            clauses = [hint] if hint != HINTS[0] or self.chance(0.2) else []
        directive = self.directive(words, clauses)
        return Blocked(self.key(), "critical", directive, Who.ALL, self.statement(inside))

    def master(self, place: Place) -> Node:
        body = self.statement(place.separate())
        return Blocked(self.key(), "master", self.directive("omp master"), Who.MASTER, body)

    def locked(self, place: Place) -> Node:
        """Return a statement under a lock: one of all threads or one of each."""
        level = self.random.randint(place.held + 1, LOCKS - 1)
        inside = replace(place.separate(), held=level)
        form = self.one_of(("set", "nest", "again", "test", "fails", "nest test"))
        if form == "set":
            lock = f"(&locks_0[{level}])"
            get = Acquire(self.key(), "", "omp_set_lock", lock, ";")
            return Block((get, *self.items(inside), Plain(f"omp_unset_lock{lock};")))
        if form in ("nest", "again"):
            lock = f"(nests_0 + {level})"
            gets = [Acquire(self.key(), "", "omp_set_nest_lock", lock, ";")]
            if form == "again":
                gets.append(Acquire(self.key(), "", "omp_set_nest_lock ", lock, ";"))
            unset = [Plain(f"omp_unset_nest_lock {lock};") for _ in gets]
            return Block((*gets, *self.items(inside), *unset))
        return self._private_lock(form, place.separate())

    def _private_lock(self, form: str, inside: Place) -> Node:
        lock = self.name("lock")
        nest = "nest_" if form == "nest test" else ""
        test = Acquire(self.key(), "", f"omp_test_{nest}lock", f"(&{lock})", "")
        unset = Plain(f"omp_unset_{nest}lock(&{lock});")
        init = f"lock(&{lock})"
        if self.compiler == "clang-19" and self.chance(0.4):
            init = f"lock_with_hint(&{lock}, omp_sync_hint_none)"
        body: list[Node] = [
            Plain(f"omp_{nest}lock_t {lock};"),
            Plain(f"omp_init_{nest}{init};"),
        ]
        if form == "fails":
            body.append(Acquire(self.key(), "", "omp_set_lock", f"(&{lock})", ";"))
            body.append(replace(test, before="if (!", after=")"))
            body += [Block((Tick(Amount(1)),)), unset]
        elif self.chance(0.5):
            body.append(replace(test, before="if (", after=")"))
            body.append(Block((*self.items(inside), unset)))
        else:
            captured = self.name("v")
            body.append(replace(test, before=f"int {captured} = ", after=";"))
            body.append(If(Constant(captured, True), Block((*self.items(inside), unset))))
        return Block((*body, Plain(f"omp_destroy_{nest}lock(&{lock});")))

    def single(self, place: Place) -> Node:
        inside = place.shared_out()
        form = self.one_of(("", "", "nowait", "copyprivate", "private", "both"))
        key = self.key()
        if form in ("", "nowait"):
            clauses = [form] if form else []
            directive = self.directive("omp single", clauses)
            return Blocked(key, "single", directive, Who.ONE, self.statement(inside))
        variable = self.name("v")
        clause = "copyprivate" if form == "copyprivate" else "private"
        clauses = [f"{clause}({variable})", *(["nowait"] if form == "both" else [])]
        directive = self.directive("omp single", clauses)
        items = (Plain(f"{variable} = 3;"), Tick(Amount(3), spelt=variable), *self.items(inside))
        construct = Blocked(key, "single", directive, Who.ONE, Block(items))
        after = Amount(5 if form == "copyprivate" else 3)
        return Block((Plain(f"long {variable} = 1, {variable}_b = 2;"), construct,
                      Tick(after, spelt=f"{variable} + {variable}_b")))  # fmt: skip
