"""A project in Fortran, C and C++ with modules, built with CMake, Meson and Autotools."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.builds.harness import CLANG, GCC, counts, execute, needs

FORTRAN = Path(__file__).parent / "fortran"
OUTPUT = "5 110.0\n"
REGIONS = {
    ("grid.F90", "parallel do"): 2,
    ("solver.f90", "parallel"): 2,
    ("solver.f90", "do"): 2,
    ("old.f", "parallel"): 2,
    ("old.f", "atomic"): 2,
    ("part.c", "parallel"): 2,
    ("part.c", "critical"): 2,
    ("more.cpp", "parallel"): 2,
    ("more.cpp", "single"): 2,
}
FLANG = next(filter(shutil.which, ("flang-19", "flang-new-19", "flang")), None)
INSTRUMENT = ("find_package(PompClang REQUIRED)", "pomp_instrument(kernels flow)")


@pytest.fixture
def project(tmp_path: Path) -> Path:
    needs("gfortran")
    return Path(shutil.copytree(FORTRAN, tmp_path / "project"))


def configure(project: Path, generator: str, fortran: str | None, *options: str) -> Path:
    """Configure a build folder with the C compilers of the same kind, and return it."""
    needs("cmake", "make" if generator == "Unix Makefiles" else "ninja")
    if not fortran:
        pytest.skip("the compiler is not here")
    compilers = GCC if "gfortran" in fortran else CLANG
    names = zip(("Fortran", "C", "CXX"), (fortran, *compilers), strict=True)
    chosen = [f"-DCMAKE_{language}_COMPILER={name}" for language, name in names]
    build = project / "build"
    execute(["cmake", "-G", generator, "-S", project, "-B", build, *chosen, *options], project)
    return build


def check(program: Path, regions: dict[tuple[str, str], int]) -> None:
    assert execute([program], program.parent).stdout == OUTPUT
    assert counts(program.parent / f"pomp-{program.name}-1") == regions


@pytest.mark.parametrize(
    ("generator", "fortran"), [("Ninja", "gfortran"), ("Unix Makefiles", FLANG)]
)
def test_toolchain_file(project: Path, generator: str, fortran: str | None) -> None:
    folder = execute(["pomp-clang", "--cmake-dir"], project).stdout.strip()
    toolchain = f"-DCMAKE_TOOLCHAIN_FILE={folder}/PompToolchain.cmake"
    build = configure(project, generator, fortran, toolchain)
    assert "compiled untouched" not in execute(["cmake", "--build", build], project).stderr
    check(build / "flow", REGIONS)
    assert execute([build / "cflow"], build).stdout == "4\n"  # linked by the C compiler
    assert counts(build / "pomp-cflow-1")["old.f", "parallel"] == 2


@pytest.mark.parametrize(
    ("generator", "fortran"), [("Ninja", FLANG), ("Unix Makefiles", "gfortran")]
)
def test_a_changed_module_makes_its_users_anew(
    project: Path, generator: str, fortran: str | None
) -> None:
    with open(project / "CMakeLists.txt", "a") as file:
        file.write("\n".join(INSTRUMENT) + "\n")
    build = configure(project, generator, fortran)
    execute(["cmake", "--build", build], project)
    in_c = ("part.c", "more.cpp")
    fortran_regions = {key: number for key, number in REGIONS.items() if key[0] not in in_c}
    check(build / "flow", fortran_regions)
    solver = project / "solver.f90"
    solver.write_text(solver.read_text().replace("integer :: i", "integer :: i, unused"))
    solver.write_text(solver.read_text().replace("  implicit none", "  integer :: new = 1", 1))
    again = execute(["cmake", "--build", build], project).stdout
    assert "grid.F90" in again and "old.f" not in again


def test_meson(project: Path) -> None:
    needs("meson", "ninja")
    compilers = {"FC": "pomp-fc", "CC": "pomp-cc", "CXX": "pomp-c++"}
    execute(["meson", "setup", "build"], project, 0, **compilers)
    execute(["meson", "compile", "-C", "build"], project)
    check(project / "build" / "flow", REGIONS)


def test_autotools(project: Path) -> None:
    needs("autoreconf", "automake", "make")
    execute(["autoreconf", "--install"], project)
    compilers = ["FC=pomp-fc", "F77=pomp-fc", "CC=pomp-cc", "CXX=pomp-c++"]
    execute(["./configure", *compilers], project)
    execute(["make"], project)
    check(project / "flow", REGIONS)
