"""Clauses of combined directives go where OpenMP 5.2, section 17.2, sends them."""

import pytest

from pomp_clang.frontend.directive_text import ClauseText, read_directive
from pomp_clang.openmp.clauses import CLAUSES
from pomp_clang.rewrite.c.rules import handed_back
from pomp_clang.rewrite.combined import split, variables


@pytest.mark.parametrize(
    ("body", "parallel", "inner"),
    [
        ("parallel for", "", ""),
        ("parallel for schedule(static) num_threads(4)", "num_threads(4)", "schedule(static)"),
        ("parallel for if(n)", "if(n)", ""),
        ("parallel for if(parallel: n)", "if(n)", ""),
        ("parallel for if(parallel : a ? b : c)", "if(a ? b : c)", ""),
        ("parallel for if(a ? b : c)", "if(a ? b : c)", ""),
        ("parallel for if(N::x > 1)", "if(N::x > 1)", ""),
        ("parallel for simd if(simd: n) if(parallel: m)", "if(m)", "if(simd: n)"),
        ("parallel for private(a) firstprivate(b)", "", "private(a) firstprivate(b)"),
        ("parallel for default(none) reduction(+: s)", "default(none) shared(s)", "reduction(+: s)"),
        ("parallel for default(shared) reduction(+: s)", "default(shared)", "reduction(+: s)"),
        ("parallel for default(private) lastprivate(s)", "default(private) shared(s)", "lastprivate(s)"),
        ("parallel for default(none) shared(s, t) linear(s: 2)", "default(none) shared(s, t)", "linear(s: 2)"),
        ("parallel for copyin(t) proc_bind(close) collapse(2)", "copyin(t) proc_bind(close)", "collapse(2)"),
        ("parallel for allocate(a) private(a) ordered order(concurrent)", "", "allocate(a) private(a) ordered order(concurrent)"),
        ("parallel for default(none) private(a) allocate(N::m: a)", "default(none) shared(a)", "private(a) allocate(N::m: a)"),
        ("parallel for reduction(task, +: a) private(b) allocate(m: a, b)", "reduction(task, +: a) allocate(m: a)", "private(b) allocate(m: b)"),
        ("parallel loop firstprivate(a) allocate(a)", "firstprivate(a) allocate(a)", ""),
        ("parallel masked private(a) allocate(a)", "private(a) allocate(a)", ""),
    ],
)  # fmt: skip
def test_clauses_are_distributed(body: str, parallel: str, inner: str) -> None:
    parts = split(read_directive(body))
    assert (parts.parallel, parts.inner) == (parallel, inner)


@pytest.mark.parametrize(
    ("body", "block", "shared"),
    [
        ("parallel for simd default(none)", "for (i = 0; i < 9; i++) x(i);", " shared(i)"),
        ("parallel for simd default(none)", "for (int i = 0; i < 9; i++) x(i);", ""),
        ("parallel for simd default(none)", "for /* ( */ ( i=0;;) for (j = 0;;);", " shared(i)"),
        ("parallel for simd default(none) lastprivate(i)", "for (i = 0;;);", " shared(i)"),
        ("parallel for simd default(none) collapse(2)", "for (i = 0;;) { for (j = 0;;) for (k = 0;;); }", " shared(i, j)"),
        ("parallel for default(none)", "for (i = 0; i < 9; i++);", ""),
    ],
)  # fmt: skip
def test_simd_hands_loop_variables_back(body: str, block: str, shared: str) -> None:
    reading = read_directive(body)
    assert split(reading, handed_back(reading, block)).parallel == f"default(none){shared}"


@pytest.mark.parametrize(
    ("body", "parallel", "inner"),
    [
        ("parallel master private(a) reduction(+: b)", "private(a) reduction(+: b)", ""),
        ("parallel masked filter(1) firstprivate(a)", "firstprivate(a)", "filter(1)"),
        ("parallel master taskloop private(a)", "", "private(a)"),
        ("parallel loop firstprivate(a) private(b)", "firstprivate(a)", "private(b)"),
        ("parallel workshare private(a) reduction(+: b)", "private(a) reduction(+: b)", ""),
    ],
)
def test_what_the_inner_directive_does_not_take(body: str, parallel: str, inner: str) -> None:
    actual = split(read_directive(body, fortran="workshare" in body))
    assert (actual.parallel, actual.inner) == (parallel, inner)


@pytest.mark.parametrize(
    ("body", "parallel", "inner"),
    [
        ("parallel do default(none) private(a, b)", "default(none) shared(a, b)", "private(a, b)"),
        ("parallel do private(a)", "", "private(a)"),
        ("parallel master default(none) private(a)", "default(none) private(a)", ""),
    ],
)
def test_private_variables_of_fortran_take_their_bounds_from_outside(
    body: str, parallel: str, inner: str
) -> None:
    actual = split(read_directive(body, fortran=True), copies_bounds=True)
    assert (actual.parallel, actual.inner) == (parallel, inner)


@pytest.mark.parametrize(
    ("clause", "names"),
    [
        (ClauseText("reduction", "+: a, b"), ["a", "b"]),
        (ClauseText("reduction", "inscan, +: a"), ["a"]),
        (ClauseText("reduction", "std::plus: h[0:4], g[f(1, 2):n]"), ["h", "g"]),
        (ClauseText("reduction", "max : this->x"), []),
        (ClauseText("lastprivate", "conditional: m, n"), ["m", "n"]),
        (ClauseText("linear", "val(x, y): 2"), ["x", "y"]),
        (ClauseText("linear", "x: step(2), val"), ["x"]),
        (ClauseText("firstprivate", "a"), ["a"]),
    ],
)
def test_the_variables_of_a_clause(clause: ClauseText, names: list[str]) -> None:
    assert variables(clause) == names


def test_every_clause_row_names_itself() -> None:
    assert all(name == row.name for name, row in CLAUSES.items())
