"""Generates units that are hard on a compiler wrapper, each in one way, at any size.

The families are a table. A family's `make` returns the texts of a unit's files with `n` repetitions
of the family's construct; the first file is the unit's own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

Files = dict[str, str]
ATOMIC = "#pragma omp atomic\n  x += 1;\n"


@dataclass(frozen=True)
class Family:
    """Return a way of being hard; `size` is the first of the sizes n, 2n and 4n that are measured.

    `flags` are the compiler's options, `ours` those of pomp-clang, `only` names the family of
    compilers that takes such a unit.
    """

    name: str
    size: int
    make: Callable[[int], Files]
    flags: tuple[str, ...] = ("-O1",)
    pomp_options: tuple[str, ...] = ()
    only: str = ""


def _lines(parts: Iterable[str]) -> str:
    return "\n".join([*parts, ""])


def _c(*parts: str) -> Files:
    return {"unit.c": _lines(parts)}


def _cxx(*parts: str) -> Files:
    return {"unit.cpp": _lines(parts)}


def _function(name: str, body: str) -> str:
    return f"void {name}(int x) {{\n{body}}}"


def nested_includes(n: int) -> Files:
    """Return a header that is included n times includes another twice, which includes a leaf."""
    return {
        "unit.c": '#include "top.h"\n' * n,
        "top.h": '#include "middle.h"\n#include "middle.h"\n',
        "middle.h": '#include "leaf.h"\n',
        "leaf.h": (
            "#define JOIN_(a, b) a##b\n#define JOIN(a, b) JOIN_(a, b)\n"
            "static inline void JOIN(leaf, __COUNTER__)(int x) {\n" + ATOMIC + "}\n"
            "#undef JOIN\n#undef JOIN_\n"
        ),
    }


def template_includes(n: int) -> Files:
    """Return n functions that include a header twice, with other macros than the one before."""
    functions = _lines(
        f"int f{i}(int n) {{ int sum = 0;\n#undef FIRST\n#define FIRST {i % 2}\n"
        '#include "t.inc"\n#include "t.inc"\nreturn sum; }'
        for i in range(n)
    )
    template = (
        "#if FIRST\n#pragma omp parallel for reduction(+ : sum)\n#endif\n"
        "for (int i = 0; i < n; i++) sum += i;\n"
        "#if !FIRST\n#pragma omp parallel\n{\n#pragma omp critical\nsum++;\n}\n#endif\n"
    )
    return {"unit.c": functions, "t.inc": template}


def wide_includes(n: int) -> Files:
    """Return n headers, of which each has a construct and includes the one before it."""
    files = {"unit.c": _lines(f'#include "h{i}.h"' for i in range(n))}
    for i in range(n):
        before = f'#include "h{i - 1}.h"\n' if i else ""
        body = f"{before}static inline {_function(f'f{i}', ATOMIC)}\n"
        files[f"h{i}.h"] = f"#ifndef H{i}\n#define H{i}\n{body}#endif\n"
    return files


def idle_includes(n: int) -> Files:
    """Return n lines that include a header that its guard has made empty."""
    header = f"#ifndef H\n#define H\nstatic inline {_function('f', ATOMIC)}\n#endif\n"
    return {"unit.c": '#include "h.h"\n' * n, "h.h": header}


def macro_chain(n: int) -> Files:
    """Return n macros of which each is defined by the next, and the last makes a directive."""
    chain = [f"#define M{i} M{i + 1}" for i in range(n)]
    last = f'#define M{n} _Pragma("omp atomic")'
    return _c(*chain, last, _function("f", "M0\n  x += 1;\n"))


def macro_uses(n: int) -> Files:
    """Return n uses of a macro that makes a directive."""
    define = '#define EACH(i) _Pragma("omp for") for (int i = 0; i < 9; i++)'
    return _c(
        define,
        _function("f", f"#pragma omp parallel\n  {{\n{'  EACH(i) x += i;' * 1}\n  }}\n"),
        *(_function(f"f{k}", "  EACH(i) x += i;\n") for k in range(n)),
    )


def macro_clauses(n: int) -> Files:
    """Return n directives whose clauses come out of a macro."""
    clause = "#define CLAUSE reduction(+ : x)\n#define WRAP(a) a"
    loop = "#pragma omp simd CLAUSE\n  for (int i = 0; i < 9; i++)\n    x += WRAP(i);\n"
    return _c(clause, *(_function(f"f{k}", loop) for k in range(n)))


def definitions(n: int) -> Files:
    """Return n macros that have nothing to do with OpenMP, and their uses, beside one that has."""
    names = [f"#define V{i}(a) ((a) + {i})" for i in range(n)]
    uses = "".join(f"  x = V{i}(x);\n" for i in range(n))
    return _c(
        '#define LOOP _Pragma("omp atomic")', *names, _function("f", "LOOP\n  x += 1;\n" + uses)
    )


def templates(n: int) -> Files:
    """Return n templates with a construct, instantiated."""
    template = "template <class T> T t{0}(T x) {{\n#pragma omp parallel for reduction(+ : x)\n"
    template += "  for (int i = 0; i < 9; i++)\n    x += i;\n  return x;\n}}\nint u{0} = t{0}(1);"
    return _cxx(*(template.format(i) for i in range(n)))


def lambdas(n: int) -> Files:
    """Return a function with n lambdas, each with a construct."""
    template = "  auto l{0} = [&x] {{\n#pragma omp atomic\n    x += {0};\n  }};\n  l{0}();\n"
    return _cxx(_function("f", "".join(template.format(i) for i in range(n))))


def long_line(n: int) -> Files:
    """Return n constructs on one line."""
    return _c(_function("f", '  _Pragma("omp atomic") x += 1;' * n + "\n"))


def attributes(n: int) -> Files:
    """Return n directives that are written as attributes, on one line."""
    return _cxx(_function("f", "  [[omp::directive(atomic)]] x += 1;" * n + "\n"))


def deep_blocks(n: int) -> Files:
    """Return constructs in n nested blocks, one in each."""
    body = f"{{\n{ATOMIC}" * n + "}" * n + "\n"
    return _c(_function("f", body))


def deep_constructs(n: int) -> Files:
    """Return n constructs, one within the other."""
    body = "".join("#pragma omp taskgroup\n{\n" for _ in range(n)) + "x++;\n" + "}\n" * n
    return _c(_function("f", body))


def else_ifs(n: int) -> Files:
    """Return a chain of n else-ifs with a construct in each."""
    body = " else ".join(f"  if (x == {i}) {{\n{ATOMIC}  }}" for i in range(n))
    return _c(_function("f", f"{body}\n"))


def long_sum(n: int) -> Files:
    """Return expressions of 100 operands, n of them, beside a construct."""
    total = " + ".join(f"x * {i}" for i in range(100))
    return _c(_function("f", ATOMIC + f"  x = {total};\n" * n))


def large_table(n: int) -> Files:
    """Return a table of 100 n numbers before the construct, and one after it."""
    rows = _lines("  " + ", ".join(str(i % 97) for i in range(100)) + "," for _ in range(n))
    before, after = (f"static const int t{k}[] = {{\n{rows}}};" for k in range(2))
    return _c(
        before,
        _function("f", ATOMIC + "  x = t0[x];\n"),
        after,
        _function("g", ATOMIC + "  x = t1[x];\n"),
    )


def one_function(n: int) -> Files:
    """Return a function with n constructs."""
    return _c(_function("f", ATOMIC * n))


def few_functions(n: int) -> Files:
    """Return atomics in all their forms, n in a function, as tests of compilers have them."""
    forms = (
        "read\n  v = {x};",
        "write\n  {x} = v;",
        "update\n  {x} += v;",
        "capture\n  v = {x}++;",
    )
    types = ("char", "short", "int", "long", "float", "double")
    declared = [f"{kind} v_{kind}, x_{kind};" for kind in types]
    bodies = [
        _lines(
            f"#pragma omp atomic {forms[i % len(forms)]}".format(x=f"x_{kind}").replace(
                " v", f" v_{kind}"
            )
            for i in range(n)
        )
        for kind in types
    ]
    return _c(
        *declared, *(f"void f_{k}(void) {{\n{b}}}" for k, b in zip(types, bodies, strict=True))
    )


def many_functions(n: int) -> Files:
    """Return n functions, each with a parallel loop."""
    loop = "#pragma omp parallel for reduction(+ : x)\n  for (int i = 0; i < 9; i++)\n    x += i;\n"
    return _c(*(_function(f"f{i}", loop) for i in range(n)))


def loops(n: int) -> Files:
    """Return a function with n parallel loops."""
    loop = "#pragma omp parallel for reduction(+ : x)\n  for (int i = 0; i < 9; i++)\n    x += i;\n"
    return _c(_function("f", loop * n))


def sections(n: int) -> Files:
    """Return a sections construct with n sections."""
    parts = "".join(f"#pragma omp section\n  {{ x += {i}; }}\n" for i in range(n))
    return _c(_function("f", f"#pragma omp parallel sections\n{{\n{parts}}}\n"))


def locks(n: int) -> Files:
    """Return a function with n pairs of lock calls."""
    pair = "  omp_set_lock(&l);\n  x++;\n  omp_unset_lock(&l);\n"
    return _c("#include <omp.h>", "omp_lock_t l;", _function("f", pair * n))


def tasks(n: int) -> Files:
    """Return a function with n untied tasks, each with a scheduling point."""
    template = "#pragma omp task untied\n{\n#pragma omp taskyield\n  x++;\n}\n"
    return _c(_function("f", template * n))


def regions(n: int) -> Files:
    """Return a function with n user regions."""
    template = "#pragma pomp inst begin(r{0})\n  x++;\n#pragma pomp inst end(r{0})\n"
    return _c(_function("f", "".join(template.format(i) for i in range(n))))


def dead_branches(n: int) -> Files:
    """Return n branches that the preprocessor passes over, each between two constructs."""
    return _c(
        *(f"#if 0\n#pragma omp parallel\n#endif\n{_function(f'f{i}', ATOMIC)}" for i in range(n))
    )


def line_directives(n: int) -> Files:
    """Return n functions, each behind a #line directive, as generators of code write them."""
    return _c(*(f'#line {i + 1} "other.c"\n{_function(f"f{i}", ATOMIC)}' for i in range(n)))


