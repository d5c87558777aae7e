"""`pomp-cc`, `pomp-c++`: which compiler they run, and with what."""

from __future__ import annotations

from pathlib import Path

import pytest

from pomp_clang.cli.compile import ONE_WORD
from pomp_clang.cli.one_word import COMMANDS
from tests.builds.harness import GCC, counts, execute

SOURCE = """\
#ifndef _POMP
#error bare
#endif
int main(void) {
#pragma omp parallel
  {
  }
}
"""
ANSWER = "printf '%s|' \"$@\"\n"


@pytest.fixture
def compiler(tmp_path: Path) -> Path:
    """Return a compiler that prints its arguments, in a folder whose name has a space."""
    path = tmp_path / "a folder" / "mycc"
    path.parent.mkdir()
    path.write_text(f"#!/bin/sh\n{ANSWER}")
    path.chmod(0o755)
    return path


@pytest.mark.parametrize(
    ("command", "variable"),
    [
        ("pomp-cc", "POMP_CC"),
        ("pomp-c++", "POMP_CXX"),
        ("pomp-mpicc", "POMP_MPICC"),
        ("pomp-mpicxx", "POMP_MPICXX"),
        ("pomp-fc", "POMP_FC"),
        ("pomp-mpifort", "POMP_MPIFORT"),
    ],
)
def test_the_variable_names_the_compiler(
    tmp_path: Path, compiler: Path, command: str, variable: str
) -> None:
    query = [command, "--version"]
    assert execute(query, tmp_path, 0, **{variable: str(compiler)}).stdout == "--version|"
    words = f"env A=b '{compiler}' -m64"
    assert execute(query, tmp_path, 0, **{variable: words}).stdout == "-m64|--version|"


def test_the_first_compiler_on_the_path_else(tmp_path: Path, compiler: Path) -> None:
    compiler.rename(compiler.with_name("cc"))
    path = f"{compiler.parent}:/usr/bin:/bin"
    python = execute(["sh", "-c", "command -v pomp-cc"], tmp_path).stdout.strip()
    assert execute([python, "-v"], tmp_path, PATH=path).stdout == "-v|"


@pytest.mark.skipif(not GCC[0], reason="gcc is not here")
def test_options_of_ours_stand_anywhere(tmp_path: Path) -> None:
    (tmp_path / "a.c").write_text(SOURCE)
    words = ["pomp-cc", "-fopenmp", "--pomp-functions=all", "a.c", "-o", "a"]
    execute(words, tmp_path, POMP_CC=GCC[0])
    execute(["./a"], tmp_path)
    assert counts(tmp_path / "pomp-a-1") == {("a.c", "parallel"): 2, ("a.c", "main"): 1}


@pytest.mark.skipif(not GCC[0], reason="gcc is not here")
def test_behind_pomp_clang_it_instruments_once(tmp_path: Path) -> None:
    (tmp_path / "a.c").write_text(SOURCE)
    words = [
        "pomp-clang",
        "--pomp-functions=all",
        "--",
        "env",
        "pomp-cc",
        "-fopenmp",
        "a.c",
        "-o",
        "a",
    ]
    execute(words, tmp_path, POMP_CC=GCC[0])
    execute(["./a"], tmp_path)
    assert counts(tmp_path / "pomp-a-1") == {("a.c", "parallel"): 2, ("a.c", "main"): 1}


def test_every_command_is_known_behind_pomp_clang() -> None:
    assert set(COMMANDS) == ONE_WORD


@pytest.mark.parametrize(
    ("value", "expected"),
    [("pomp-cc", "POMP_CC=pomp-cc calls itself"), ("'gcc", "POMP_CC: No closing quotation")],
)
def test_wrong_values_are_one_line(tmp_path: Path, value: str, expected: str) -> None:
    result = execute(["pomp-cc", "-c", "a.c"], tmp_path, status=2, POMP_CC=value)
    assert result.stderr.startswith(f"pomp-clang: {expected}")
    assert result.stderr.count("\n") == 1
