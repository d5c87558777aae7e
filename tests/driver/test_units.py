"""Units for libclang: its arguments, that it reads the same text as the compiler, and that no source
that may be OpenMP is passed over.
"""

from __future__ import annotations

import time
from pathlib import Path
from threading import Event

import pytest

from pomp_clang.driver import DriverError
from pomp_clang.driver.command.compiler_command import parse
from pomp_clang.driver.unit import unit_bitcode
from pomp_clang.driver.unit.named_source import unit_of
from pomp_clang.driver.unit.sources import may_hold_openmp
from pomp_clang.driver.unit.unit_bitcode import UnitBitcode
from pomp_clang.frontend.c.tree import SyntaxTree
from pomp_clang.frontend.unit import Unit
from tests.driver.conftest import BOTH, BOTH_CXX, CLANG, GCC

HEAVY = """\
#include <immintrin.h>
#include <omp.h>
#include <tgmath.h>
#include <stdatomic.h>
#if !defined(_OPENMP) || !defined(_POMP) || defined(NOT_ME)
#error a macro is missing
#endif
int main(void) { return omp_get_thread_num(); }
"""
HEAVY_CXX = """\
#include <algorithm>
#include <iostream>
#include <regex>
#include <omp.h>
int main() { std::cout << omp_get_thread_num(); }
"""


# Clang rejects code that gcc 12 warns about; an option can make it a warning in clang too.
OLD = """\
f(int a) { int *p = a; void (*q)(int) = f; undeclared(p, q, strlen("")); return a; }
float *g(int *a) { return a; }
"""


@pytest.mark.parametrize("compiler", BOTH)
def test_old_c_parses(compiler: str, tmp_path: Path) -> None:
    source = tmp_path / "old.c"
    source.write_text(OLD)
    tree = SyntaxTree(unit_of(str(source), [compiler, "-fopenmp"]))
    assert tree.view(str(source), len(OLD)).root.children


@pytest.mark.parametrize("compiler", BOTH)
def test_c_parses(compiler: str, tmp_path: Path) -> None:
    source = tmp_path / "a.c"
    source.write_text(HEAVY)
    unit = unit_of(
        str(source), [compiler, "-fopenmp", "-O2", "-march=x86-64-v3", "-c", str(source)]
    )
    tree = SyntaxTree(unit)
    assert tree.view(str(source), len(HEAVY)).root.is_scope
    assert not any(word.startswith("-fopenmp") for word in unit.arguments)


@pytest.mark.parametrize("compiler", BOTH_CXX)
@pytest.mark.parametrize("standard", ["c++11", "gnu++17", "c++20"])
def test_cxx_parses(compiler: str, standard: str, tmp_path: Path) -> None:
    source = tmp_path / "a.cpp"
    source.write_text(HEAVY_CXX)
    unit = unit_of(str(source), [compiler, "-fopenmp", f"-std={standard}"])
    SyntaxTree(unit)
    assert unit.language == "c++"
    assert f"-std={standard}" in unit.arguments


def test_a_command_may_be_left_out(tmp_path: Path) -> None:
    source = tmp_path / "a.c"
    source.write_text("int x;\n")
    unit = unit_of(str(source), [])
    assert unit.text == "int x;\n" and unit.path == str(source)
    assert "-fopenmp" in unit.preprocess and "-c" not in unit.preprocess


def test_what_is_wrong(tmp_path: Path) -> None:
    compiler = CLANG or GCC
    with pytest.raises(DriverError, match="No such file"):
        unit_of(str(tmp_path / "none.c"), [compiler, "-fopenmp"])
    (tmp_path / "a.o").write_text("")
    with pytest.raises(DriverError, match="not a C, C"):
        unit_of(str(tmp_path / "a.o"), [compiler])
    (tmp_path / "a.c").write_text("")
    with pytest.raises(DriverError) as raised:
        unit_of(str(tmp_path / "a.c"), ["clang-99"])
    assert raised.value.status == 127