def silenced(n: int) -> Files:
    """Return n stretches that are not to be measured."""
    template = "#pragma pomp noinstrument\n{0}\n#pragma pomp instrument\n{1}"
    return _c(
        *(template.format(_function(f"a{i}", ATOMIC), _function(f"b{i}", ATOMIC)) for i in range(n))
    )


def simd_functions(n: int) -> Files:
    """Return n functions that are declared simd, and as many with a construct."""
    return _c(
        *(
            f"#pragma omp declare simd\nint s{i}(int x) {{ return x; }}\n{_function(f'f{i}', ATOMIC)}"
            for i in range(n)
        )
    )


def device_code(n: int) -> Files:
    """Return n stretches of device code between functions with a construct."""
    template = "#pragma omp declare target\nint s{0}(int x) {{ return x; }}\n#pragma omp end declare target\n{1}"
    return _c(*(template.format(i, _function(f"f{i}", ATOMIC)) for i in range(n)))


def refused(n: int) -> Files:
    """Return n functions with a construct, and what gcc takes and libclang does not in every second."""
    nested = "  int g(int y) { return x + y; }\n  x = g(1);\n"
    return _c(*(_function(f"f{i}", (nested if i % 2 else "") + ATOMIC) for i in range(n)))


def doubted(n: int) -> Files:
    """Return n functions of which every second has a word that gcc alone knows, beside a construct."""
    word = "  x = __builtin_has_attribute(x, packed);\n"
    return _c(*(_function(f"f{i}", (word if i % 2 else "") + ATOMIC) for i in range(n)))


