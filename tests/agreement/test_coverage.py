"""Coverage of instrumented programs: lines, calls and branches are the original's."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from pomp_clang.driver import gcno
from tests.agreement.pair import Pair, require
from tests.forms.expected import PROGRAMS as FORMS
from tests.forms.expected import Program

# Threads that count at once lose counts, in any build, unless told otherwise.
COUNTING = ("--coverage", "-fprofile-update=atomic")
GCC = {".c": "gcc", ".cpp": "g++"}
OTHERWISE = {"worksharing.c": {146, 151}, "attributes.cpp": {26}}
"""Lines of which gcc makes another thing: a task reduction of a combined construct, which is
one of its inner directive then, and the later lines of an attribute."""
CLANG = {".c": "clang-19", ".cpp": "clang++-19"}
OTHERWISE_WITH_CLANG = {
    "attributes.cpp": {10, 14, 18, 21, 26, 29},
    "clauses.c": {11, 12, 13, 67, 68},
    "coroutines.cpp": {28, 29},
    "places.cpp": {30, 138, 157, 171},
    "synchronisation.c": {93, 94, 121},
    "tasks.c": {30, 55, 96, 97},
    "worksharing.c": {71, 72, 88, 89, 93, 94, 95, 99, 135, 136, 139, 140, 146, 148, 149, 153, 154},
}
"""Lines that clang counts otherwise: of combined constructs, which are two then, of tasks with
reductions, of a block of one line, and of attributes."""


@pytest.fixture
def pair(tmp_path: Path) -> Pair:
    return Pair(tmp_path)


@pytest.mark.parametrize(
    "program",
    [
        pytest.param(program, id=path.name)
        for path in sorted(FORMS.glob("*.c*"))
        if path.name != "coroutines.cpp"  # g++ 12 fails with it
        and path.name != "attributes.c"  # which gcc 12 does not read as directives
        and (program := Program(path, "gcc")).is_taken
    ],
)
def test_every_form_with_gcov(pair: Pair, program: Program) -> None:
    compiler = GCC[program.path.suffix]
    require(compiler, "--coverage")
    for folder in pair.folders:
        shutil.copytree(FORMS, folder / "src", dirs_exist_ok=True)
    source = f"src/{program.path.name}"
    command = [compiler, "-fopenmp", "-w", *COUNTING, *program.options]
    plain, made = pair.both(*command, source, "-lm", "-o", "app")
    assert (plain.status, made.status) == (0, 0), made.err
    pair.run("./app")
    pair.run("gcov", "-b", f"app-{program.path.stem}.gcda")
    texts = [_gcov(folder) for folder in pair.folders]
    lost = OTHERWISE.get(program.path.name, set())
    native, ours = ({k: v for k, v in text.items() if k[1] not in lost} for text in texts)
    assert sum(bool(count) for count in native.values()) > 10
    assert ours == native


def _gcov(folder: Path) -> dict[tuple[str, int], list[str]]:
    """What is said of each line of each source: how many blocks a function has is not."""
    found: dict[tuple[str, int], list[str]] = {}
    for path in sorted(folder.glob("*.gcov")):
        key = (path.name, 0)
        for line in path.read_text().splitlines():
            row = re.match(r" *[^:]+: *(\d+):", line)
            key = (path.name, int(row[1])) if row else key
            found.setdefault(key, []).append(re.sub(r" blocks executed \d+%", "", line))
    assert found
    return found


@pytest.mark.parametrize("level", ["-O0", "-O2"])
def test_headers_and_separate_compiles_with_gcov(pair: Pair, level: str) -> None:
    """The notes are where gcc puts them; what is optimised has fewer lines, or more."""
    require("gcc", "--coverage")
    pair.compile("gcc", "-fopenmp", level, *COUNTING, "-c", "src/app.c", "-o", "app.o")
    pair.compile("gcc", "-fopenmp", "--coverage", "app.o", "-o", "app")
    pair.run("./app")
    pair.run("gcov", "-b", "app.o")
    native, ours = (_gcov(folder) for folder in pair.folders)
    assert {name for name, _ in native} == {"app.c.gcov", "kernel.h.gcov"}
    assert {name for name, _ in ours} == {name for name, _ in native}
    if level == "-O0":
        assert ours == native
    assert sorted(p.name for p in pair.folders[1].glob("*.gc*")) == sorted(
        p.name for p in pair.folders[0].glob("*.gc*")
    )


def test_standard_input_with_gcov(tmp_path: Path) -> None:
    """There is no copy whose lines could be told apart; what ran is what ran."""
    require("gcc", "--coverage")
    source = b"int main(void) {\n  int n = 0;\n#pragma omp critical\n  n++;\n  return n - 1;\n}\n"
    command = ["pomp-clang", "--", "gcc", "-fopenmp", "--coverage", "-x", "c", "-", "-o", "app"]
    subprocess.run(command, cwd=tmp_path, input=source, check=True)
    environment = {**os.environ, "POMP_EXPERIMENT_DIR": str(tmp_path / "run")}
    subprocess.run([tmp_path / "app"], cwd=tmp_path, env=environment, check=True)
    (notes,) = tmp_path.glob("*.gcno")
    known = {
        line
        for function in gcno.read(notes.read_bytes()).functions
        for lines in function.lines.values()
        for line in lines
    }
    assert {line.number for line in known} == {1, 2, 3, 4, 5}
    assert {line.file.rstrip(b"\0") for line in known} == {b"<stdin>"}


@pytest.mark.parametrize(
    "program",
    [
        pytest.param(program, id=path.name)
        for path in sorted(FORMS.glob("*.c*"))
        if path.name != "variants.c"  # which needs an offloading runtime with clang 19
        and (program := Program(path, "clang")).is_taken
    ],
)
def test_every_form_with_clang(pair: Pair, program: Program) -> None:
    compiler = CLANG[program.path.suffix]
    require(compiler, "--coverage")
    if not shutil.which("llvm-cov-19"):
        pytest.skip("llvm-cov-19 is not here")
    for folder in pair.folders:
        shutil.copytree(FORMS, folder / "src", dirs_exist_ok=True)
    command = [compiler, "-fopenmp", "-w", *COUNTING, *program.options]
    source = f"src/{program.path.name}"
    plain, made = pair.both(*command, source, "-lm", "-o", "app")
    assert (plain.status, made.status) == (0, 0), made.err
    pair.run("./app")
    pair.run("llvm-cov-19", "gcov", f"app-{program.path.stem}.gcda")
    lost = OTHERWISE_WITH_CLANG.get(program.path.name, set())
    native, ours = (_all_counts(folder, lost) for folder in pair.folders)
    assert sum(bool(count) for count in native.values()) > 5
    assert ours == native


def _all_counts(folder: Path, lost: set[int]) -> dict[tuple[str, int], int]:
    return {
        (path.name, line): count
        for path in folder.glob("*.gcov")
        for line, count in _counts(path).items()
        if line not in lost
    }


def test_lines_with_clang(pair: Pair) -> None:
    require("clang-19", "--coverage")
    if not shutil.which("llvm-cov-19"):
        pytest.skip("llvm-cov-19 is not here")
    pair.compile("clang-19", "-fopenmp", *COUNTING, "-c", "src/app.c", "-o", "app.o")
    pair.compile("clang-19", "-fopenmp", "--coverage", "app.o", "-o", "app")
    pair.run("./app")
    pair.run("llvm-cov-19", "gcov", "app.o")
    for name in ("app.c", "kernel.h"):
        plain, made = (_counts(folder / f"{name}.gcov") for folder in pair.folders)
        assert len(plain) > 5
        assert made == plain


MAPPED = """\
#include <stdio.h>
static int sum(int n) {
  int s = 0;
#pragma omp parallel for reduction(+ : s) // inside
  for (int i = 0; i < n; i++) // inside
    s += i; // inside
  if (s > 10)
    s -= 1;
  else
    s = 0;
#pragma omp critical
  {
    s++;
  }
  return s;
}
int main(void) {
  for (int i = 0; i < 7; i++)
    if (sum(i) > 5)
      printf("%d", i);
  return 0;
}
"""


def test_source_based_coverage_outside_parallel_regions(pair: Pair) -> None:
    options = ("-fprofile-instr-generate", "-fcoverage-mapping", "-fprofile-update=atomic")
    require("clang-19", *options)
    if not shutil.which("llvm-cov-19") or not shutil.which("llvm-profdata-19"):
        pytest.skip("llvm-cov-19 is not here")
    for folder in pair.folders:
        (folder / "mapped.c").write_text(MAPPED)
    pair.compile("clang-19", "-fopenmp", *options, "mapped.c", "-o", "app")
    pair.run("./app")
    pair.run("llvm-profdata-19", "merge", "default.profraw", "-o", "app.profdata")
    shown = pair.run("llvm-cov-19", "show", "./app", "-instr-profile=app.profdata")
    native, ours = (
        [line for line in each.out.splitlines() if "// inside" not in line] for each in shown
    )
    assert sum(bool(re.match(r" +\d+\| +[1-9]\d*\|", line)) for line in native) > 10
    assert ours == native


def _counts(path: Path) -> dict[int, int]:
    """The count of each line, the first where functions have rows of their own."""
    counts: dict[int, int] = {}
    for count, line in re.findall(r"^ *(\d+|#####)\*?: +(\d+):", path.read_text(), re.M):
        counts.setdefault(int(line), 0 if count[0] == "#" else int(count))
    return counts
