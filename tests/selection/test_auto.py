"""Functions that `--pomp-functions=auto` measures, and the reasons."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from pomp_clang.driver.unit.named_source import unit_of
from pomp_clang.driver.unit.option_mapping import with_estimates
from pomp_clang.frontend.c.find import find
from pomp_clang.record import replace
from pomp_clang.rewrite.instrument import instrument
from pomp_clang.selection.auto import Auto
from pomp_clang.selection.plan import Decision, PlanEntry, plan
from pomp_clang.selection.selection import selection_of_options
from tests.compilers import first

Decide = Callable[..., dict[str, PlanEntry]]

PROGRAM = """
#include <cmath>
#include <cstdio>
#include <vector>
template <class T> T twice(T x) { return x + x; }
struct Grid {
  std::vector<double> cells;
  explicit Grid(int n) : cells(n) {}
  double at(int i) const { return cells[i]; }
  double sum() const { double s = 0; for (double c : cells) s += std::sin(c) * c; return s; }
};
static double leaf(double x) { return x * 0.5 + 1; }
__attribute__((noinline)) double few(double x) { for (int i = 0; i < 4; ++i) x = leaf(x); return x; }
void sweep(Grid& g) {
#pragma omp parallel for
  for (int i = 0; i < 1000; ++i) g.cells[i] = few(g.cells[i]);
}
__attribute__((noinline)) void step(Grid& g) { sweep(g); }
inline void bump(double& x) {
#pragma omp atomic
  x += 1;
}
void unused() {}
extern "C" int MPI_Barrier(int);
void wait() { MPI_Barrier(0); }
int main() {
  Grid g(1000);
  step(g);
  bump(g.cells[0]);
  auto shifted = [](double x) { return x + 1; };
  std::printf("%g %g\\n", shifted(g.sum()), twice(g.at(3)));
}
"""
WORTH = {"Grid::sum", "sweep", "step", "wait", "main"}
FUNCTIONS = WORTH | {"twice", "Grid::Grid", "Grid::at", "leaf", "few", "bump", "unused"}
FUNCTIONS |= {"main::{lambda}"}


@pytest.fixture
def decide(tmp_path: Path) -> Decide:
    """Return a function that decides about a text's functions, by their names."""

    def run(text: str, *compiler: str, code: bool = True, rules: str = "") -> dict[str, PlanEntry]:
        path = tmp_path / "a.cpp"
        path.write_text(text)
        if rules:
            (tmp_path / "rules").write_text(rules)
        choice = selection_of_options(
            functions="auto", filter_file=str(tmp_path / "rules") if rules else ""
        )
        unit = unit_of(str(path), [*compiler, "-fopenmp"], functions=True)
        if code:
            choice = with_estimates(choice, [unit], "auto")
        else:
            choice = replace(choice, auto=Auto(lambda _: None))
        entries = [entry for file in find(unit).files for entry in plan(file, choice).entries]
        return {e.construct.sub_name: e for e in entries if e.construct.kind == "function"}

    return run


def clang() -> str:
    return first("clang++-19", "clang++") or pytest.skip("no clang++ is here")


def any_compiler() -> str:
    return first("clang++-19", "clang++", "g++") or pytest.skip("no C++ compiler is here")


def measured(entries: dict[str, PlanEntry]) -> set[str]:
    return {name for name, e in entries.items() if e.decision is Decision.INSTRUMENTED}


@pytest.mark.parametrize("options", [(), ("-O0",), ("-O1",), ("-O3", "-g"), ("-Os", "-flto")])
def test_what_is_worth_its_events_is_measured_however_the_unit_is_compiled(
    decide: Decide, options: tuple[str, ...]
) -> None:
    actual = decide(PROGRAM, clang(), *options)
    assert set(actual) == FUNCTIONS
    assert measured(actual) == WORTH


def test_each_decision_says_why(decide: Decide) -> None:
    actual = decide(PROGRAM, clang(), "-O2")
    assert actual["sweep"].why.startswith("auto: has 'parallel for', ")
    assert actual["wait"].why.startswith("auto: calls MPI, ")
    assert actual["main"].why.startswith("auto: the program begins here, ")
    assert actual["leaf"].why.startswith("auto: inlined, ")
    assert actual["unused"].why.startswith("auto: no loop, ")
    assert actual["few"].why.startswith("auto: called in a loop, ")
    assert actual["Grid::sum"].why.startswith("auto: ") and "us a call" in actual["Grid::sum"].why
    sums, leaf = actual["Grid::sum"].nanoseconds, actual["leaf"].nanoseconds
    assert sums is not None and leaf is not None and leaf < 20 < 400 < sums


def test_a_function_without_code_is_left_out(decide: Decide) -> None:
    (entry,) = decide("static inline int f(int x) { return x; }\n", clang(), "-O2").values()
    assert entry.decision is Decision.DISABLED
    assert entry.why == "auto: no code is made of it in this unit"
    assert entry.nanoseconds is None


def test_gcc_s_units_are_judged_by_the_clang_that_is_there(decide: Decide) -> None:
    clang()
    gcc = first("g++") or pytest.skip("no g++ is here")
    actual = decide(PROGRAM, gcc, "-O2")
    assert measured(actual) == WORTH
    assert not any("by its text" in e.why for e in actual.values())


