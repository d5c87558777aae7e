"""The places of a text in an editor, as libclang finds them."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from pomp_clang.lsp.analyze_document import DocumentAnalyzer
from pomp_clang.lsp.filter_edits import with_choice
from pomp_clang.lsp.place import AnalysisRequest, DocumentAnalysis, SourcePlace
from tests.builds.harness import CLANG, GCC

COMPILER = (CLANG if CLANG[0] else GCC)[1]

TEXT = """\
struct S {
  int run(int n) {
    int s = 0;
    auto each = [&](int k) {
#pragma omp parallel for reduction(+ : s)
      for (int i = 0; i < k; i++) s += i;
    };
    each(n);
#pragma omp parallel for reduction(+ : s)
    for (int i = 0; i < n; i++) s += i;
    return s;
  }
};
int over(int a) {
#pragma omp critical
  a++;
  return a;
}
int over(double) {
  int b = 0;
#pragma omp critical
  b++;
#pragma omp critical
  b++;
  return b;
}
"""

Ask = Callable[..., DocumentAnalysis]


@pytest.fixture
def ask(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Ask:
    if not COMPILER:
        pytest.skip("no C++ compiler with OpenMP is here")
    monkeypatch.chdir(tmp_path)  # and back, behind the survey's own
    (tmp_path / "a.cpp").write_text("int saved_long_ago;\n")
    surveyor = DocumentAnalyzer()

    def run(
        text: str = TEXT,
        flags: tuple[str, ...] = ("-fopenmp",),
        source: str = "a.cpp",
        **more: str,
    ) -> DocumentAnalysis:
        return surveyor.survey(
            AnalysisRequest(str(tmp_path), source, text, (COMPILER, *flags), **more)  # type: ignore[arg-type]
        )

    return run


def places(survey: DocumentAnalysis) -> list[SourcePlace]:
    assert not survey.error
    (file,) = survey.files.values()
    return list(file)


def constructs(survey: DocumentAnalysis) -> list[tuple[int, str, str]]:
    return [(p.first, p.inner, p.state) for p in places(survey) if not p.is_function]


def test_the_editors_text_counts_and_not_the_disks(ask: Ask) -> None:
    assert constructs(ask()) == [
        (4, "S::run::{lambda}", "instrumented"),
        (8, "S::run", "instrumented"),
        (14, "over(int)", "instrumented"),
        (20, "over(double)", "instrumented"),
        (22, "over(double)", "instrumented"),
    ]
    assert [line for line, _, _ in constructs(ask("\n" + TEXT))] == [5, 9, 15, 21, 23]


def test_no_two_places_have_the_same_id(ask: Ask) -> None:
    ids = [place.id for place in places(ask())]
    assert len(ids) == len(set(ids)) == 9


def test_a_rule_for_each_place_leaves_out_this_one_alone(ask: Ask, tmp_path: Path) -> None:
    everything = places(ask(functions="all"))
    for place in everything:
        text = with_choice("", place, str(tmp_path), False, everything)
        after = places(ask(functions="all", filter_path="x", filter_text=text))
        assert [place.id for place in after if place.state == "disabled"] == [place.id], text


def test_without_openmp_in_the_command_there_are_functions_alone(ask: Ask) -> None:
    assert constructs(ask(flags=())) == []
    assert len(places(ask(flags=()))) == 4


def test_an_answer_is_the_same_behind_its_way_as_json(ask: Ask) -> None:
    survey = ask()
    assert DocumentAnalysis.of_json(survey.as_json()) == survey


def test_what_is_wrong_is_said(ask: Ask) -> None:
    assert ask(source="b.cpp").error == "b.cpp: No such file or directory"
    assert ask(filter_path="x", filter_text="frob").filter_error.startswith("x:1: ")
    assert "frob" in ask(disable="frob").error


FORTRAN = """\
module m
contains
subroutine Sweep(x, n)
real :: x(n)
#include "loop.inc"
!$omp critical
x(1) = SIZE
!$omp end critical
end subroutine
end module
"""


@pytest.mark.parametrize("name", ["a.F90", "a.f90"])
def test_a_text_in_fortran_has_the_lines_and_names_of_the_editor(
    ask: Ask, tmp_path: Path, name: str
) -> None:
    compiler = shutil.which("gfortran")
    if not compiler:
        pytest.skip("gfortran is not here")
    (tmp_path / name).write_text("saved long ago\n")
    (tmp_path / "loop.inc").write_text("!$omp parallel do\ndo i = 1, n\nx(i) = i\nend do\n")
    include = "#include" if name.endswith("F90") else "include"
    text = FORTRAN.replace("#include", include)
    command = (compiler, "-fopenmp", "-DSIZE=3")
    request = AnalysisRequest(str(tmp_path), name, text, command, functions="all")
    survey = DocumentAnalyzer().survey(request)
    assert not survey.error
    files = {Path(path).name: places for path, places in survey.files.items()}
    actual = {file: [(p.first, p.last, p.words, p.inner) for p in files[file]] for file in files}
    assert actual == {
        name: [(2, 8, "function", "Sweep"), (5, 7, "critical", "m::Sweep")],
        "loop.inc": [(0, 3, "parallel do", "m::Sweep")],
    }


LOOPS = """\
static int tiny(int x) { return x + 1; }
double heavy(int n) {
  double s = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++) s += 1.0 / tiny(i + j + k);
  return s;
}
"""


def test_auto_judges_the_saved_code_at_the_lines_of_the_text(ask: Ask, tmp_path: Path) -> None:
    (tmp_path / "a.cpp").write_text(LOOPS)
    expected = [("tiny", "disabled"), ("heavy", "instrumented")]
    for text in (LOOPS, "// one\n// two\n" + LOOPS):
        actual = places(ask(text, functions="auto"))
        assert [(place.label, place.state) for place in actual] == expected
        assert all(place.why.startswith("auto: ") for place in actual)
        assert "no code" not in actual[1].why
