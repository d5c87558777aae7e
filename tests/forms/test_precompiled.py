"""Precompiled headers and modules: built as they are, which is said; they and who uses them
run as ever."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.compilers import links_openmp
from tests.forms.running import SETTINGS, run

LOOP = """
  int s = 0;
#pragma omp parallel for reduction(+ : s)
  for (int i = 0; i < n; i++)
    s += i;
  return s;
}
"""
HEADER = f"#include <stdio.h>\nstatic inline int total(int n) {{{LOOP}"
MODULE = f"export module sums;\nexport int total(int n) {{{LOOP}"
MAIN = """int main() {
  int s = total(5);
#pragma omp parallel num_threads(2) reduction(+ : s)
  s++;
  printf("%d\\n", s);
  return 0;
}
"""
CASES = {
    "clang-19 header": ("-x c-header p.h -o p.h.pch", "-include p.h main.c -o program"),
    "clang-19 pch": ("-x c-header p.h -o p.h.pch", "-include-pch p.h.pch main.c -o program"),
    "clang-19 emit": ("-Xclang -emit-pch p.h -o q.pch", "-include-pch q.pch main.c -o program"),
    "clang++-19 header": ("-x c++-header p.h -o p.h.pch", "-include p.h main.cpp -o program"),
    "clang++-19 module": (
        "-std=c++20 --precompile sums.cppm -o sums.pcm",
        "-std=c++20 sums.pcm -c -o sums.o",
        "-std=c++20 -fmodule-file=sums=sums.pcm use.cpp sums.o -o program",
    ),
    "clang++-19 at once": (
        "-std=c++20 -fmodule-output -c sums.cppm -o sums.o",
        "-std=c++20 -fmodule-file=sums=sums.pcm use.cpp sums.o -o program",
    ),
    "gcc header": ("p.h", "-include p.h main.c -o program"),
    "gcc named": ("-x c-header p.h -o p.h.gch", "-Winvalid-pch -include p.h main.c -o program"),
    "g++ header": ("p.h -o p.h.gch", "-include p.h main.cpp -o program"),
    "g++ module": (
        "-std=c++20 -fmodules-ts -x c++ -c sums.cppm -o sums.o",
        "-std=c++20 -fmodules-ts use.cpp sums.o -o program",
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_what_is_compiled_beforehand(case: str, tmp_path: Path) -> None:
    compiler = case.split()[0]
    if not links_openmp(compiler):
        pytest.skip(f"{compiler} is not here with its OpenMP runtime")
    text: dict[str, list[str]] = {}
    for name in ("native", "measured"):
        folder = tmp_path / name
        folder.mkdir()
        (folder / "p.h").write_text(HEADER)
        (folder / "main.c").write_text(MAIN)
        (folder / "main.cpp").write_text(MAIN)
        (folder / "sums.cppm").write_text(MODULE)
        (folder / "use.cpp").write_text(f"#include <cstdio>\nimport sums;\n{MAIN}")
        pomp_command = ["pomp-clang", "--"] if name == "measured" else []
        text[name] = []
        for step in CASES[case]:
            status, _, err = run([*pomp_command, compiler, "-fopenmp", *step.split()], folder)
            assert status == 0, err
            text[name].append(err)
        assert run(["./program"], folder, **SETTINGS) == (0, "12\n", "")
    assert text["native"] == [""] * len(CASES[case])
    assert any(f"[pomp-{tag}]" in text["measured"][0] for tag in ("precompiled", "module", "place"))


def test_a_static_runtime_leaves_the_options_of_a_precompiled_header(tmp_path: Path) -> None:
    if not links_openmp("clang-19"):
        pytest.skip("clang-19 is not here with its OpenMP runtime")
    (tmp_path / "p.h").write_text(HEADER)
    (tmp_path / "main.c").write_text(MAIN)
    steps = ("-x c-header p.h -o p.h.pch", "-include-pch p.h.pch main.c -o program")
    for step in steps:
        command = ["pomp-clang", "--pomp-runtime=static", "--", "clang-19", "-fopenmp"]
        status, _, err = run([*command, *step.split()], tmp_path)
        assert status == 0, err
    assert run(["./program"], tmp_path, **SETTINGS) == (0, "12\n", "")


FILES = "-fmodule-file=more=more.pcm -fmodule-file=sums=sums.pcm"
IMPORTS = {
    "first": ("import sums;\n#include <cstdio>\n", "-fprebuilt-module-path=."),
    "behind headers": ("#include <cstdio>\nimport sums;\n", FILES),
    "by another": ("#include <cstdio>\nimport more;\n", FILES),
}


@pytest.mark.parametrize("how", IMPORTS)
def test_who_imports_a_module_of_clang_is_instrumented(how: str, tmp_path: Path) -> None:
    compiler, (head, where) = "clang++-19", IMPORTS[how]
    if not links_openmp(compiler):
        pytest.skip(f"{compiler} is not here with its OpenMP runtime")
    (tmp_path / "sums.cppm").write_text(MODULE)
    (tmp_path / "more.cppm").write_text("export module more;\nexport import sums;\n")
    (tmp_path / "use.cpp").write_text(head + MAIN)
    command = ["pomp-clang", "--pomp-library=log", "--", compiler, "-fopenmp", "-std=c++20"]
    for name in ("sums", "more"):
        words = ["--precompile", "-fprebuilt-module-path=.", f"{name}.cppm", "-o", f"{name}.pcm"]
        status, _, err = run([*command, *words], tmp_path)
        assert status == 0, err
    status, _, err = run([*command, "-c", "sums.pcm", "-o", "sums.o"], tmp_path)
    assert status == 0, err
    words = [*where.split(), "use.cpp", "sums.o", "-o", "program"]
    assert run([*command, "-Wall", "-Wextra", *words], tmp_path) == (0, "", "")
    counting = {**SETTINGS, "POMP_LOG": "count"}
    status, out, text = run(["./program"], tmp_path, **counting)
    assert (status, out) == (0, "12\n")
    forks = [line for line in text.splitlines() if line.startswith("parallel() ")]
    line = 3 + MAIN.splitlines().index("#pragma omp parallel num_threads(2) reduction(+ : s)")
    assert f"parallel() {tmp_path}/use.cpp:{line} Parallel_begin 2" in forks
    assert all(f"use.cpp:{line} " in fork for fork in forks)
