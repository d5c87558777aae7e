"""The directives that the benchmark of Fortran corpora counts in a source."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.benchmark.fortran_unit_builds import FortranBuild, directive_places, preprocessed

FLANG = next(filter(shutil.which, ("flang-19", "flang-new-19", "flang")), "")

NEWER = """\
#if _OPENMP >= 200711
!$omp atomic write
#else
!$omp critical
#endif
x = 1
#if _OPENMP < 200711
!$omp end critical
#endif
end
"""


def counted(compiler: str, folder: Path) -> set[tuple[str, int]]:
    source = folder / "version.F90"
    source.write_text(NEWER)
    build = FortranBuild(compiler, (), folder / "scratch", together=True, seconds=20)
    return directive_places(preprocessed(build, source), str(source), fixed=False)


@pytest.mark.skipif(not shutil.which("gfortran"), reason="gfortran")
def test_directives_are_those_of_gfortrans_openmp_version(tmp_path: Path) -> None:
    assert counted("gfortran", tmp_path) == {("version.F90", 2)}


@pytest.mark.skipif(not (FLANG and shutil.which("gfortran")), reason="flang and gfortran")
def test_directives_are_those_of_flangs_openmp_version(tmp_path: Path) -> None:
    assert counted(FLANG, tmp_path) == {("version.F90", 4)}
