"""If libclang finds errors, a construct is read right or gets a warning; «» mark its block."""

from collections.abc import Callable
from pathlib import Path

import pytest

from pomp_clang.frontend.constructs import FoundConstructs

Finder = Callable[..., FoundConstructs]

CERTAIN = (
    "x = 1; @ «n++;»",
    "@ «n++;» x = 1;",
    "@ «{ x = 1; }»",
    "@ «for (int i = 0; i < n; i++) { x = 1; n += i; }»",
    "if (n) @ «n++;» else x = 1;",
    "while (n) { x = 1; @ «n++;» }",
    "for (x = 1; x < 3; x++) { n++; } @ «n++;»",
    "int nested(int by) { return by; } @ «n = nested(n);»",
    "int nested(int by) { return by; } @ «{ n++; }»",
    "int list[] = {x, 2}; @ «{ n++; }»",
    "char c = '{', *s = \"}{\"; /* } */ x = 1; @ «n++;»",
    "x = 1;\n#if 0\n{ (\n#endif\n@ «n++;»",
    "label: @ «n++;» x = 1;",
    "x = 1; @ «EACH { n++; }»",
    "unknown { n++; } n++; @ «n++;»",
    '@ «_Pragma("omp barrier")» x = 1;',
)
CERTAIN_IN_CPLUSPLUS = (
    "auto l = [&] { x = 1; @ «n++;» }; l();",
    "try { x = 1; @ «n++;» } catch (...) { }",
    "try { n++; } catch (unknown) { @ «n++;» }",
    "struct L { void m() { x = 1; @ «int i;» } };",
    "@ «if constexpr (sizeof(int) == 4) { n++; } else { x = 1; }» n++;",
)
DOUBTFUL = (
    "@ «x = 1;» n++;",
    "@ «x = 1;»",
    "@ «x[1] = f(x);» n++;",
    "@ «if (n) x = 1;» n--;",
    "@ «if (n) n--; else x = 1;»",
    "@ «label: x = 1;» n--;",
    "@ «switch (n) case 1: x = 1;» n++;",
    "@ «do x = 1; while (n);» n++;",
    "@ «unknown x { n++; }» n++;",
    "@ «while (n) unknown { n++; }» n++;",
    "int nested(int by) { @ «by = 1;» return by; } n = nested(n);",
    "unknown { @ «n++;» }",
    "unknown x { @ «n++;» }",
    "unknown { n++; } @ «n++;»",
    "BEGIN x = 1; @ «n++;» }",
    "x = ({ @ «n++;» n; });",
)
DOUBTFUL_IN_CPLUSPLUS = (
    "f(x, [&] { @ «n++;» });",
    "x.y([&] { @ «n++;» }, 3);",
    "for (auto i : x) { @ «n++;» }",
    "@ «for (auto i : x) { n++; }» n--;",
    "@ «f(x, [&] { n++; });» n++;",
    "@ «[&] { n++; }(x);» n++;",
    "try unknown { @ «n++;» } catch (...) { }",
    "return unknown{[&] { @ «n++;» return 1; }};",
)
EITHER = (
    "while (x) @ «n++;»",
    "for (x = 1; x < 3; x++) { @ «n++;» }",
    "@ «for (x = 1; x < 3; x++) n++;» n--;",
    "for (unknown i = 0; i < n; i++) @ «n++;»",
    "if (n) while (x) @ «n++;» else n--;",
    "if (n) x = 1; else @ «n++;»",
    "@ «if (n) n--; else while (x) n++;»",
    "@ «switch (x) { case 1: unknown x; }» n++;",
    "switch (n) { case x: @ «n++;» }",
    "unknown y = ({ @ «n++;» n; });",
    "do { @ «n++;» } while (x);",
    "int n; @ «n++;»",
)
"""How much libclang keeps of them is its own affair."""
EITHER_IN_CPLUSPLUS = (
    "x([&] { @ «n++;» });",
    "unknown<int> l = [&] { @ «n++;» };",
    "while (auto p = x) { @ «n++;» }",
    "@ «[&] { n++; }.x();» n++;",
    "@ «n = f{x};» n++;",
)


def read(finder: Finder, body: str, name: str) -> tuple[str, str]:
    """Return the block of the directive at @, or "" and the reason of its warning."""
    marks: dict[str, str | int | None] = {"«": "", "»": "", "@": "\n#pragma omp critical\n"}
    plain = body.translate(str.maketrans(marks))
    text = f"#define BEGIN {{\n#define EACH for (;;)\nint f(int n) {{\n{plain}}}\n"
    result = finder(text, name)
    for item in result.constructs.items:
        if item.kind == "critical" and not item.obstacle[0]:
            assert item.block is not None
            return result.constructs.source.text[item.block.start : item.block.end], ""
    output = [note.text for note in result.notes if note.reason == "parse"]
    return "", "; ".join(output + [item.obstacle[0] for item in result.constructs.items])


def forms(both: tuple[str, ...], cplusplus: tuple[str, ...]) -> list[tuple[str, str]]:
    named = [(body, name) for body in both for name in ("a.c", "a.cpp")]
    return named + [(body, "a.cpp") for body in cplusplus]


def block(body: str) -> str:
    return body.split("«")[1].split("»")[0]


