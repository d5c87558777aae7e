"""Coverage of instrumented programs: lines, calls and branches are the original's."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from pomp_clang.driver import gcno
from tests.agreement.pair import PROGRAMS, Pair, require
from tests.forms.expected import PROGRAMS as FORMS
from tests.forms.expected import Program

# Threads that count at once lose counts, in any build, unless told otherwise.
COUNTING = ("--coverage", "-fprofile-update=atomic")
GCC = {".c": "gcc", ".cpp": "g++"}
OTHERWISE = {"worksharing.c": {146, 151}, "attributes.cpp": {26}}
"""Lines of which gcc makes another thing: a task reduction of a combined construct, which is
one of its inner directive then, and the later lines of an attribute."""


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


def test_lines_with_clang(pair: Pair) -> None:
    """A task has one thing more that clang hands on to it, in functions of its own."""
    require("clang-19", "--coverage")
    if not shutil.which("llvm-cov-19"):
        pytest.skip("llvm-cov-19 is not here")
    pair.compile("clang-19", "-fopenmp", *COUNTING, "-c", "src/app.c", "-o", "app.o")
    pair.compile("clang-19", "-fopenmp", "--coverage", "app.o", "-o", "app")
    pair.run("./app")
    pair.run("llvm-cov-19", "gcov", "app.o")
    text = (PROGRAMS / "app.c").read_text().splitlines()
    (task,) = (n for n, line in enumerate(text, 1) if line.endswith("omp task"))
    for name in ("app.c", "kernel.h"):
        plain, made = (_counts(folder / f"{name}.gcov") for folder in pair.folders)
        assert len(plain) > 5
        lost = {task, task + 1} if name == "app.c" else set()
        assert {n for n, c in plain.items() if c} == {n for n, c in made.items() if c}
        assert {n: c for n, c in made.items() if n not in lost} == {
            n: c for n, c in plain.items() if n not in lost
        }


def _counts(path: Path) -> dict[int, int]:
    """The count of each line, the first where functions have rows of their own."""
    counts: dict[int, int] = {}
    for count, line in re.findall(r"^ *(\d+|#####)\*?: +(\d+):", path.read_text(), re.M):
        counts.setdefault(int(line), 0 if count[0] == "#" else int(count))
    return counts
