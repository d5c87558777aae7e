"""Functions: their names, and why some cannot be measured."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from pomp_clang.driver.unit.named_source import unit_of
from pomp_clang.frontend.c.find import find
from pomp_clang.frontend.constructs import Construct
from tests.frontend.conftest import compiler

Functions = Callable[..., list[Construct]]


@pytest.fixture
def functions(tmp_path: Path) -> Functions:
    """Return a function that finds the functions of a text."""

    def run(text: str, *options: str, cplusplus: bool = True) -> list[Construct]:
        path = os.path.join(tmp_path, "a.cpp" if cplusplus else "a.c")
        with open(path, "w") as file:
            file.write(text)
        command = [compiler(cplusplus), "-fopenmp", *options]
        result = find(unit_of(path, command, functions=True)).constructs
        return [item for item in result.items if item.kind == "function"]

    return run


NAMES = """
namespace { struct S { S(); ~S() {} operator int() { return 1; } }; S::S() {} }
namespace a::b { inline namespace c { template <class T> struct V { template <class U> V(U) {}
  T operator[](int) { return T(); } friend void f(V) {} }; } }
extern "C" { int plain(int x) { struct L { int m() { return 1; } }; return L().m(); } }
int x = [] { return [](auto y) { return y; }(1); }();
struct { int in_unnamed() { return 1; } } u;
void declared(int);
"""


def test_names_are_qualified(functions: Functions) -> None:
    assert {function.sub_name for function in functions(NAMES, "-std=c++17")} == {
        "(anonymous namespace)::S::S",
        "(anonymous namespace)::S::~S",
        "(anonymous namespace)::S::operator int",
        "a::b::c::V::V",
        "a::b::c::V::operator[]",
        "a::b::c::f",
        "plain",
        "plain::L::m",
        "{lambda}",
        "{lambda}::{lambda}",
        "(unnamed)::in_unnamed",
    }


def test_a_signature_tells_overloads_apart(functions: Functions) -> None:
    actual = functions("namespace n { void f(int) {} void f(double, char) {} }")
    signatures = [construct.function.signature for construct in actual if construct.function]
    assert signatures == ["n::f(int)", "n::f(double, char)"]
    assert [construct.function.mangled for construct in actual if construct.function] == [
        "_ZN1n1fEi",
        "_ZN1n1fEdc",
    ]


def test_lines_are_those_of_the_name_the_brace_and_the_end(functions: Functions) -> None:
    (function,) = functions("template <class T>\nstatic T\nname(T x)\n{\n  return x;\n}\n")
    assert (function.begin.start, function.begin.end) == (28, 39)
    assert function.block is not None and (function.block.start, function.block.end) == (38, 53)


MEASURED = [
    "int f() try { return 1; } catch (...) { return 2; }",
    "auto f() { if constexpr (true) return [] { return 1; }(); }",
    "int f() <% return 1; %>",
]


@pytest.mark.parametrize("text", MEASURED[:2])
def test_a_function_that_can_be_measured(functions: Functions, text: str) -> None:
    actual = functions(text, "-std=c++17")
    assert actual and not any(why for construct in actual for why in construct.obstacle)


COROUTINE = """
namespace std { template <class...> struct coroutine_traits; template <class = void> struct
coroutine_handle { static coroutine_handle from_address(void *) noexcept; operator coroutine_handle<>()
const noexcept; }; }
struct never { bool await_ready() noexcept; void await_suspend(std::coroutine_handle<>) noexcept;
void await_resume() noexcept; };
struct task { struct promise_type { task get_return_object(); never initial_suspend(); never
final_suspend() noexcept; void return_void(); void unhandled_exception(); }; };
template <class... T> struct std::coroutine_traits<task, T...> { using promise_type = task::promise_type; };
"""
REFUSED = [
    (MEASURED[2], "macro"),
    ("#define MAKE int f() { return 1; }\nMAKE", "macro"),
    ("#define BODY { return 1; }\nint f() BODY", "macro"),
    ("#define SAY(x) (#x, (x)())\nauto f = SAY([] { return 1; });", "macro"),
    ("int g(); int f() { [[clang::musttail]] return g(); }", "function"),
    ("static void (*r())() { return 0; } void f() __attribute__((ifunc(\"r\")));", "function"),
    ("#pragma omp declare simd\nint f(int x) { return x; }", "function"),
    ("#pragma omp declare simd\ntemplate <class T>\nT f(T x) { return x; }", "function"),
    ("[[gnu::naked]] void f() { asm(\"ret\"); }", "function"),
    ("constexpr auto f = [] { return 1; };", "function"),
    ("static_assert([] { return 1; }());", "function"),
    (COROUTINE + "task f() { co_return; }", "coroutine"),
    (COROUTINE + "#define LEAVE co_return\ntask f() { LEAVE; }", "coroutine"),
    (COROUTINE + "template <class T> task f(T) { co_await never{}; }", "coroutine"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "reason"), REFUSED)
def test_a_function_that_cannot_be_measured(functions: Functions, text: str, reason: str) -> None:
    actual = functions(text, "-std=c++20")
    assert reason in [construct.obstacle[1] for construct in actual]


@pytest.mark.parametrize("define", ["CX constexpr", "A constexpr\n#define CX A inline"])
def test_no_call_may_stand_in_a_function_that_a_macro_makes_constexpr(
    functions: Functions, define: str
) -> None:
    text = f"#define {define}\ntemplate <class T> struct S {{ CX int f() {{ return 1; }} }};"
    (function,) = functions(text, "-std=c++20")
    assert function.declaration_site.untouchable == "no call may stand in a constexpr function"


def test_a_lambda_in_a_coroutine_is_none(functions: Functions) -> None:
    actual = functions(
        COROUTINE + "task f() { auto g = [] { return 1; }; g(); co_return; }", "-std=c++20"
    )
    assert [construct.obstacle[1] for construct in actual] == ["coroutine", ""]


def test_what_the_user_declines(functions: Functions) -> None:
    actual = functions(
        "__attribute__((no_instrument_function)) int f() { return 1; } int g() { return 1; }"
    )
    assert [bool(construct.function and construct.function.declined) for construct in actual] == [
        True,
        False,
    ]


@pytest.mark.parametrize(
    ("body", "first"),
    [
        ("return 1;", "return"),
        ("/* c */ __label__ a, b; goto a; a: b: return 1;", "goto"),
        ("\n  // c\n#pragma STDC FP_CONTRACT ON\n  int x = 1; return x;", "int"),
        ("\n#pragma clang fp reassociate(on)\n  int x = 1; return x;", "int"),
    ],
)
def test_what_must_come_first_does(functions: Functions, body: str, first: str) -> None:
    text = f"int f(void) {{ {body} }}"
    (function,) = functions(text, cplusplus=False)
    assert function.function is not None
    assert text[function.function.enter :].split()[0] == first
