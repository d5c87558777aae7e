"""Prices measured on this machine: a small program, built by a compiler of the run's OpenMP runtime; and the
price of an atomic update.

One thread alone gives the price without contention. All processors together, eight at most, update
one variable, which gives the time in which no other thread can."""

from __future__ import annotations

import os
import tempfile

from pomp_clang.driver import DriverError
from pomp_clang.driver.compiler.installed import NEWEST, OLDEST
from pomp_clang.driver.process.programs import which
from pomp_clang.driver.process.run import query
from pomp_clang.shared_dataclass import dataclass

_CLANG = ("clang", *(f"clang-{number}" for number in range(NEWEST, OLDEST - 1, -1)))
_COMPILERS = {"libgomp": ("gcc", "cc"), "libomp": _CLANG}


def measured_costs(runtime: str, source: bytes) -> tuple[float, ...] | None:
    """Return the numbers that a C program prints with the OpenMP runtime "libgomp" or "libomp"; None
    if no compiler for it is here."""
    for compiler in filter(which, _COMPILERS.get(runtime, ())):
        try:
            return _printed(compiler, source)
        except (DriverError, ValueError):
            continue
    return None


def _printed(compiler: str, source: bytes) -> tuple[float, ...]:
    """Compile and run the program.  Raises DriverError or ValueError if that fails."""
    with tempfile.TemporaryDirectory(prefix="pomp-clang-") as folder:
        program = os.path.join(folder, "cost")
        command = [compiler, "-fopenmp", "-O2", "-x", "c", "-", "-o", program]
        if query(command, stdin=source).status:
            raise ValueError(compiler)
        return tuple(map(float, query([program], timeout=20).stdout.split()))


_SOURCE = rb"""
#include <omp.h>
#include <stdio.h>
static double sum;
static double each(int threads, int number) {
  double best = 1;
  for (int turn = 0; turn < 9; turn++) {
    double begin = omp_get_wtime();
#pragma omp parallel num_threads(threads)
    for (int i = 0; i < number; i++) {
#pragma omp atomic
      sum += i;
    }
    double took = (omp_get_wtime() - begin) / number / threads;
    best = took < best ? took : best;
  }
  return best;
}
int main(void) {
  int threads = omp_get_num_procs() < 8 ? omp_get_num_procs() : 8;
  omp_set_dynamic(0);
  each(threads, 1000);
  double own = each(1, 50000);
  double serial = threads > 1 ? each(threads, 50000) : own;
  printf("%.12f %.12f\n", own, serial);
  return 0;
}
"""


@dataclass(frozen=True, slots=True)
class AtomicCost:
    """Seconds for each update: `own` without contention, `serial` in which no other thread updates.
    `measured` is False if the values are assumed."""

    own: float
    serial: float
    measured: bool = True


ASSUMED = AtomicCost(1e-8, 4e-8, measured=False)


def measure_atomic_cost(runtime: str) -> AtomicCost:
    """Return the price with the OpenMP runtime "libgomp" or "libomp"; `ASSUMED` if no compiler for
    it is here."""
    costs = measured_costs(runtime, _SOURCE)
    return AtomicCost(*costs) if costs is not None and len(costs) == 2 else ASSUMED
