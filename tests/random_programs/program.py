"""Functions, and a whole program."""

from __future__ import annotations

from dataclasses import dataclass, replace

from tests.random_programs.model import TICK, Node, Settings, Tally, Where
from tests.random_programs.statements import Block
from tests.random_programs.text import Directive, Placed, Text

PRELUDE = """\
#include <omp.h>
#include <stdio.h>
#define LIVE 1
#define DO_OMP(...) _Pragma(#__VA_ARGS__)
#define OMP(...) DO_OMP(omp __VA_ARGS__)
#define DEFINE(name, parameter) static void name(int parameter)
#define ONLY(...) __VA_ARGS__
#define ONCE(...) do { __VA_ARGS__ } while (0);
#define BUMP(x) tick(x)
#define DO_BUMP(x) do { tick(x); } while (0)
#define BUMP_HERE(x) { tick(x); }
"""

DECLARED = """\
extern int one, zero, cells_0[16], few_0[3];
extern long total, counter_0, written_0, low_0;
#pragma omp declare reduction(Joined: long: omp_out += omp_in) initializer(omp_priv = 0)
enum { LEVELS = %d };
extern omp_lock_t locks_0[LEVELS]; extern omp_nest_lock_t nests_0[LEVELS];
int same(int n);
"""

GLOBALS = """\
int one = 1, zero = 0; int cells_0[16] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
long total = 0, counter_0 = 0, written_0 = 0, low_0 = 9; static int Mine_0 = 7;
int few_0[3] = {0, 1, 2};
#pragma omp threadprivate(Mine_0)
omp_lock_t locks_0[LEVELS]; omp_nest_lock_t nests_0[LEVELS];
#ifdef __clang__
#pragma omp begin assumes no_openmp no_parallelism
#endif
int same(int n) { return n; }
#ifdef __clang__
#pragma omp end assumes
#endif
"""

CHOSEN = """\
#pragma omp declare variant(tick) match(user={condition(1)})
static inline void chosen(long value) { tick(value + 1000); }
"""

LOCKS = 9
"""Levels of critical sections and locks: one is only entered below a lower level."""


@dataclass(frozen=True, slots=True)
class Function:
    """A function of one int, `parameter`.

    `calls` are the ways to call it, `{}` being the argument.  With `team` the whole team
    has to call it.  It enters critical sections and locks from level `held` on.  It stands
    in the main unit, in the "header" or in the "second" unit.
    """

    head: str
    body: Block
    tail: str
    parameter: str
    calls: tuple[str, ...]
    team: bool
    held: int
    where: str = ""
    name: str = ""

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
    compiler: str
    flags: tuple[str, ...]
    settings: Settings
    dense: float
    macros: tuple[str, ...]
    functions: tuple[Function, ...]
    body: Block

    def text(self) -> str:
        """Return the text of its main unit."""
        return self.texts()[self._names[0]]

    def texts(self) -> dict[str, str]:
        """Return file names and their texts; the main unit is the first."""
        return {out.file: str(out) for out in self._written()}

    @property
    def _names(self) -> tuple[str, str, str]:
        ending = "cpp" if self.language == "c++" else "c"
        return f"program.{ending}", f"second.{ending}", "shared.h"

    def placed(self) -> list[Placed]:
        """Return its constructs with their places, in the order of the text."""
        return [placed for out in self._written() for placed in out.placed]

    def counts(self) -> Tally:
        """Return (key, column) -> count, summed over all threads."""
        tally: Tally = Tally({(TICK, "execC"): 2})
        self.body.count(Where(self.settings), tally)
        return tally

    def output(self) -> tuple[int, str]:
        """Return its exit status and its output."""
        counts = self.counts()
        total = counts[TICK, "sum"]
        written = 42 if counts[TICK, "written_0"] else 0
        low = 3 if counts[TICK, "low_0"] else 9
        return total % 5, f"{total} {written} {low} 7\n"

    def _written(self) -> list[Text]:
        main, second, header = (Text(self.seed, self.dense, name) for name in self._names)
        is_split = any(function.where for function in self.functions)
        head = header if is_split else main
        if is_split:
            _lines(header, "#ifndef SHARED_H\n#define SHARED_H")
            _lines(second, '#include "shared.h"')
            _lines(main, '#include "shared.h"')
        _lines(head, PRELUDE, "\n".join(self.macros), DECLARED % LOCKS)
        self._tick(head)
        _lines(head, CHOSEN)
        _lines(main, GLOBALS)
        files = {"": main, "header": header, "second": second}
        for function in self.functions:
            if function.where == "second":
                _lines(header, f"void {function.name}(int {function.parameter});")
            function.write(files[function.where])
        if is_split:
            _lines(header, "#endif")
        self._main(main)
        return [main, second, header] if is_split else [main]

    def _tick(self, out: Text) -> None:
        out.put("static inline void tick(long value) {")
        out.line()
        atomic = out.place(TICK, "atomic", *out.directive(Directive("omp atomic")))
        out.put("total += value;")
        out.ended(atomic)
        out.put("} static inline void add(long value) { tick(value); }")
        out.line()

    def _main(self, out: Text) -> None:
        out.put("int main(void) {")
        out.line()
        out.put(f"omp_set_max_active_levels({self.settings.max_active});")
        loop = "for (int k = 0; k < LEVELS; k++)"
        for text in ("omp_init_lock(locks_0 + k)", "omp_init_nest_lock(nests_0 + k)"):
            out.put(f"{loop} {{ {text}; }}")
        out.line()
        out.put("add(zero); chosen(zero);")
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


def _lines(out: Text, *parts: str) -> None:
    for part in parts:
        for line in part.splitlines():
            out.put(line)
            out.line()
