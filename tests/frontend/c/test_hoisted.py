"""System headers behind text of the project are parsed ahead, and no unit reads differently for it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.compilers import first
from tests.frontend.c.conftest import FIRST_USE, Used, instrumented

LONG = "".join(f"struct system{n} {{ int member{n}; }};\n" for n in range(2000))
SYSTEM = """\
#ifndef SYSTEM_H
#define SYSTEM_H
#ifdef WIDE
typedef long number;
#else
typedef int number;
#endif
#define LIMIT 3
#define probe(x) system_probe(x)
inline number limit() { return LIMIT; }
"""
LIBRARY = """\
#ifndef LIBRARY_H
#define LIBRARY_H
#define VERSION 1
inline int version() {{ return VERSION; }}
{text_before}#include <system.h>
{text_after}inline void loop(int n) {{
#pragma omp parallel for
  for (int i = 0; i < n; i++)
    ;
}}
#endif
"""
UNIT = """\
int before{n};
#include "library.h"
number run{n}() {{
#pragma omp parallel
  loop({n});
  return version() + LIMIT;
}}
"""
UNITS = 4
PROBE = "inline int probe(int x) {\n  return x;\n}\n"
DEDUCED = """\
namespace outer {
int first() { return 1; }
template <class T> struct Maker;
template <class T> struct Maker<T *> {
  static auto make(T *x) {
#pragma omp parallel
    x++;
    return x;
  }
};
template <class T> auto made(T *x) { return Maker<T *>::make(x); }
inline auto deduced(int *x) { return made(x); }
}
"""
TESTED = "#ifdef LIMIT\ninline void tested() {\n#pragma omp barrier\n}\n#endif\n"


@pytest.fixture(params=["g++", "clang++-19"])
def words(request: pytest.FixtureRequest, tmp_path: Path) -> list[str]:
    name = first(request.param) or pytest.skip(f"no {request.param}")
    (tmp_path / "system").mkdir()
    (tmp_path / "system" / "system.h").write_text(f"{SYSTEM}{LONG}#endif\n")
    return [name, "-fopenmp", "-isystem", str(tmp_path / "system")]


def _sources(folder: Path, text_before: str = "", text_after: str = "") -> list[Path]:
    (folder / "library.h").write_text(
        LIBRARY.format(text_before=text_before, text_after=text_after)
    )
    sources = [folder / f"unit{number}.cpp" for number in range(UNITS)]
    for number, source in enumerate(sources):
        source.write_text(UNIT.format(n=number))
    return sources


@pytest.mark.parametrize("functions", ["none", "all"])
@pytest.mark.parametrize(
    "text_after", ["", TESTED, DEDUCED], ids=["plain", "macro tested behind", "deduced types"]
)
def test_system_header_behind_text_of_the_project_is_parsed_once(
    functions: str, text_after: str, words: list[str], tmp_path: Path, used: Used
) -> None:
    sources = _sources(tmp_path, text_after=text_after)
    alone = instrumented(sources, words, False, functions)
    assert instrumented(sources, words, True, functions) == alone
    assert [item is not None for item in used] == [n >= FIRST_USE for n in range(UNITS)]
    assert all(Path(name).name == "system.h" for item in used if item for name in item.headers)


@pytest.mark.parametrize(
    "text_before",
    [TESTED, "#undef LIMIT\n", "#define LIMIT 4\n", "#define WIDE\n", PROBE],
    ids=["tested before", "removed before", "defined before", "read by the header", "named before"],
)
def test_system_header_that_a_macro_of_the_project_depends_on_stays_in_its_place(
    text_before: str, words: list[str], tmp_path: Path, used: Used
) -> None:
    sources = _sources(tmp_path, text_before)
    alone = instrumented(sources, words, False, "all")
    assert instrumented(sources, words, True, "all") == alone
    assert used == [None] * UNITS


def test_unit_that_is_wrong_behind_the_header_is_parsed_whole(
    words: list[str], tmp_path: Path, used: Used
) -> None:
    sources = _sources(tmp_path, "namespace own {\n", "}\nusing own::number;\n")
    alone = instrumented(sources, words, False)
    assert instrumented(sources, words, True) == alone
    assert [item is not None for item in used] == [n == FIRST_USE for n in range(UNITS)]
