"""The guard: what the compiler reads after preprocessing is found, or named."""

from __future__ import annotations

from pathlib import Path

import pytest

from pomp_clang.driver.unit.named_source import unit_of
from pomp_clang.frontend.c import parse as parsing
from pomp_clang.frontend.c.find import find
from pomp_clang.frontend.c.source import CSourceText
from pomp_clang.frontend.constructs import FoundConstructs
from pomp_clang.frontend.directive_text import DirectiveText
from tests.compilers import first


@pytest.fixture(params=["clang", "gcc"])
def compiler(request: pytest.FixtureRequest) -> str:
    names = ("clang++-19", "clang++") if request.param == "clang" else ("g++",)
    return first(*names) or pytest.skip(f"{request.param} is not here")


def found_in(folder: Path, compiler: str, text: str) -> FoundConstructs:
    source = folder / "a.cpp"
    source.write_text(text)
    return find(unit_of(str(source), [compiler, "-fopenmp"]))


def named(found_constructs: FoundConstructs) -> list[tuple[str, int]]:
    return [(note.reason, note.line) for note in found_constructs.notes]


def test_a_directive_that_the_tokenizer_passes_over_is_named(
    tmp_path: Path, compiler: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def nothing(source: CSourceText, lexemes: object) -> list[DirectiveText]:
        return []

    monkeypatch.setattr("pomp_clang.frontend.c.files.find_pragmas", nothing)
    actual = found_in(tmp_path, compiler, "void f() {\n#pragma omp parallel\n;\n}\n")
    assert set(named(actual)) == {("macro", 2)} or set(named(actual)) == {("unseen", 2)}


def test_a_directive_that_the_finder_drops_is_named(
    tmp_path: Path, compiler: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "pomp_clang.frontend.c.file_finder.FileFinder._of_directive", lambda *_: None
    )
    text = "void f() {\n#pragma omp parallel\n;\n\n#pragma omp barrier\n}\n"
    actual = found_in(tmp_path, compiler, text)
    assert named(actual) == [("unseen", 2), ("unseen", 5)]
    assert "'parallel'" in actual.notes[0].text and "'barrier'" in actual.notes[1].text


def test_a_directive_that_the_compiler_does_not_read_is_named(
    tmp_path: Path, compiler: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = "void f() {\n#if 0\n#pragma omp barrier\n#endif\n#pragma omp barrier\n}\n"
    monkeypatch.setattr("pomp_clang.frontend.c.file_view.FileView.is_live", lambda *_: True)
    assert named(found_in(tmp_path, compiler, text)) == [("unseen", 3)]


def test_a_pasted_lock_routine_is_named(tmp_path: Path, compiler: str) -> None:
    text = """\
#include <omp.h>
#define CALL(what, lock) omp_##what##_lock(lock)
void f(omp_lock_t *lock) {
  CALL(set, lock);
  omp_unset_lock(lock);
}
"""
    actual = found_in(tmp_path, compiler, text)
    assert named(actual) == [("unseen", 4)]
    assert "'omp_set_lock'" in actual.notes[0].text


@pytest.mark.parametrize(
    "text",
    [
        'const char *s = R"(\n#pragma omp barrier\n\n)";\nvoid f() {\n#pragma omp barrier\n}\n',
        'void f() {\n#line 70 "other.y"\n#pragma omp barrier\n}\n',
        "void f() {\n#pragma \\\n omp \\\n barrier\n}\n",
        '#define TWO _Pragma("omp parallel") { _Pragma("omp barrier") }\nvoid f() { TWO }\n',
        '#define OF(s) s\nvoid f() {\nOF(\nint a = 0;\n_Pragma("omp barrier")\n(void)a;)\n}\n',
        "#define B barrier\nvoid f() {\n#pragma omp B\n}\n",
        "#pragma omp declare simd\nint f(int n) { return n; }\n#pragma omp requires dynamic_allocators\n",
        "struct L { void omp_set_lock(int); };\nvoid f(L &l) { l.omp_set_lock(1); }\n",
        "void f() {\n#pragma omp inst begin(r)\n;\n#pragma omp inst end(r)\n}\n",
    ],
)
def test_what_is_found_in_full_raises_no_alarm(tmp_path: Path, compiler: str, text: str) -> None:
    assert "unseen" not in [reason for reason, _ in named(found_in(tmp_path, compiler, text))]


def test_a_header_read_twice_raises_no_alarm(tmp_path: Path, compiler: str) -> None:
    (tmp_path / "body.h").write_text("{\n#pragma omp barrier\n}\n")
    text = 'void f()\n#include "body.h"\nvoid g()\n#include "body.h"\n'
    assert "unseen" not in [reason for reason, _ in named(found_in(tmp_path, compiler, text))]


@pytest.mark.parametrize(
    ("text", "parses"),
    [
        ('#define DEAD(n) _Pragma("omp parallel for") n\nvoid f() {}\n', 0),
        ("#if 0\n#pragma omp parallel\n#endif\nvoid f() {}\n", 0),
        ("void f() {\n#pragma omp parallel\n;\n}\n", 1),
        ('#define PAR _Pragma("omp parallel")\nvoid f() { PAR ; }\n', 1),
        ("void f() { [[omp::directive(parallel)]] ; }\n", 1),
        ("#define N 2\nvoid f() {\n#pragma omp parallel num_threads(N)\n;\n}\n", 1),
    ],
)
def test_a_unit_is_parsed_once_and_only_if_the_compiler_reads_a_directive(
    tmp_path: Path, compiler: str, text: str, parses: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    count = 0

    def counting(*arguments: object) -> object:
        nonlocal count
        count += 1
        return parse(*arguments)  # type: ignore[arg-type]

    parse = parsing.parse
    monkeypatch.setattr("pomp_clang.frontend.c.tree.parse", counting)
    actual = found_in(tmp_path, compiler, text)
    assert count == parses
    assert sum(len(file.items) for file in actual.files) == parses
