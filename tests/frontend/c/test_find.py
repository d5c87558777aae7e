"""Blocks, homes and relations of constructs, by the exact text they span."""

from collections.abc import Callable

import pytest

from pomp_clang.frontend.constructs import FoundConstructs

Finder = Callable[..., FoundConstructs]


def blocks(found_constructs: FoundConstructs) -> list[tuple[str, str]]:
    text = found_constructs.constructs.source.text
    return [
        (c.kind, text[c.block.start : c.block.end] if c.block else "")
        for c in found_constructs.constructs.items
    ]


@pytest.mark.parametrize(
    "block",
    [
        "n++;",
        "n++ /* x */ ;",
        "{ n++; }",
        "if (n) n++; else n--;",
        "if (n) { n++; } else { n--; }",
        "do n++; while (n < 3);",
        "for (;;) { if (n) { n++; } break; }",
        "while (n) if (n) n--;",
        "switch (n) { case 1: n++; }",
        "n = ({ int k = 1; k; });",
        "n = (struct s){1}.a;",
        "INCREMENT(n);",
        ";",
        "label: n++;",
    ],
)
def test_the_block_is_the_whole_statement(find_in: Finder, block: str) -> None:
    text = f"#define INCREMENT(x) x++\nstruct s {{ int a; }};\nint f(int n) {{\n#pragma omp critical\n{block} n--;\nreturn n; }}\n"
    assert blocks(find_in(text)) == [("critical", block)]


@pytest.mark.parametrize(
    "block",
    [
        "for (auto x : v) n += x;",
        "try { n++; } catch (...) { n--; }",
        "[&] { if (n) { n++; } }();",
        "if (int k = n; k) n++;",
        "n += Point{1}.x;",
        "[[likely]] n++;",
        "std::for_each(v.begin(), v.end(), [&](int k) { if (k) { n++; } });",
    ],
)
def test_the_block_is_the_whole_statement_in_cplusplus(find_in: Finder, block: str) -> None:
    text = (
        "#include <algorithm>\n#include <vector>\nstruct Point { int x; };\n"
        f"int f(int n, std::vector<int> &v) {{\n#pragma omp critical\n{block} n--;\nreturn n; }}\n"
    )
    assert blocks(find_in(text, "a.cpp", "-std=c++20")) == [("critical", block)]


def test_constructs_know_what_is_around_them(find_in: Finder) -> None:
    result = find_in(
        "int f(int n) {\n#pragma omp parallel\n{\n#pragma omp for\nfor (int i = 0; i < 3; i++)\n"
        "#pragma omp critical\nn++;\n#pragma omp barrier\n}\nreturn n; }\n"
    )
    assert [(c.kind, c.outer) for c in result.constructs.items] == [
        ("parallel", None),
        ("for", 0),
        ("critical", 1),
        ("barrier", 0),
    ]


def test_cancel_marks_the_loop_it_binds_to_and_no_other(find_in: Finder) -> None:
    result = find_in(
        "void f(void) {\n#pragma omp parallel\n{\n#pragma omp for\nfor (int i = 0; i < 3; i++)\n"
        "{\n#pragma omp cancel for\n}\n#pragma omp for\nfor (int i = 0; i < 3; i++) ;\n}\n}\n"
    )
    assert [c.cancelled for c in result.constructs.items if c.kind == "for"] == [True, False]


def test_the_function_of_a_construct_is_named(find_in: Finder) -> None:
    result = find_in(
        "namespace a { struct S { void m() { auto f = [] {\n#pragma omp barrier\n}; f(); } }; }\n",
        "a.cpp",
    )
    assert [c.declaration_site.function for c in result.constructs.items] == ["m"]


@pytest.mark.parametrize(
    ("definition", "block", "expected"),
    [
        ("#define M(x) x++; n++;", "M(k)", False),
        ("#define M(x) x++; n++", "M(k);", False),
        ("#define M(x) if (x) { n++; } n--;", "while (n) M(k)", False),
        ("#define M(x) x++; for (;;)", "M(k) n++;", False),
        ("#define M(x) x++; } n++;", "{ M(k)", False),
        ("#define M(x) { x++; n++; }", "M(k)", True),
        ("#define M(x) x++;", "M(k);", True),
        ("#define M(x) do { x++; n++; } while (0)", "M(k);", True),
        ("#define M(x) for (;;) if (x)", "M(k) { n++; }", True),
    ],
)
def test_a_block_is_all_that_its_macro_makes(
    find_in: Finder, definition: str, block: str, expected: bool
) -> None:
    result = find_in(
        f"{definition}\nvoid f(int n, int k) {{\n#pragma omp critical\n{block}\nn--; }}\n"
    )
    assert [c.obstacle[1] for c in result.constructs.items] == ["" if expected else "block"]


