"""The text of a unit in place of the null library's calls."""

from __future__ import annotations

import re

import pytest

from pomp_clang.frontend.unit import Unit
from pomp_clang.record import replace
from pomp_clang.rewrite.instrument import instrument

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
