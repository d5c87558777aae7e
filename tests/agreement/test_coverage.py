"""Coverage of instrumented programs: lines, calls and branches are the original's."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from pomp_clang.driver import gcno
from tests.agreement.counted import KINDS, compare, compare_random
from tests.agreement.pair import Pair, require
from tests.forms.expected import PROGRAMS as FORMS
from tests.forms.expected import Program
from tests.random_programs import grammar
from tests.random_programs.check import COMPILERS

# Threads that count at once lose counts, in any build, unless told otherwise.
COUNTING = ("--coverage", "-fprofile-update=atomic")
GCC = {".c": "gcc", ".cpp": "g++"}
CLANG = {".c": "clang-19", ".cpp": "clang++-19"}
LANGUAGES = ("c", "c++")
MAPPED = ("-fprofile-instr-generate", "-fcoverage-mapping", "-fprofile-update=atomic")


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
    native, ours = (_gcov(folder) for folder in pair.folders)
    assert sum(bool(count) for count in native.values()) > 10
    assert ours == native


def _gcov(folder: Path) -> dict[tuple[str, int], list[str]]:
    """What is said of each line of each source, its calls, branches and functions."""
    found: dict[tuple[str, int], list[str]] = {}
    for path in sorted(folder.glob("*.gcov")):
        key = (path.name, 0)
        for line in path.read_text().splitlines():
            row = re.match(r" *[^:]+: *(\d+):", line)
            key = (path.name, int(row[1])) if row else key
            found.setdefault(key, []).append(_OF_DEVICES.sub(r"\1", line))
    assert found
    return found


# clang names such a function by the source's inode, which differs from folder to folder.
_OF_DEVICES = re.compile(r"(__omp_offloading)_[0-9a-f]+_[0-9a-f]+")


@pytest.mark.parametrize("level", ["-O0", "-O2"])
def test_headers_and_separate_compiles_with_gcov(pair: Pair, level: str) -> None:
    """The notes are where gcc puts them; what it inlines natively alone is left out."""
    require("gcc", "--coverage")
    made = pair.both("gcc", "-fopenmp", level, *COUNTING, "-c", "src/app.c", "-o", "app.o")[1]
    left = re.findall(r"^src/app\.c:(\d+): .* \[pomp-coverage\]$", made.err, re.M)
    assert (made.status, left) == (0, ["7"] if level == "-O2" else [])
    pair.compile("gcc", "-fopenmp", "--coverage", "app.o", "-o", "app")
    pair.run("./app")
    pair.run("gcov", "-b", "app.o")
    native, ours = (_gcov(folder) for folder in pair.folders)
    assert {name for name, _ in native} == {"app.c.gcov", "kernel.h.gcov"}
    assert {name for name, _ in ours} == {name for name, _ in native}
    assert ours == native
    assert sorted(p.name for p in pair.folders[1].glob("*.gc*")) == sorted(
        p.name for p in pair.folders[0].glob("*.gc*")
    )


def test_standard_input_with_gcov(tmp_path: Path) -> None:
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


TAKEN_BY_CLANG = [
    pytest.param(program, id=path.name)
    for path in sorted(FORMS.glob("*.c*"))
    if path.name != "variants.c"  # which needs an offloading runtime with clang 19
    and (program := Program(path, "clang")).is_taken
]


@pytest.mark.parametrize("program", TAKEN_BY_CLANG)
def test_every_form_with_clang(pair: Pair, program: Program) -> None:
    _make(pair, program, COUNTING)
    pair.run("./app")
    pair.run("llvm-cov-19", "gcov", "-b", "-c", f"app-{program.path.stem}.gcda")
    native, ours = (_gcov(folder) for folder in pair.folders)
    assert sum(bool(count) for count in native.values()) > 5
    assert ours == native


@pytest.mark.parametrize("program", TAKEN_BY_CLANG)
def test_every_form_with_regions_of_clang(pair: Pair, program: Program) -> None:
    made = _make(pair, program, MAPPED)
    assert "compiled untouched" not in made
    pair.run("./app")
    native, ours = _regions(pair)
    assert sum(bool(count) for count in native.values()) > 5
    assert ours == native


def _make(pair: Pair, program: Program, flags: tuple[str, ...]) -> str:
    """Build it in both folders; what was said of it."""
    compiler = CLANG[program.path.suffix]
    _require_clang(compiler, *flags)
    for folder in pair.folders:
        shutil.copytree(FORMS, folder / "src", dirs_exist_ok=True)
    command = [compiler, "-fopenmp", "-w", *flags, *program.options]
    plain, made = pair.both(*command, f"src/{program.path.name}", "-lm", "-o", "app")
    assert (plain.status, made.status) == (0, 0), made.err
    return made.err


def _require_clang(compiler: str, *flags: str) -> None:
    require(compiler, *flags)
    if not shutil.which("llvm-cov-19") or not shutil.which("llvm-profdata-19"):
        pytest.skip("llvm-cov-19 is not here")


def _regions(pair: Pair) -> tuple[dict[str, int], dict[str, int]]:
    """What llvm-cov says of lines and branches, by their files and numbers."""
    pair.run("llvm-profdata-19", "merge", "default.profraw", "-o", "app.profdata")
    shown = pair.run(
        "llvm-cov-19", "export", "-format=lcov", "./app", "-instr-profile=app.profdata"
    )
    native, ours = (dict(_records(each.out)) for each in shown)
    assert all("mismatched" not in each.err for each in shown)
    return native, ours


def _records(listing: str) -> Iterator[tuple[str, int]]:
    file = ""
    for line in listing.splitlines():
        kind, _, rest = line.partition(":")
        file = os.path.basename(rest) if kind == "SF" else file
        if kind in ("DA", "BRDA"):
            key, _, count = rest.rpartition(",")
            yield f"{file} {kind} {key}", int(count) if count.isdigit() else 0


def test_lines_with_clang(pair: Pair) -> None:
    require("clang-19", "--coverage")
    if not shutil.which("llvm-cov-19"):
        pytest.skip("llvm-cov-19 is not here")
    pair.compile("clang-19", "-fopenmp", *COUNTING, "-c", "src/app.c", "-o", "app.o")
    pair.compile("clang-19", "-fopenmp", "--coverage", "app.o", "-o", "app")
    pair.run("./app")
    pair.run("llvm-cov-19", "gcov", "-b", "-c", "app.o")
    native, ours = (_gcov(folder) for folder in pair.folders)
    assert {name for name, _ in native} == {"app.c.gcov", "kernel.h.gcov"}
    assert ours == native


SEED = 5


@pytest.mark.parametrize(
    ("kind", "language"),
    [("gcc-O2", "c"), *((kind, one) for kind in ("gcc", "clang", "regions") for one in LANGUAGES)],
)
def test_random_programs(tmp_path: Path, kind: str, language: str) -> None:
    """What native runs count alike is counted so instrumented."""
    _require_tools(kind, language)
    made = grammar.program(SEED, language, KINDS[kind].compiler, size=40)
    found = compare_random(made, KINDS[kind], tmp_path)
    assert "compiled untouched" not in found.said
    assert found.rows > 500 and found.differing == ()


def _require_tools(kind: str, language: str) -> None:
    chosen = KINDS[kind]
    command = COMPILERS[language][chosen.compiler]
    (require if chosen.compiler == "gcc" else _require_clang)(command, *chosen.flags)


TASKS = """\
#include "more.h"
#define TWICE(...) __VA_ARGS__ __VA_ARGS__
int main(void) {
#pragma omp parallel
#pragma omp single
  {
#pragma omp task default(none) shared(n)
    n++;
#pragma omp taskwait
#pragma omp task firstprivate(one)
    { n += one; }
#pragma omp taskwait
#pragma omp task untied
    {
      n++;
    }
#pragma omp taskwait
    TWICE(_Pragma("omp task if(one)") { n++; })
  }
#pragma omp parallel
  { more(); }
  return n == 0;
}
"""
HEADER = """\
static int n, one = 1;
static inline void more(void) {
#pragma omp single
#pragma omp task
  {
    const char *words = "a literal";
    n += words[0] == 'a';
  }
}
"""


@pytest.mark.parametrize("kind", ["clang", "regions"])
@pytest.mark.parametrize("language", LANGUAGES)
def test_functions_that_clang_makes_of_tasks(tmp_path: Path, language: str, kind: str) -> None:
    """There are none besides, nor have they other names."""
    _require_tools(kind, language)
    name = {"c": "a.c", "c++": "a.cpp"}[language]
    command = [COMPILERS[language]["clang-19"], *KINDS[kind].flags, name]
    found = compare(tmp_path, {name: TASKS, "more.h": HEADER}, command, KINDS[kind].tool, {})
    assert (found.said, found.differing) == ("", ())
    assert found.rows > 100


def test_tasks_where_sizes_are_checked(tmp_path: Path) -> None:
    """The check would be counted, and without sizes clang makes functions of its own of some."""
    flags = ("--coverage", "-fsanitize=undefined")
    _require_clang("clang-19", *flags)
    (tmp_path / "a.c").write_text(TASKS)
    (tmp_path / "more.h").write_text(HEADER)
    command = ["pomp-clang", "--", "clang-19", "-fopenmp", *flags, "-c", "a.c"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    named = re.findall(r"^(\S+):\d+: warning: '(.*?)' .* \[pomp-coverage\]$", done.stderr, re.M)
    assert named == [*[("a.c", "task")] * 4, ("more.h", "task")]


LEFT = """\
int s;
int f(int n) {
#pragma omp parallel for
  for (int i = 0; i < n; i++)
    s += i;
#pragma omp parallel for simd if (n)
  for (int i = 0; i < n; i++)
    s += i;
#pragma omp parallel
  if (n)
    s++;
#pragma omp parallel
#pragma omp single
  if (n)
    s++;
  return s;
}
"""


@pytest.mark.parametrize(
    ("flags", "lines"),
    [((), []), (COUNTING, [6]), (MAPPED, [3, 6, 9])],
    ids=["", "gcov", "regions"],
)
def test_what_is_left_out_for_coverage_is_named(
    tmp_path: Path, flags: tuple[str, ...], lines: list[int]
) -> None:
    _require_clang("clang-19", *flags)
    (tmp_path / "a.c").write_text(LEFT)
    command = ["pomp-clang", "--", "clang-19", "-fopenmp", *flags, "-c", "a.c"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    named = re.findall(r"^a\.c:(\d+): warning: .* \[pomp-coverage\]$", done.stderr, re.M)
    assert [int(line) for line in named] == lines


def test_a_function_with_blocks_of_its_own_is_left_out_and_what_is_in_it_is_not(
    tmp_path: Path,
) -> None:
    require("gcc", "--coverage")
    (tmp_path / "a.c").write_text(LEFT)
    command = ["pomp-clang", "--pomp-functions=all", "--"]
    command += ["gcc", "-fopenmp", "--coverage", "-c", "a.c"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert re.findall(r"^a\.c:(\d+): warning: (.*?) is not", done.stderr, re.M) == [
        ("2", "function 'f'"),
        ("6", "'parallel for simd'"),
    ]


def test_regions_of_several_sources_and_of_a_header(pair: Pair) -> None:
    _require_clang("clang-19", *MAPPED)
    for folder in pair.folders:
        (folder / "b.c").write_text("int b(int n) {\n  return n ? 1 : 2;\n}\n")
    pair.both("clang-19", "-fopenmp", *MAPPED, "src/app.c", "b.c", "-o", "app")
    pair.run("./app")
    native, ours = _regions(pair)
    assert {key.split()[0] for key in native} == {"app.c", "b.c", "kernel.h"}
    assert ours == native
