"""Decisions for constructs that belong together, and the names and groups of --pomp-disable."""

from __future__ import annotations

from pathlib import Path

import pytest

from pomp_clang.driver.unit.named_source import unit_of
from pomp_clang.frontend.unit import Instrumented, Unit, Why
from pomp_clang.rewrite.instrument import instrument
from pomp_clang.selection.disable import parse_disabled
from pomp_clang.selection.selection import ConstructSelection
from tests.compilers import first

REGION = """\
void f(int *a) {
#pragma pomp inst begin(first)
  a[0]++;
#pragma pomp inst end(first)
#pragma omp critical
  a[1]++;
}
"""


def _unit(folder: Path, text: str) -> Unit:
    compiler = first("clang-19", "gcc")
    if not compiler:
        pytest.skip("no compiler with OpenMP is here")
    path = folder / "a.c"
    path.write_text(text)
    return unit_of(str(path), [compiler, "-fopenmp", "-c", str(path)])


_LIBRARY = """\
inline int four() {
#pragma omp parallel
  ;
  return 4;
}
"""
_FUNCTIONS = """\
#include <library.h>
#include "own.h"
constexpr int two() { return 2; }
int main() { return two() + four() + own() == 12; }
"""
_OWN = """\
constexpr int one() { return 1; }
constexpr int three() { return 3; }
[[gnu::naked]] inline void bare() {}
inline int own() { return one() + three() + 2; }
"""


def _functions(folder: Path) -> Instrumented:
    """Instrument a source with a header of its own and one of an installed library, functions too."""
    compiler = first("clang++-19", "g++")
    if not compiler:
        pytest.skip("no compiler with OpenMP is here")
    (folder / "installed").mkdir()
    (folder / "installed" / "library.h").write_text(_LIBRARY)
    (folder / "own.h").write_text(_OWN)
    (folder / "a.cpp").write_text(_FUNCTIONS)
    command = [compiler, "-fopenmp", "-isystem", "installed", "-c", "a.cpp"]
    return instrument(unit_of("a.cpp", command, functions=True), ConstructSelection(functions=True))


def test_functions_left_out_for_one_reason_have_one_note(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    why = "are not measured: no call may stand in a constexpr function [pomp-function]"
    assert [str(note) for note in _functions(tmp_path).notes] == [
        f"a.cpp:3: warning: function 'two' and 2 others of this unit {why}",
        "own.h:3: warning: function 'bare' is not measured: no call may stand in a naked function"
        " [pomp-function]",
    ]


def test_functions_of_an_installed_library_are_not_the_projects(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its constructs are measured: -isystem is the way in which CMake names its folder."""
    monkeypatch.chdir(tmp_path)
    result = _functions(tmp_path)
    headers = {Path(header.path).name: header.text for header in result.headers if header.changed}
    assert "POMP_Parallel_fork" in headers["library.h"]
    assert "POMP_Begin" not in headers["library.h"]
    assert "POMP_Begin" in headers["own.h"]


@pytest.mark.parametrize("half", [0, 1])
def test_a_region_of_which_half_is_refused_is_left_out_whole(tmp_path: Path, half: int) -> None:
    unit = _unit(tmp_path, REGION)
    site = [site for site in instrument(unit).sites if site.kind == "region"][half]
    instrumented = instrument(unit, ConstructSelection(), {site: Why("it is too long", "rejected")})
    assert instrumented.text is not None
    assert "POMP_Critical_enter" in instrumented.text
    assert "POMP_Begin(" not in instrumented.text and "POMP_End(" not in instrumented.text
    (note,) = instrumented.notes
    assert (note.line, note.reason) == (site.line, "rejected")


@pytest.mark.parametrize("which", ["begin", "end"])
def test_a_region_of_which_half_is_silenced_is_left_out_whole(tmp_path: Path, which: str) -> None:
    half = f"#pragma pomp inst {which}(first)\n"
    silenced = f"#pragma pomp noinstrument\n{half}#pragma pomp instrument\n"
    instrumented = instrument(_unit(tmp_path, REGION.replace(half, silenced)))
    assert instrumented.text is not None and not instrumented.notes
    assert "POMP_Critical_enter" in instrumented.text
    assert "POMP_Begin(" not in instrumented.text and "POMP_End(" not in instrumented.text


@pytest.mark.parametrize(
    ("clause", "why"),
    [
        ("write", "the clause 'write' does not go with it"),
        ("wrong", "the clause 'wrong' is not known"),
    ],
)
def test_a_combined_directive_with_a_clause_of_no_part_is_left(
    tmp_path: Path, clause: str, why: str
) -> None:
    text = f"void f(void) {{\n#pragma omp parallel for {clause}\nfor (int i = 0; i < 2; i++);\n}}\n"
    (note,) = instrument(_unit(tmp_path, text)).notes
    assert note.reason == "clause" and note.text.endswith(why)


def test_names_may_be_joined_by_underscore_or_dash() -> None:
    assert parse_disabled("parallel_for, critical,parallel-sections") == {
        "parallel for",
        "critical",
        "parallel sections",
    }


def test_sync_is_the_group_of_the_paper_and_the_locks() -> None:
    assert parse_disabled("sync") == {"atomic", "critical", "master", "masked", "single", "lock"}


def test_nothing_is_nothing() -> None:
    assert parse_disabled("") == frozenset()


def test_an_unknown_name_is_refused() -> None:
    with pytest.raises(ValueError, match="'frob' is no construct"):
        parse_disabled("critical,frob")
    with pytest.raises(
        ValueError, match=r"'paralel_for' is no construct \(did you mean parallel for\?"
    ):
        parse_disabled("paralel_for")
