"""Which commands are an MPI's compiler, and what happens where its functions cannot be built."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from pomp_clang.driver.runtime.mpi_archive import fortran_wrapper, is_wrapper, links_fortran
from tests.compilers import first
from tests.mpi.harness import environment


@pytest.mark.parametrize(
    "name",
    [
        *("mpicc", "/usr/bin/mpicc.mpich", "mpic++.openmpi", "mpicxx", "mpiCC", "mpiicc"),
        *("mpicc-4.0", "mpifort", "mpif90.openmpi"),
    ],
)
def test_wrappers(name: str) -> None:
    assert is_wrapper(name)


@pytest.mark.parametrize("name", ["gcc", "mpiexec", "mpirun", "mpicheck", "/mpicc/cc"])
def test_no_wrappers(name: str) -> None:
    assert not is_wrapper(name)


@pytest.mark.parametrize("name", ["-lmpi_mpifh", "-lmpichfort", "/usr/lib/libmpi_usempif08.so.40"])
def test_a_link_by_the_wrapper_for_c_may_have_procedures_for_fortran(name: str) -> None:
    assert links_fortran(["main.o", name])
    assert not links_fortran(["main.o", "-lmpi", "-lmpich", "/mpi_mpifh/libmpi.so", "-lgfortran"])


def test_the_wrapper_for_fortran_is_beside_that_for_c() -> None:
    assert fortran_wrapper("/opt/bin/mpicxx.openmpi") == "/opt/bin/mpif90.openmpi"
    assert fortran_wrapper("mpic++") == "mpif90"


def test_without_an_mpi_the_program_is_linked_and_told_of(tmp_path: Path) -> None:
    compiler = first("gcc", "clang-19", "clang")
    assert compiler
    wrapper = tmp_path / "mpicc"
    wrapper.write_text(f'#!/bin/sh\nexec {compiler} -nostdinc "$@"\n')
    wrapper.chmod(0o755)
    source = tmp_path / "a.c"
    source.write_text("int main(void) {\n#pragma omp parallel\n  {\n  }\n  return 5;\n}\n")
    command: list[str | Path] = [
        "pomp-clang",
        "--",
        wrapper,
        "-fopenmp",
        source,
        "-o",
        tmp_path / "a",
    ]
    for _ in range(2):
        cached = environment(XDG_CACHE_HOME=str(tmp_path / "cache"))
        result = subprocess.run(command, env=cached, capture_output=True, text=True)
        assert result.returncode == 0, result.stderr
        lines = result.stderr.splitlines()
        assert len(lines) == 1
        assert lines[0].startswith("pomp-clang: warning: MPI calls are not measured: ")
        assert lines[0].endswith("[pomp-mpi]")
    completed = subprocess.run([tmp_path / "a"], env=environment(), cwd=tmp_path)
    assert completed.returncode == 5
    assert (tmp_path / "pomp-a-1" / "profile.pomp").is_file()
