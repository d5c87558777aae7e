"""Which commands are an MPI's compiler, and what happens where its functions cannot be built."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from pomp_clang.driver.mpi import is_wrapper
from tests.compilers import first
from tests.mpi.harness import environment


@pytest.mark.parametrize(
    "name",
    ["mpicc", "/usr/bin/mpicc.mpich", "mpic++.openmpi", "mpicxx", "mpiCC", "mpiicc", "mpicc-4.0"],
)
def test_wrappers(name: str) -> None:
    assert is_wrapper(name)


@pytest.mark.parametrize("name", ["gcc", "mpiexec", "mpirun", "mpifort", "mpicheck", "/mpicc/cc"])
def test_no_wrappers(name: str) -> None:
    assert not is_wrapper(name)


def test_without_an_mpi_the_program_is_linked_and_told_of(tmp_path: Path) -> None:
    compiler = first("gcc", "clang-19", "clang")
    assert compiler
    wrapper = tmp_path / "mpicc"
    wrapper.write_text(f'#!/bin/sh\nexec {compiler} -nostdinc "$@"\n')
    wrapper.chmod(0o755)
    source = tmp_path / "a.c"
    source.write_text("int main(void) {\n#pragma omp parallel\n  {\n  }\n  return 5;\n}\n")
    command = ["pomp-clang", "--", wrapper, "-fopenmp", source, "-o", tmp_path / "a"]
    for _ in range(2):
        cached = environment(XDG_CACHE_HOME=str(tmp_path / "cache"))
        done = subprocess.run(command, env=cached, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        lines = done.stderr.splitlines()
        assert len(lines) == 1
        assert lines[0].startswith("pomp-clang: warning: MPI calls are not measured: ")
        assert lines[0].endswith("[pomp-mpi]")
    ran = subprocess.run([tmp_path / "a"], env=environment(), cwd=tmp_path)
    assert ran.returncode == 5
    assert (tmp_path / "pomp-a-1" / "profile.pomp").is_file()