def test_a_precompiled_header_is_not_handed_on(tmp_path: Path) -> None:
    (tmp_path / "a.c").write_text("")
    compiler = CLANG or GCC
    pch = ["-Xclang", "-include-pch", "-Xclang", "x.pch", "-Xclang", "-include", "-Xclang", "x.h"]
    unit = unit_of(str(tmp_path / "a.c"), [compiler, *pch, "-MD", "-MFx", "-o", "y", "-DA=b"])
    assert "-include-pch" not in unit.arguments and "x.h" in unit.arguments
    assert "-DA=b" in unit.arguments and "y" not in unit.arguments
    assert "y" not in unit.preprocess and "-MFx" not in unit.preprocess


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("int compute;\n#pragma once\n", False),
        ("#include <omp.h>\n#pragma once\nint n(void) { return omp_get_max_threads(); }", False),
        ("#pragma omp parallel\n", True),
        ("#pragma pomp inst init\n", True),
        ("#pragma \\\n omp parallel\n", True),
        ("#pragma o\\\nmp parallel\n", True),
        ("%:pragma omp barrier\n", True),
        ('_Pragma("omp barrier")\n', True),
        ("[[omp::directive(barrier)]];", True),
        ("void f(void) { omp_set_lock(0); }", True),
        ("void f(void) { omp_test_nest_lock(0); }", True),
        ("#include HEADER\n", True),
        ('#include "part.h"\n', False),
        ('#include "words.h"\n', True),
        ('#include "words.h"\nPRAGMA(omp for)\n', True),
        ("#include <words.h>\n", False),
        ("#define P(x) _Pragma(#x)\n#define Q(a, b) P(a##b)\n", True),
        ('#include "loop.h"\n', False),
    ],
)
def test_texts(text: str, expected: bool, tmp_path: Path) -> None:
    (tmp_path / "part.h").write_text("#pragma once\nint part;\n")
    (tmp_path / "words.h").write_text("#define PRAGMA(x) _Pragma(#x)\n/* omp */\n")
    (tmp_path / "loop.h").write_text('#include "loop.h"\n')
    command = parse(["cc", "-fopenmp", "-c", "a.c"])
    assert may_hold_openmp(command, str(tmp_path / "a.c"), text.encode()) is expected


def test_a_header_is_found_in_folders_that_lack_others(tmp_path: Path) -> None:
    for name in ("first", "second"):
        (tmp_path / name / "sub").mkdir(parents=True)
    (tmp_path / "second" / "sub" / "Words.h").write_text("#pragma omp parallel\n")
    (tmp_path / "second" / "wörds.h").write_text("#pragma omp parallel\n")
    flags = [f"-I{tmp_path / name}" for name in ("first", "missing", "second")]
    command = parse(["cc", *flags, "-c", "a.c"])
    lacking = "".join(f"#include <system{number}.h>\n" for number in range(50))
    for name in ("sub/Words.h", "./sub/Words.h", "../second/sub/Words.h", "wörds.h"):
        assert may_hold_openmp(command, "a.c", f"{lacking}#include <{name}>\n".encode()), name
    assert not may_hold_openmp(command, "a.c", lacking.encode())


def test_folders_of_the_command_and_of_cpath(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "inc").mkdir()
    (tmp_path / "inc" / "words.h").write_text("#pragma omp parallel\n")
    text = b"#include <words.h>\n"
    for flag in ("-I", "-isystem", "-iquote"):
        command = parse(["cc", flag, str(tmp_path / "inc"), "-c", "a.c"])
        assert may_hold_openmp(command, "a.c", text)
    command = parse(["cc", "-c", "a.c"])
    assert not may_hold_openmp(command, "a.c", text)
    monkeypatch.setenv("CPATH", f"missing:{tmp_path / 'inc'}")
    assert may_hold_openmp(command, "a.c", text)
    monkeypatch.delenv("CPATH")
    command = parse(["cc", "-include", str(tmp_path / "inc" / "words.h"), "-I.", "-c", "a.c"])
    assert may_hold_openmp(command, "a.c", b"")
    words = f"-Wp,-MD,deps.d,-I,{tmp_path / 'inc'},-include,words.h"
    assert may_hold_openmp(parse(["cc", words, "-c", "a.c"]), "a.c", b"")
    words = f"-Wp,-MD,-include,-MF,{tmp_path / 'inc' / 'words.h'}"
    assert not may_hold_openmp(parse(["cc", words, "-c", "a.c"]), "a.c", b"")
    assert may_hold_openmp(parse(["cc", "-DP=_Pragma", "-c", "a.c"]), "a.c", b"")


def test_without_llvmlite_one_line_names_the_extra(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(unit_bitcode, "find_spec", lambda name: None)
    assert UnitBitcode([]).estimates() is None
    (line,) = capsys.readouterr().err.splitlines()
    assert "pomp-clang[functions]" in line and line.endswith("[pomp-functions]")


def test_bitcode_that_is_not_needed_leaves_no_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr(unit_bitcode, "find_spec", lambda name: name)
    slow = ("sh", "-c", "sleep 60")
    unit = Unit(path="a.c", text="", language="c", arguments=(), preprocess=slow, inlines=True)
    bitcode = UnitBitcode([unit, unit])
    began = time.monotonic()
    bitcode.end()
    assert time.monotonic() - began < 30
    assert not list(tmp_path.iterdir())


def test_end_does_not_wait_for_ever_for_bitcode(monkeypatch: pytest.MonkeyPatch) -> None:
    """A signal handler ends it, and may hold what the thread waits for."""
    let_go = Event()
    monkeypatch.setattr(unit_bitcode, "find_spec", lambda name: name)
    monkeypatch.setattr(unit_bitcode, "_bitcode", lambda *_: let_go.wait(60) and b"")
    unit = Unit(path="a.c", text="", language="c", arguments=(), preprocess=("cc",), inlines=True)
    bitcode = UnitBitcode([unit])
    bitcode.begin()
    began = time.monotonic()
    bitcode.end()
    assert time.monotonic() - began < 30
    let_go.set()
