"""Compilers for machines and systems without a runtime library: the build goes through untouched."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from tests.builds.harness import CLANG, GCC, execute, needs
from tests.builds.test_recipes import OUTPUT, lay

ARM = "aarch64-linux-gnu-gcc"
EMULATOR = ("qemu-aarch64", "-L", "/usr/aarch64-linux-gnu")
UNTOUCHED = "{}:1: warning: compiled untouched: there is no runtime library for this target"
WITH_OPENMP = ("app.c", "part.c")
SOURCES = (*WITH_OPENMP, "other.c")
PROGRAM = "int main(void) { return 0; }\n"


def compiler_named(folder: Path, kind: str, *command: str) -> str:
    """Return the name of a command: its own, or the one of a link or a script without a target."""
    program = shutil.which(command[0])
    assert program
    if kind == "name":
        return command[0]
    path = folder / "gcc"
    if kind == "link":
        path.symlink_to(program)
    else:
        path.write_text(f'#!/bin/sh\nexec {" ".join(command)} "$@"\n')
        path.chmod(0o755)
    return str(path)


def objects_equal_the_plain_ones(project: Path, *command: str) -> None:
    """Compile all sources plain and by pomp-clang, which names those with OpenMP."""
    for source in SOURCES:
        plain = execute([*command, "-fopenmp", "-c", source, "-o", f"plain-{source}.o"], project)
        measured = execute(["pomp-clang", "--", *command, "-fopenmp", "-c", source], project)
        expected = UNTOUCHED.format(source) + " [pomp-target]\n"
        assert measured.stderr == plain.stderr + (expected if source in WITH_OPENMP else "")
        built = project / source.replace(".c", ".o")
        assert built.read_bytes() == (project / f"plain-{source}.o").read_bytes()


@pytest.mark.parametrize("kind", ["name", "link", "script"])
def test_a_cross_compiler_builds_what_it_builds_alone(tmp_path: Path, kind: str) -> None:
    needs(ARM)
    if not Path("/usr/aarch64-linux-gnu/include/stdio.h").exists():
        pytest.skip("libc6-dev-arm64-cross is not here")
    project = lay(tmp_path, "make")
    compiler = compiler_named(tmp_path, kind, ARM)
    objects_equal_the_plain_ones(project, compiler)
    for inputs in (SOURCES, [source.replace(".c", ".o") for source in SOURCES]):
        execute([compiler, "-fopenmp", *inputs, "-o", "plain"], project)
        linked = execute(
            ["pomp-clang", "--", compiler, "-fopenmp", *inputs, "-o", "app"], project
        ).stderr
        assert (project / "app").read_bytes() == (project / "plain").read_bytes()
        assert [word for word in linked.split() if word.startswith("[")] == (
            ["[pomp-target]"] * 2 if inputs == SOURCES else []
        )
    (project / "alone.c").write_text(PROGRAM)
    execute(["pomp-clang", "--", compiler, "alone.c", "-o", "alone"], project)
    if shutil.which(EMULATOR[0]):
        assert execute([*EMULATOR, "./app"], project).stdout == OUTPUT


@pytest.mark.skipif(os.uname().machine != "x86_64", reason="-m32 is an option for x86-64")
def test_a_script_that_compiles_for_another_target(tmp_path: Path) -> None:
    needs("gcc")
    project = lay(tmp_path, "make")
    for source in SOURCES:  # there may be no headers for 32 bits
        text = (project / source).read_text().replace("#include <stdio.h>", "int printf();")
        (project / source).write_text(text)
    compiler = compiler_named(tmp_path, "script", GCC[0], "-m32", "-w")
    objects_equal_the_plain_ones(project, compiler)
    (project / "alone.c").write_text(PROGRAM)
    for inputs in ("app.o part.o other.o", "alone.c"):
        words = f"{compiler} -fopenmp {inputs} -o app"
        # There may be no libraries for 32 bits either: the linker's messages are compared.
        plain = execute(["sh", "-c", f"{words} 2>&1; echo $?"], project).stdout
        measured = execute(["sh", "-c", f"pomp-clang -- {words} 2>&1; echo $?"], project).stdout
        assert measured == plain


@pytest.mark.parametrize("target", ["x86_64-w64-mingw32", "x86_64-linux-musl"])
def test_another_system_of_the_same_machine(tmp_path: Path, target: str) -> None:
    if not CLANG[0]:
        pytest.skip("clang is not here")
    project = lay(tmp_path, "make")
    command = [CLANG[0], f"--target={target}", "-fopenmp", "-c", "part.c", "-o"]
    execute([*command, "plain.o"], project)
    measured = execute(["pomp-clang", "--", *command, "part.o"], project)
    assert measured.stderr == UNTOUCHED.format("part.c") + " [pomp-target]\n"
    assert (project / "part.o").read_bytes() == (project / "plain.o").read_bytes()


def test_a_compiler_for_windows(tmp_path: Path) -> None:
    needs("x86_64-w64-mingw32-gcc")
    project = lay(tmp_path, "make")
    objects_equal_the_plain_ones(project, "x86_64-w64-mingw32-gcc")
    command = ["x86_64-w64-mingw32-gcc", "-shared", "other.o", "-o", "other.dll"]
    assert execute(["pomp-clang", "--", *command], project).stderr == ""