@pytest.mark.parametrize(("body", "name"), forms(CERTAIN, CERTAIN_IN_CPLUSPLUS))
def test_what_the_text_bears_out_is_certain(find_in: Finder, body: str, name: str) -> None:
    assert read(find_in, body, name) == (block(body), "")


@pytest.mark.parametrize(("body", "name"), forms(DOUBTFUL, DOUBTFUL_IN_CPLUSPLUS))
def test_what_the_text_does_not_bear_out_is_named(find_in: Finder, body: str, name: str) -> None:
    constructs, why = read(find_in, body, name)
    assert constructs == ""
    assert "libclang finds an error in the function (line " in why


@pytest.mark.parametrize(("body", "name"), forms(EITHER, EITHER_IN_CPLUSPLUS))
def test_what_is_not_named_is_right(find_in: Finder, body: str, name: str) -> None:
    constructs, why = read(find_in, body, name)
    assert constructs == block(body) or (constructs == "" and "libclang finds an error" in why)


@pytest.mark.parametrize("name", ["a.c", "a.cpp"])
@pytest.mark.parametrize("rest", ["{", "{\n", "{ n++;\n", "{\n#pragma omp section\n"])
def test_a_text_that_ends_in_sections_is_read(find_in: Finder, rest: str, name: str) -> None:
    result = find_in(f"void f(int n) {{\n#pragma omp parallel sections\n{rest}", name)
    assert result.constructs.items[0].kind == "parallel sections"


def test_a_conversion_that_gcc_alone_allows_leaves_every_construct(find_in: Finder) -> None:
    result = find_in(
        "void f(void *p, int n) {\ndouble (*u)[n] = (double (*)[n])p;\n"
        "#pragma omp for\nfor (int i = 0; i < n; i++) { u[i][0] = 0; }\n"
        "auto l = [&] {\n#pragma omp critical\nu[0][0]++;\n};\nl();\n}\n",
        "a.cpp",
    )
    assert [(c.kind, c.obstacle[0]) for c in result.constructs.items] == [
        ("for", ""),
        ("critical", ""),
    ]


@pytest.mark.parametrize(
    ("before", "certain"),
    [
        ("missing x;", True),
        ("int a;\nmissing x; int b", True),
        ("void g(void) {}\nmissing h(int k) { k = 1; }", True),
        ("struct s { missing x; };", True),
        ("int a[missing];", True),
        ("missing {", False),
        ("struct s {", False),
    ],
)
def test_an_error_outside_functions_leaves_what_the_text_bears_out(
    find_in: Finder, before: str, certain: bool
) -> None:
    text = f"{before}\n;void f(int n) {{\n#pragma omp critical\nn++;\n}}\n"
    result = find_in(text)
    if certain:
        (item,) = result.constructs.items
        assert (item.obstacle, item.declaration_site.function) == (("", ""), "f")
        at = item.declaration_site.declared_at
        assert text.count("{", 0, at) == text.count("}", 0, at)
        assert text[:at].rstrip()[-1:] in ("", ";", "}")
    else:
        assert [c.obstacle[0] for c in result.constructs.items if not c.obstacle[0]] == []
        assert all(note.reason == "parse" for note in result.notes)


@pytest.mark.parametrize(
    "function",
    [
        "void nested(void) { @ «n++;» }",
        "auto void nested(int by) { int outer() { @ «{ n += by; }» } outer(); }",
        "void nested(int by) { if (by) { @ «while (by) n--;» } }",
    ],
)
def test_what_stands_in_a_nested_function_is_read(find_in: Finder, function: str) -> None:
    constructs, why = read(find_in, function, "a.c")
    assert (constructs, why) == (block(function), "")


def test_a_lock_call_in_an_expression_that_is_lost_is_named(find_in: Finder) -> None:
    result = find_in(
        "typedef struct { int a; } omp_lock_t;\nvoid omp_set_lock(omp_lock_t *);\n"
        "void f(omp_lock_t *l) {\nomp_set_lock(l);\nif (x) {}\nomp_set_lock(unknown);\n}\n"
    )
    assert [c.sub_name for c in result.constructs.items] == ["l"]
    assert [(n.line, n.reason) for n in result.notes] == [(6, "parse")]


@pytest.mark.parametrize(
    ("header", "reasons"),
    [
        ("static void g(int n) {\n#pragma omp critical\nn++;\nx = 1; }\n", []),
        ("static void g(int n) {\n#pragma omp critical\nx = 1;\n}\n", ["parse"]),
        ("missing y;\nstatic void g(int n) {\n#pragma omp critical\nn++;\n}\n", []),
        ("missing {\nstatic void g(int n) {\n#pragma omp critical\nn++;\n}\n};\n", ["parse"]),
    ],
)
def test_an_error_in_a_header_concerns_what_it_puts_in_doubt(
    find_in: Finder, tmp_path: Path, header: str, reasons: list[str]
) -> None:
    (tmp_path / "a.h").write_text(header)
    result = find_in('#include "a.h"\nvoid f(void) {\n#pragma omp barrier\n}\n')
    assert [note.reason for note in result.notes] == reasons
    kinds = [c.kind for file in result.files for c in file.items if not c.obstacle[0]]
    assert kinds == (["barrier"] if reasons else ["barrier", "critical"])
