"""Programs behind `pomp-clang --` that are no gcc or clang: they get no option that they lack."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.driver.conftest import GCC, GXX, Pomp, execute, needs_gcc, needs_gxx

SOURCE = """\
#include <cstdio>
int main() {
#pragma omp parallel num_threads(2)
#pragma omp critical
  puts("in");
}
"""


@pytest.mark.parametrize("program", ["make", "./configure", "sub/pip", "mpirun"])
def test_other_program_runs_as_it_is_with_a_line_of_advice(
    pomp: Pomp, work: Path, program: str
) -> None:
    path = work / program
    path.parent.mkdir(exist_ok=True)
    path.write_text('#!/bin/sh\necho "$@"\n')
    path.chmod(0o755)
    result = pomp(path, "-fopenmp", "app.c", "-o", "app")
    assert (result.status, result.out) == (0, b"-fopenmp app.c -o app\n")
    assert result.err.startswith(f"pomp-clang: {path.name} ".encode())
    assert result.err.count(b"\n") == 1


def test_command_of_cmake_itself_runs_silently(pomp: Pomp) -> None:
    assert shutil.which("cmake")
    result = pomp("cmake", "-E", "echo", "made")
    assert (result.status, result.out, result.err) == (0, b"made\n", b"")


@pytest.mark.parametrize("mode", [["-c"], []])
def test_nvcc_gets_what_it_hands_to_the_linker_alone(
    pomp: Pomp, work: Path, mode: list[str]
) -> None:
    (work / "nvcc").write_text('#!/bin/sh\nprintf "%s\\n" "$@"\n')
    (work / "nvcc").chmod(0o755)
    command = [*mode, "-Xcompiler", "-fopenmp", "a.cpp"]
    words = pomp(work / "nvcc", *command).out.decode().split()
    assert words[: len(command)] == command
    assert set(words[len(command) :: 2]) == (set() if mode else {"-Xlinker"})


@needs_gxx
@pytest.mark.skipif(shutil.which("nvcc") is None, reason="nvcc is not here")
@pytest.mark.parametrize("source", ["main.cu", "main.cpp", "-x cu main.cpp"])
def test_nvcc_compiles_untouched_with_a_warning_and_links_the_runtime(
    work: Path, source: str
) -> None:
    *_, name = source.split()
    (work / name).write_text(SOURCE)
    (work / "other.cpp").write_text(SOURCE.replace("main", "other"))
    nvcc = ["pomp-clang", "--", "nvcc", "-Xcompiler", "-fopenmp"]
    result = execute([*nvcc, "-c", *source.split(), "-o", "main.o"], work)
    assert result.status == 0
    assert result.err.startswith(f"{name}:1: warning: ".encode())
    assert b"compiled untouched" in result.err
    execute(["pomp-clang", "--", GXX, "-fopenmp", "-c", "other.cpp"], work)
    result = execute([*nvcc, "main.o", "other.o", "-o", "app"], work)
    assert (result.status, result.err) == (0, b"")
    assert execute(["./app"], work).out == b"in\nin\n"


@needs_gcc
@pytest.mark.skipif(shutil.which("tcc") is None, reason="tcc is not here")
@pytest.mark.parametrize(
    "command",
    ["-fopenmp -c main.c -o main.o", "-fopenmp main.c -o app", "main.c -o app", "plain.o -o app"],
)
def test_compiler_of_another_kind_gets_no_option(work: Path, command: str) -> None:
    (work / "main.c").write_text(SOURCE.replace("<cstdio>", "<stdio.h>"))
    execute([GCC, "-c", "main.c", "-o", "plain.o"], work)
    result = execute(["pomp-clang", "--", "tcc", *command.split()], work)
    assert result.status == 0
    warning = b"main.c:1: warning: compiled untouched: tcc: neither gcc nor clang [pomp-compiler]\n"
    assert result.err == (warning if "-fopenmp" in command else b"")