def functions(n: int) -> Files:
    """Return n functions of a few lines, all of which are measured."""
    template = "int f{0}(int x) {{\n  for (int i = 0; i < x; i++)\n    x ^= i;\n  return x;\n}}"
    return _c(*(template.format(i) for i in range(n)), _function("g", ATOMIC))


_MEASURED = ("--pomp-functions=all",)

FAMILIES = (
    Family("nested includes", 50, nested_includes),
    Family("wide includes", 200, wide_includes),
    Family("template includes", 200, template_includes),
    Family("idle includes", 2000, idle_includes),
    Family("macro chain", 1000, macro_chain),
    Family("macro uses", 250, macro_uses),
    Family("macros in clauses", 500, macro_clauses),
    Family("macro definitions", 1000, definitions),
    Family("templates", 100, templates),
    Family("lambdas", 250, lambdas),
    Family("one long line", 1000, long_line),
    Family("attributes on a line", 1000, attributes, ("-O1", "-std=c++17"), only="clang"),
    Family("nested blocks", 50, deep_blocks),
    Family("nested constructs", 16, deep_constructs),
    Family("else-if chain", 400, else_ifs),
    Family("long expressions", 100, long_sum),
    Family("large tables", 1000, large_table),
    Family("one function", 1000, one_function),
    Family("atomics in a few functions", 100, few_functions),
    Family("many functions", 250, many_functions),
    Family("loops in one function", 100, loops),
    Family("50,000 constructs", 12_500, one_function, ("-O0",)),
    Family("sections", 500, sections),
    Family("lock calls", 1000, locks),
    Family("untied tasks", 100, tasks),
    Family("user regions", 500, regions),
    Family("dead branches", 1000, dead_branches),
    Family("#line directives", 1000, line_directives),
    Family("noinstrument", 500, silenced),
    Family("declare simd", 500, simd_functions),
    Family("device code", 500, device_code, ("-O1", "-Wno-unknown-pragmas")),
    Family("nested functions of gcc", 100, refused, only="gcc"),
    Family("words of gcc alone", 500, doubted, only="gcc"),
    Family("measured functions", 500, functions, pomp_options=_MEASURED),
)
