"""Beside another tool on MPI's profiling interface: preloaded, in a shared library, linked in."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.create_once import create_once
from tests.mpi.harness import MPIS, PROGRAMS, build, environment, needs, report, run

TIMES = 5
TOLD = [f"{rank}: tool: {TIMES} sends, 1 barriers" for rank in (0, 1)]


def compiled(mpi: str, *arguments: str | Path, measured: bool = True) -> None:
    needs(mpi)
    words = ["pomp-clang", "--"] if measured else []
    command = [*words, f"mpicc.{mpi}", "-fopenmp", "-O1", "-w", *map(str, arguments)]
    result = subprocess.run(command, env=environment(), capture_output=True, text=True)
    assert (result.returncode, result.stderr) == (0, "")


def shared_tool(mpi: str, programs: Path, *options: str) -> Path:
    library = programs / f"libtool{''.join(options)}-{mpi}.so"
    words: tuple[str | Path, ...] = (
        "-shared",
        "-fPIC",
        *options,
        PROGRAMS / "second_tool.c",
        "-o",
        library,
    )
    return create_once(library, lambda: compiled(mpi, *words, measured=False))


def counted(folder: Path) -> list[tuple[int, int, int]]:
    document: dict[str, Any] = report(folder)
    return [
        tuple(process["mpi"][name] for name in ("sendC", "recvC", "collC"))
        for process in document["processes"]
    ]


def tool_lines(output: str) -> list[str]:
    return sorted(line for line in output.splitlines() if ": tool: " in line)


@pytest.mark.parametrize("mpi", MPIS)
def test_a_preloaded_tool_and_we_see_each_call(programs: Path, tmp_path: Path, mpi: str) -> None:
    program = build(mpi, "stacked", programs)
    result = run(program, 2, tmp_path / "run", LD_PRELOAD=str(shared_tool(mpi, programs)))
    assert tool_lines(result.stdout) == TOLD
    assert counted(tmp_path / "run") == [(TIMES, TIMES, 1)] * 2


@pytest.mark.parametrize("mpi", MPIS)
def test_a_tool_in_a_shared_library(programs: Path, tmp_path: Path, mpi: str) -> None:
    program = tmp_path / f"app.{mpi}"
    library = shared_tool(mpi, programs)
    path = f"-Wl,-rpath,{programs}"
    compiled(mpi, PROGRAMS / "stacked.c", library, path, "-o", program)
    result = run(program, 2, tmp_path / "run")
    assert tool_lines(result.stdout) == TOLD
    assert counted(tmp_path / "run") == [(TIMES, TIMES, 1)] * 2


@pytest.mark.parametrize("mpi", MPIS)
def test_a_tool_in_a_shared_library_that_has_all_the_program_calls(
    programs: Path, tmp_path: Path, mpi: str
) -> None:
    """The linker needs an option that makes it look for our functions."""
    program = tmp_path / f"app.{mpi}"
    library = shared_tool(mpi, programs, "-DWHOLE")
    own_option, path = "-Wl,-u,pomp_mpi_ours_1", f"-Wl,-rpath,{programs}"
    compiled(mpi, PROGRAMS / "stacked.c", own_option, library, path, "-o", program)
    result = run(program, 2, tmp_path / "run")
    assert tool_lines(result.stdout) == TOLD
    assert counted(tmp_path / "run") == [(TIMES, TIMES, 1)] * 2


@pytest.mark.parametrize("mpi", MPIS)
def test_of_a_tool_that_is_linked_in_its_functions_are_taken(tmp_path: Path, mpi: str) -> None:
    program = tmp_path / f"app.{mpi}"
    compiled(mpi, PROGRAMS / "stacked.c", PROGRAMS / "second_tool.c", "-o", program)
    result = run(program, 2, tmp_path / "run")
    assert tool_lines(result.stdout) == TOLD
    assert counted(tmp_path / "run") == [(0, TIMES, 0)] * 2


@pytest.mark.parametrize("mpi", MPIS)
def test_a_shared_library_of_the_program_is_not_counted_twice(
    programs: Path, tmp_path: Path, mpi: str
) -> None:
    """Our functions may come before the program's or after them."""
    (tmp_path / "ring.c").write_text((PROGRAMS / "ring.h").read_text())
    whole, separate = build(mpi, "stacked", programs), tmp_path / f"apart.{mpi}"
    library, path = tmp_path / "libring.so", f"-Wl,-rpath,{tmp_path}"
    compiled(mpi, "-shared", "-fPIC", tmp_path / "ring.c", "-o", library)
    compiled(mpi, "-DRING_APART", PROGRAMS / "stacked.c", library, path, "-o", separate)
    # Not the launcher, which would be measured, too.
    preloading = tmp_path / f"preloading.{mpi}"
    preloading.write_text(f"#!/bin/sh\nLD_PRELOAD={library} exec {whole}\n")
    preloading.chmod(0o755)
    for program in (separate, preloading):
        folder = tmp_path / f"run-{program.stem}"
        run(program, 2, folder)
        assert counted(folder) == [(TIMES, TIMES, 1)] * 2
