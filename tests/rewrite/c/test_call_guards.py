"""Which visits are guarded, and by what; and the text of a unit in place of the null library's
calls.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from pomp_clang.frontend.unit import Unit
from pomp_clang.record import replace
from pomp_clang.rewrite.c import call_guards as guards
from pomp_clang.rewrite.instrument import instrument

EVENTS = Path(__file__).parents[3] / "runtime" / "src" / "events" / "events.def"


def text(body: str, language: str = "c") -> str:
    """Return the instrumented text of a function."""
    source = f"void f(int n) {{\n{body}\n}}\n"
    preprocess = ("gcc", "-fopenmp", "-x", language)
    unit = Unit("a.c", source, language, ("-D_OPENMP=201511",), preprocess=preprocess)
    plain = instrument(unit).text
    rewritten_text = instrument(replace(unit, thread="pomp_self_x")).text
    assert plain is not None and rewritten_text is not None
    assert "__pomp_on" not in plain and plain.count("\n") == rewritten_text.count("\n")
    return rewritten_text.splitlines()[1] if rewritten_text.count("\n") == 3 else rewritten_text


def test_the_events_are_those_that_are_inlined() -> None:
    rows = re.findall(r"^INLINED\((\w+)", EVENTS.read_text(), re.M)
    assert {name.split("_")[0] for name in rows} == guards.EVENTS | {"Begin", "End"}


@pytest.mark.parametrize(
    ("directive", "calls"),
    [
        ("critical", 4),
        ("atomic", 2),
        ("flush", 2),
        ("master", 2),
        ("masked", 2),
        ("simd", 2),
        ("for", 0),
        ("single", 0),
        ("parallel master", 0),
        ("master taskloop", 0),
    ],
)
def test_constructs(directive: str, calls: int) -> None:
    body = (
        "for (int i = 0; i < n; i++) n++;"
        if directive.endswith(("for", "simd", "loop"))
        else "n++;"
    )
    rewritten_text = text(f"#pragma omp {directive}\n{body}")
    assert rewritten_text.count("{ if (__pomp_on1) POMP_") == calls
    assert rewritten_text.count("int __pomp_on1 = __atomic_load_n(__pomp_thread, 0)") == bool(calls)
    assert rewritten_text.count('__asm__("pomp_self_x")') == bool(calls)


REGION = "#pragma pomp inst begin(r)\nn++;\n#pragma pomp inst end(r)"


@pytest.mark.parametrize(
    ("body", "guarded"),
    [
        (REGION, True),
        (f"while (n--) {{\n{REGION}\n}}", True),
        ("#pragma pomp inst begin(r)\nif (n) {\n#pragma pomp inst end(r)\nreturn;\n}\n#pragma pomp inst end(r)", True),
        ("{\n#pragma pomp inst begin(r)\n}\n#pragma pomp inst end(r)", False),
        ("if (n)\n#pragma pomp inst begin(r)\nn++;\n#pragma pomp inst end(r)", False),
        ("#pragma pomp inst begin(r)\n#pragma omp critical\n{\n#pragma pomp inst end(r)\n}", False),
        (f"switch (n) {{\ncase 1: {{\n{REGION}\n}}\n}}", False),
        (f"goto l;\n{{\nl:\n{REGION}\n}}", False),
        (f"#pragma omp task untied\n{{\n{REGION}\n}}", False),
    ],
)  # fmt: skip
def test_user_regions(body: str, guarded: bool) -> None:
    """A user region is guarded where all of its ends are in the block of its begin."""
    rewritten_text = text(body)
    assert ("if (__pomp_on1) POMP_Begin" in rewritten_text) == guarded
    assert (
        rewritten_text.count("{ if (__pomp_on1) POMP_End")
        == rewritten_text.count("POMP_End(__pomp_rd1") * guarded
    )


def test_an_end_without_its_begin_is_told() -> None:
    """The begin sets the visit's guard; before it, the guard is 1, so that an early end still
    calls.
    """
    rewritten_text = text(f"if (n) {{\n{REGION}\n}}")
    assert "if (n) { int __pomp_on1 = 1;" in rewritten_text


UNIT = Unit(
    "a.c",
    """\
typedef int omp_lock_t;
int omp_test_lock(omp_lock_t *);
void omp_unset_lock(omp_lock_t *);
void f(omp_lock_t *lock) {
#pragma omp critical
  ;
#pragma omp parallel
  ;
  if (omp_test_lock(lock))
    omp_unset_lock(lock);
}
""",
    "c",
    ("-D_OPENMP=201511",),
    preprocess=("gcc", "-fopenmp", "-x", "c"),
    thread="pomp_self_x",
)


@pytest.mark.parametrize(("language", "null"), [("c", "0"), ("c++", "__null")])
def test_every_call_is_defined(language: str, null: str) -> None:
    unit = replace(UNIT, language=language, empty=True)
    rewritten_text = instrument(unit).text
    assert rewritten_text is not None
    called = set(re.findall(r"\bPOMP_\w+(?=\()", rewritten_text))
    bodies = dict(
        re.findall(r"__inline__ [^{}]*?\b(POMP_\w+)\([^{}]*\) \{ ([^{}]*)\}", rewritten_text)
    )
    assert set(bodies) == called
    assert {name: body for name, body in bodies.items() if body.strip()} == {
        "POMP_Get_team": f"return {null}; ",
        "POMP_Test_lock": "return __omp_Test_lock(__pomp_argument0); ",
        "POMP_Unset_lock": "__omp_Unset_lock(__pomp_argument0); ",
    }
    assert (
        '__asm__("omp_test_lock")' in rewritten_text
        and '__asm__("omp_unset_lock")' in rewritten_text
    )
    assert "pomp_self_x" not in rewritten_text and "__pomp_on" not in rewritten_text


def test_only_where_the_library_is_known() -> None:
    rewritten_text = instrument(UNIT).text
    assert rewritten_text is not None
    assert "__gnu_inline__" not in rewritten_text and "pomp_self_x" in rewritten_text
