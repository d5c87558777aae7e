"""The scanner against OPARI2, on programs that OPARI2 takes: the same constructs and lines."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.frontend.fortran.opari2_regions import Region, instrumented
from tests.frontend.fortran.texts import FIXED, FREE, found_in

TABLES = Path(__file__).parents[3] / "lit_tests" / "fortran" / "Inputs" / "tables.f90"
LOOPS = """\
      program loops
      integer i, j, n
      real x(10, 10)
      n = 0
c$omp parallel private(i, j)
c$omp+shared(x)
c$omp do
      do 20 i = 1, 10
        do 10 j = 1, 10
          x(i, j) = 0
10      continue
20    continue
c$omp end do nowait
c$omp workshare
      x = 2 * x
c$omp end workshare
c$omp ordered
      n = n + 1
c$omp end ordered
c$omp flush
c$omp end parallel
c$omp parallel do private(j)
      do i = 1, 10
        do j = 1, 10
          x(i, j) = x(i, j) + 1
        end do
      end do
c$omp end parallel do
c$omp parallel sections
      n = n + 1
c$omp section
c$omp atomic
      n = n + 1
c$omp end parallel sections
c$omp parallel workshare
      x = 2 * x
c$omp end parallel workshare
      end
"""
NESTED = """\
subroutine nested(x, n)
  integer :: n, i
  real :: x(n)
!$omp parallel &
!$omp   default(shared)
!$omp master
  x(1) = 0
!$omp end master
!$omp single
!$omp task
!$omp critical
  x(2) = 0
!$omp end critical
!$omp end task
!$omp taskwait
!$omp end single copyprivate(n)
!$omp barrier
  if (n > 3) then
!$omp do
     do i = 1, n
        x(i) = 1
     end do
  end if
!$omp end parallel
end subroutine
"""


@pytest.mark.parametrize(
    ("text", "fixed", "count"),
    [(TABLES.read_text(), False, 14), (LOOPS, True, 9), (NESTED, False, 8)],
)
def test_opari2_instruments_the_same_constructs(
    text: str, fixed: bool, count: int, tmp_path: Path
) -> None:
    if shutil.which("opari2") is None:
        pytest.skip("opari2 is not here")
    suffix = ".f" if fixed else ".f90"
    source = tmp_path / f"a{suffix}"
    source.write_text(text)
    opari2_regions = instrumented(source, tmp_path / f"made{suffix}", fixed)
    pomp_regions = _regions(text, fixed)
    assert opari2_regions is not None
    assert sorted(opari2_regions) == sorted(pomp_regions)
    assert len(pomp_regions) == count


def _regions(text: str, fixed: bool) -> list[Region]:
    constructs = found_in(text, FIXED if fixed else FREE).constructs
    line = constructs.source.line
    return [
        (item.kind.replace(" ", ""), line(item.begin.start), line(item.extent.end - 1))
        for item in constructs.items
        if item.kind != "section"
    ]
