"""Functions, and a whole program."""

from __future__ import annotations

from dataclasses import dataclass, replace

from tests.random_programs.model import Node, Settings, Tally, Where
from tests.random_programs.statements import TICK, Block
from tests.random_programs.text import Directive, Placed, Text

PRELUDE = """\
#include <omp.h>
#include <stdio.h>
#define LIVE 1
#define BUMP(x) tick(x)
#define DO_BUMP(x) do { tick(x); } while (0)
#define BUMP_HERE(x) { tick(x); }
"""

GLOBALS = """\
extern int one, zero, cells_0[16];
int one = 1, zero = 0; int cells_0[16] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
long total = 0, counter_0 = 0, written_0 = 0, low_0 = 9; static int Mine_0 = 7;
#pragma omp threadprivate(Mine_0)
"""

LOCKS = 9
"""Levels of critical sections and locks: one is only entered below a lower level."""


@dataclass(frozen=True, slots=True)
class Function:
    """A function of one int, `parameter`.

    `calls` are the ways to call it, `{}` being the argument.  With `team` the whole team
    has to call it.  It enters critical sections and locks from level `held` on.
    """

    head: str
    body: Block
    tail: str
    parameter: str
    calls: tuple[str, ...]
    team: bool
    held: int

    def write(self, out: Text) -> None:
        *before, head = self.head.split("\n")
        for line in before:
            out.put(line)
            out.line()
        out.put(head)
        self.body.write(out)
        if self.tail:
            out.put(self.tail)
        out.line()


@dataclass(frozen=True, slots=True)
class Call(Node):
    """A call with an expression of known value, or with a number."""

    function: Function
    text: str
    expression: str
    value: int

    def write(self, out: Text) -> None:
        out.put(self.text.format(self.expression or self.value) + ";")

    def count(self, where: Where, tally: Tally) -> None:
        value = where.values[self.expression] if self.expression else self.value
        self.function.body.count(replace(where, values={self.function.parameter: value}), tally)


@dataclass(frozen=True, slots=True)
class Program:
    """A program with the settings it is to be run with."""

    seed: int
    language: str
    settings: Settings
    dense: float
    macros: tuple[str, ...]
    functions: tuple[Function, ...]
    body: Block

    def text(self) -> str:
        return str(self._written())

    def placed(self) -> list[Placed]:
        """Its constructs with their places, in the order of the text."""
        return self._written().placed

    def counts(self) -> Tally:
        """(key, column) -> count, summed over all threads."""
        tally: Tally = Tally({(TICK, "execC"): 1})
        self.body.count(Where(self.settings), tally)
        return tally

    def _written(self) -> Text:
        out = Text(self.seed, self.dense)
        for part in (PRELUDE, "\n".join(self.macros), GLOBALS):
            for line in part.splitlines():
                out.put(line)
                out.line()
        self._tick(out)
        for function in self.functions:
            function.write(out)
        self._main(out)
        return out

    def _tick(self, out: Text) -> None:
        array = "[LEVELS]"
        out.put(f"enum {{ LEVELS = {LOCKS} }};")
        out.line()
        out.put(f"omp_lock_t locks_0{array}; omp_nest_lock_t nests_0{array};")
        out.line()
        out.put("static void tick(long value) {")
        out.line()
        atomic = out.place(TICK, "atomic", *out.directive(Directive("omp atomic")))
        out.put("total += value;")
        out.ended(atomic)
        out.put("} static void add(long value) { tick(value); }")
        out.line()

    def _main(self, out: Text) -> None:
        out.put("int main(void) {")
        out.line()
        out.put(f"omp_set_max_active_levels({self.settings.max_active});")
        loop = "for (int k = 0; k < LEVELS; k++)"
        for text in ("omp_init_lock(locks_0 + k)", "omp_init_nest_lock(nests_0 + k)"):
            out.put(f"{loop} {{ {text}; }}")
        out.line()
        out.put("add(zero);")
        out.line()
        self.body.write(out)
        out.line()
        out.put('printf("%ld %ld %ld %d\\n", total, written_0, low_0, cells_0[0] + Mine_0);')
        out.line()
        for text in ("omp_destroy_lock(locks_0 + k)", "omp_destroy_nest_lock(nests_0 + k)"):
            out.put(f"{loop} {{ {text}; }}")
        out.put("return (int)(total % 5);")
        out.line()
        out.put("}")
        out.line()