def test_a_template_by_its_parameters_is_a_function(find_in: Finder) -> None:
    result = find_in(
        "int before;\nstatic auto f(auto n) {\n#pragma omp critical\nn++; return n; }\n"
        "struct S {\nvoid m(const auto &v, int k) {\n#pragma omp flush\n}\n"
        "constexpr void c(auto v) { [&] {\n#pragma omp barrier\n}(); }\n};\n",
        "a.cpp",
        "-std=c++20",
    )
    text = result.constructs.source.text
    homes = {c.kind: c.declaration_site for c in result.constructs.items}
    assert {kind: home.function for kind, home in homes.items()} == {
        "critical": "f",
        "flush": "m",
        "barrier": "c",
    }
    assert homes["critical"].declared_at == text.index(";") + 1
    assert [kind for kind, home in homes.items() if home.untouchable] == ["barrier"]


def test_a_directive_without_events_may_stand_outside_functions(find_in: Finder) -> None:
    result = find_in("#pragma omp nothing\nint n;\n#pragma omp barrier\nvoid f(void) {}\n")
    assert [c.kind for c in result.constructs.items] == ["nothing"]
    assert [(n.line, n.reason) for n in result.notes] == [(3, "place")]


def test_line_directives_name_the_place(find_in: Finder) -> None:
    result = find_in('#line 7 "grammar.y"\nvoid f(void) {\n#pragma omp barrier\n}\n')
    construct = result.constructs.items[0]
    assert result.constructs.source.place(construct.begin.start) == ("grammar.y", 8)


def test_an_error_in_a_function_concerns_its_constructs_alone(find_in: Finder) -> None:
    result = find_in(
        "void f(void) { unknown {\n#pragma omp barrier\n} }\nvoid g(void) {\n#pragma omp flush\n}\n"
    )
    misread = {c.kind: c.obstacle[0] for c in result.constructs.items}
    assert "undeclared identifier 'unknown'" in misread["barrier"]
    assert misread["flush"] == ""


def test_no_number_of_errors_ends_the_reading(find_in: Finder) -> None:
    result = find_in("void f(void) {\n#pragma omp barrier\n" + "x = 1;\n" * 40 + "}\n")
    assert [c.kind for c in result.constructs.items] == ["barrier"]


def test_directives_of_dead_branches_are_none(find_in: Finder) -> None:
    result = find_in(
        "void f(void) {\n#ifdef NO\n#pragma omp barrier\n#else\n#pragma omp flush\n#endif\n}\n"
    )
    assert [c.kind for c in result.constructs.items] == ["flush"]


def test_what_a_unit_holds_in_latin1_keeps_its_offsets(find_in: Finder) -> None:
    result = find_in(
        'const char *s = "\u00e9\u4e2d";\nvoid f(int n) {\n#pragma omp critical\nn++;\n}\n'
    )
    assert blocks(result) == [("critical", "n++;")]


def test_unknown_directives_are_named(find_in: Finder) -> None:
    result = find_in("void f(void) {\n#pragma omp frobnicate\n}\n")
    assert [(n.line, n.reason) for n in result.notes] == [(2, "unknown")]


def test_macros_in_a_directive_move_no_place(find_in: Callable[..., FoundConstructs]) -> None:
    text = (
        "#define TEAM num_threads(2) default(shared)\n"
        "#define HINT hint(0)\n"
        "void f(int n) {\n"
        "#pragma omp parallel \\\n"
        "  TEAM\\\n"
        "  firstprivate(n)\n"
        '  { _Pragma("omp critical(x) HINT") n++; _Pragma(\n'
        '"omp critical(y) HINT") n++; _Pragma("omp barrier") }\n'
        "}\n"
    )
    assert _places(find_in(text)) == [(4, 1, 6), (7, 5, 7), (7, 42, 8), (8, 30, 8)]