def test_without_optimised_code_the_text_is_read(decide: Decide) -> None:
    actual = decide(PROGRAM, any_compiler(), code=False)
    assert {"Grid::sum", "sweep", "step", "wait", "main"} <= measured(actual)
    assert not {"leaf", "few", "twice", "Grid::at", "bump"} & measured(actual)
    assert "by its text, " in actual["few"].why


def test_code_that_the_compiler_refuses_leaves_the_text(decide: Decide) -> None:
    actual = decide("int f() { return nothing; }\nint main() { return f(); }\n", clang(), "-O2")
    assert "by its text, " in actual["main"].why


def test_a_filter_overrules_it(decide: Decide) -> None:
    rules = "SCOREP_REGION_NAMES_BEGIN EXCLUDE sweep INCLUDE leaf SCOREP_REGION_NAMES_END"
    actual = decide(PROGRAM, clang(), "-O2", rules=rules)
    assert measured(actual) == WORTH - {"sweep"} | {"leaf"}
    assert actual["sweep"].why.endswith("rules:1")


def test_a_loop_of_known_length_costs_what_it_is_long(decide: Decide) -> None:
    text = "double f{0}(double x) {{ for (int i = 0; i < {0}; ++i) x = x / (x + i); return x; }}\n"
    actual = decide("".join(text.format(n) for n in (50, 500, 5000)), clang(), "-O2")
    spent = [actual[f"f{n}"].nanoseconds or 0.0 for n in (50, 500, 5000)]
    assert 5 < spent[1] / spent[0] < 20 and 5 < spent[2] / spent[1] < 20


@pytest.mark.parametrize(
    "loop", ["for (long i = 0; i < 1000; ++i)", "for (long i = 0; i != 4000; i += 4)"]
)
def test_the_step_of_a_loop_counts(decide: Decide, loop: str) -> None:
    text = f"double a[4000];\nvoid f(double x) {{ {loop} a[i] = x / (i + x); }}\n"
    (entry,) = decide(text, clang(), "-O2").values()
    assert 2000 < (entry.nanoseconds or 0.0) < 10000


def test_a_loop_over_an_iterator_is_as_long_as_one_over_an_index(decide: Decide) -> None:
    text = """
#include <vector>
double f(const std::vector<double> &v) { double s = 0; for (double x : v) s += x / s; return s; }
double g(const double *v, int n) { double s = 0; for (int i = 0; i < n; ++i) s += v[i] / s; return s; }
"""
    actual = decide(text, clang(), "-O2")
    f, g = actual["f"].nanoseconds or 0.0, actual["g"].nanoseconds or 0.0
    assert 0.5 < f / g < 2


def test_code_that_clang_rejects_with_late_templates_is_judged_by_its_bitcode(
    decide: Decide,
) -> None:
    text = """
int helper(long);
template <class T> int pick(T) { return helper(1); }
int helper(double);
int main() { return pick(1); }
"""
    assert "by its text" not in decide(text, clang(), "-O2")["main"].why


COSTLY = "inline double costly(const double *x) { double s = 0; for (int i = 0; i < 9999; ++i) s += x[i]; return s; }\n"
CHEAP = "inline double cheap(double x) { return x + 1; }\n"


def test_a_compile_searches_only_functions_that_may_be_measured(tmp_path: Path) -> None:
    """The listing has all functions; a compile instruments the same ones."""
    for name, text in (("costly.h", COSTLY), ("cheap.h", CHEAP)):
        guard = name.replace(".", "_")
        (tmp_path / name).write_text(f"#ifndef {guard}\n#define {guard}\n{text}#endif\n")
    includes = '#include "cheap.h"\n#include "costly.h"\n'
    path = tmp_path / "a.cpp"
    path.write_text(includes + PROGRAM + "double f(double *x) { return costly(x) + cheap(*x); }\n")
    unit = unit_of(str(path), [clang(), "-fopenmp", f"-I{tmp_path}"], functions=True)
    choice = with_estimates(selection_of_options(functions="auto"), [unit], "auto")
    decided = []
    for constructs in (find(unit), find(unit, choice.candidates)):
        entries = [entry for file in constructs.files for entry in plan(file, choice).entries]
        names = {e.construct.sub_name for e in entries if e.decision is Decision.INSTRUMENTED}
        decided.append((names, {e.construct.sub_name for e in entries} - names))
    assert decided[0][0] == decided[1][0] > WORTH | {"costly", "f"}
    assert "cheap" in decided[0][1] and decided[1][1] == {"bump"}
    assert len(instrument(unit, choice).headers) == 1


def test_what_ends_the_program_counts_for_nothing(decide: Decide) -> None:
    text = """
#include <cstdio>
#include <cstdlib>
__attribute__((noinline)) int checked(int x) {
  if (x < 0) { for (int i = 0; i < 100000; ++i) std::printf("%d\\n", i + x); std::abort(); }
  return x + 1;
}
"""
    assert measured(decide(text, clang(), "-O2")) == set()


def test_recursion_is_priced_by_one_call(decide: Decide) -> None:
    text = "long fib(long n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }\n"
    assert measured(decide(text, clang(), "-O2")) == set()
