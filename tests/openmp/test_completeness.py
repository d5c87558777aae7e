"""The table of directives against the compilers: it has every directive that one takes.

The candidates are the words that OpenMP's directives are made of, alone and behind the
words of each directive that is known.  In a directive that is followed by nonsense the
compiler says which it has read.
"""

from __future__ import annotations

import re
import subprocess

import pytest

from pomp_clang.openmp.directives import DIRECTIVES, DirectiveForm, DirectiveState
from tests.compilers import links_openmp
from tests.forms.expected import PROGRAMS, Program

FORTRAN = {"allocators", "do", "workshare"}
"""Clang 19 has their names, and crashes when it meets them in C."""
OTHERS = """
    apply assumption begin coexecute concurrent copy data end enter exit flatten fuse groupprivate
    induction mapper point prefetch reduction split stripe taskgraph task_iteration
    update variant workdistribute
"""
NOT_TAKEN = {"assume", "dispatch"}
"""Clang 19 accepts dispatch but generates no code; gcc 12 accepts neither."""
VOCABULARY = {w for words in DIRECTIVES for w in words.split()} | set(OTHERS.split())
EXECUTABLE = {d.words for d in DIRECTIVES.values() if d.form is not DirectiveForm.DECLARATIVE}

_DECLARING = {"allocate", "assumes", "begin", "declare", "end", "requires", "threadprivate"}
_SAYS = re.compile(r"<stdin>:(\d+):\d+: (?:warning|error): (?!expected).*'#pragma omp ([a-z ]+)'")


def candidates() -> list[str]:
    words = VOCABULARY - FORTRAN - _DECLARING
    starts = {" ".join(d.split()[:n]) for d in EXECUTABLE for n in range(1, len(d.split()) + 1)}
    return sorted(words | {f"{start} {word}" for start in starts for word in words})


def read_by(command: list[str], nonsense: str) -> set[str]:
    """Return the candidates that the compiler accepts for one directive with all of its words."""
    every = candidates()
    functions = (
        f"void f{i}(void) {{\n#pragma omp {c} {nonsense}\n;}}\n" for i, c in enumerate(every)
    )
    completed = subprocess.run(
        [*command, "-fopenmp", "-fsyntax-only", "-x", "c", "-"],
        input="".join(functions),
        env={"LC_ALL": "C", "PATH": "/usr/local/bin:/usr/bin:/bin"},
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert completed.returncode == 1
    result = set()
    for line in completed.stderr.splitlines():
        text = _SAYS.match(line)
        if text and int(text[1]) % 3 == 2 and text[2] == every[int(text[1]) // 3]:
            result.add(text[2])
    return result


@pytest.mark.parametrize("version", [45, 50, 51, 52, 60])
def test_every_directive_of_clang_has_a_row(version: int) -> None:
    if not links_openmp("clang-19"):
        pytest.skip("clang-19 is not here with its OpenMP runtime")
    command = ["clang-19", f"-fopenmp-version={version}", "-ferror-limit=0", "-Wextra"]
    actual = read_by(command, "nonsense")
    assert {"target teams distribute parallel for simd", "interchange"} <= actual
    assert actual <= EXECUTABLE


def test_every_directive_of_gcc_has_a_row() -> None:
    if not links_openmp("gcc"):
        pytest.skip("gcc is not here with its OpenMP runtime")
    actual = read_by(["gcc", "-Wall"], "uniform(nonsense)")
    assert {"target teams distribute parallel for simd", "scope"} <= actual
    assert actual <= EXECUTABLE


@pytest.mark.parametrize("words", sorted(DIRECTIVES))
def test_every_directive_stands_in_a_program(words: str) -> None:
    """tests/forms checks the rows of the programs."""
    row = DIRECTIVES[words]
    texts = [p.read_text() for p in PROGRAMS.glob("*.c*")]
    if words in NOT_TAKEN:
        pytest.skip("neither compiler takes it")
    if row.state is DirectiveState.MEASURED and words != "section":
        kinds = {k for p in PROGRAMS.glob("*.c*") for k in _measured(Program(p, ""))}
        assert words in kinds, f"no program of tests/forms/programs has a comment //= {words}"
    else:
        assert any(re.search(rf"\bomp {words}\b", text) for text in texts), (
            f"no program of tests/forms/programs has {words}"
        )


def _measured(program: Program) -> set[str]:
    return {kind for row in program.rows if row.sign == "=" for kind, _ in row.events}
