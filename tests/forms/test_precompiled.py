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
    said: dict[str, list[str]] = {}
    for name in ("native", "measured"):
        folder = tmp_path / name
        folder.mkdir()
        (folder / "p.h").write_text(HEADER)
        (folder / "main.c").write_text(MAIN)
        (folder / "main.cpp").write_text(MAIN)
        (folder / "sums.cppm").write_text(MODULE)
        (folder / "use.cpp").write_text(f"#include <cstdio>\nimport sums;\n{MAIN}")
        ours = ["pomp-clang", "--"] if name == "measured" else []
        said[name] = []
        for step in CASES[case]:
            status, _, err = run([*ours, compiler, "-fopenmp", *step.split()], folder)
            assert status == 0, err
            said[name].append(err)
        assert run(["./program"], folder, **SETTINGS) == (0, "12\n", "")
    assert said["native"] == [""] * len(CASES[case])
    assert any(f"[pomp-{tag}]" in said["measured"][0] for tag in ("precompiled", "module", "place"))