def test_directives_in_the_arguments_of_a_macro_have_their_own_blocks(find_in: Finder) -> None:
    text = (
        "#define DO_OMP(...) _Pragma(#__VA_ARGS__)\n"
        "#define ONLY(...) __VA_ARGS__\n"
        "#define TEAM(n, ...) DO_OMP(omp parallel num_threads(n)) { __VA_ARGS__ }\n"
        "void f(int n) {\n"
        '  ONLY({ _Pragma("omp critical") n++;\n'
        '    n--; _Pragma("omp flush") }) _Pragma("omp barrier")\n'
        "#ifdef NONE\n"
        '  ONLY(_Pragma("omp critical") n++;)\n'
        "#endif\n"
        '  TEAM(2, _Pragma("omp master")\n'
        "    n++;)\n"
        "}\n"
    )
    result = find_in(text)
    assert blocks(result) == [
        ("critical", "n++;"),
        ("flush", ""),
        ("barrier", ""),
        ("parallel", '{ _Pragma("omp master") n++;}'),
        ("master", "n++;"),
    ]
    places = [(line, last) for line, _, last in _places(result)]
    assert places == [(5, 5), (5, 5), (6, 6), (10, 10), (10, 10)]
    assert _places(result)[2][1] == text.splitlines()[5].index('_Pragma("omp barrier")') + 1


@pytest.mark.parametrize(
    "block",
    [
        "n = ID(n);",
        "if (n) ID(n++);",
        "n = ID(n) + ID(ID(n)) ;",
        "for (;;) ID(n++);",
        "ID({ n++; })",
        "PAIR(n =, n);",
        "do { n++; } while (ID(n));",
        "BODY(n++;)",
    ],
)
def test_a_block_that_ends_among_the_arguments_of_a_macro(find_in: Finder, block: str) -> None:
    text = (
        "#define ID(v) v\n"
        "#define PAIR(a, b) a b\n"
        "#define BODY(v) { v }\n"
        f"void f(int n) {{\n#pragma omp critical\n{block} n--;\n}}\n"
    )
    result = find_in(text)
    assert (result.notes, blocks(result)) == ((), [("critical", block)])


def test_a_lock_call_among_the_arguments_of_a_macro_is_found(find_in: Finder) -> None:
    text = (
        "#include <omp.h>\n"
        "#define ONLY(...) __VA_ARGS__\n"
        "void f(omp_lock_t *l) { ONLY({ if (l) { omp_set_lock(l); } }) omp_unset_lock(l); }\n"
    )
    kinds = [c.routine.name for c in find_in(text).constructs.items if c.routine]
    assert kinds == ["omp_set_lock", "omp_unset_lock"]


@pytest.mark.parametrize("clause", ["num_threads(2)", "TEAM"])
def test_attributes_move_no_place(find_in: Callable[..., FoundConstructs], clause: str) -> None:
    text = (
        "#define TEAM num_threads(2) default(shared) proc_bind(close)\n"
        "void f(int n) {\n"
        f'  [[omp::directive(parallel {clause})]] {{ _Pragma("omp barrier") }} [[omp::sequence(\n'
        'directive(parallel), directive(single))]] { _Pragma("omp flush") }\n'
        "}\n"
    )
    column = text.splitlines()[2].index("_Pragma") + 1
    again = text.splitlines()[2].index("[[omp::sequence") + 1
    last = text.splitlines()[3].index("_Pragma") + 1
    places = [(line, at) for line, at, _ in _places(find_in(text, "a.cpp"))]
    assert [places[i] for i in (0, 1, 2, 4)] == [(3, 3), (3, column), (3, again), (4, last)]


@pytest.mark.parametrize("last", ["", "[[omp::directive(flush)]]; "])
def test_arguments_of_a_macro_move_no_place_behind_them(
    find_in: Callable[..., FoundConstructs], last: str
) -> None:
    text = (
        "#define ONLY(...) __VA_ARGS__\n"
        "void f() {\n"
        '  ONLY({ _Pragma("omp barrier") [[omp::directive(taskwait)]];\n'
        f'  {last}}}) [[omp::directive(taskyield)]]; _Pragma("omp flush")\n'
        "}\n"
    )
    line = text.splitlines()[3]
    places = [(line, at) for line, at, _ in _places(find_in(text, "a.cpp"))]
    assert places[-2:] == [
        (4, line.index("[[omp::directive(task") + 1),
        (4, line.index("_Prag") + 1),
    ]


def _places(found_constructs: FoundConstructs) -> list[tuple[int, int, int]]:
    """Return the first line, the column and the last line of each construct's directive."""
    source = found_constructs.constructs.source
    return [
        (source.line(c.begin.start), source.column(c.begin.start), source.line(c.begin.end - 1))
        for c in found_constructs.constructs.items
    ]
