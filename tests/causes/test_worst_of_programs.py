"""A program of which one wait among many is long: that is found, and when it was."""

from __future__ import annotations

from pathlib import Path

import pytest

from pomp_clang.causes.cube.cube import compute
from pomp_clang.causes.cube.instance_statistics_compute import instance_tables_of
from pomp_clang.causes.properties import openmp
from pomp_clang.causes.properties.registry import properties
from tests.causes.programs.measured import build, traced
from tests.compilers import links_openmp

PROGRAM = r"""
#include <omp.h>
#include <stdio.h>
#include <time.h>
static double naps(double seconds) {
  double since = omp_get_wtime();
  struct timespec t = {0, (long)(seconds * 1e9)};
  nanosleep(&t, NULL);
  return omp_get_wtime() - since;
}
int main(void) {
  double began = omp_get_wtime(), when = 0, took = 0;
  #pragma omp parallel num_threads(2)
  for (int turn = 0; turn < 200; turn++) {
    if (omp_get_thread_num() == 1 && turn == 137) {
      when = omp_get_wtime() - began;
      took = naps(0.3);
    } else
      naps(0.001);
    #pragma omp barrier
  }
  printf("%.9f %.9f\n", when, took);
  return 0;
}
"""


@pytest.mark.parametrize("compiler", ["clang-19", "gcc"])
def test_the_long_wait_is_found_when_it_was(compiler: str, tmp_path: Path) -> None:
    """The program begins within milliseconds of its measurement."""
    if not links_openmp(compiler):
        pytest.skip(f"{compiler} with its OpenMP runtime is not here")
    build(compiler, PROGRAM, tmp_path)
    text, run = traced(tmp_path)
    moment, seconds = map(float, text.split())
    kinds = properties()
    tally = instance_tables_of(run, kinds, compute(run, kinds))
    row = kinds.index(openmp.ExplicitWait)
    worst = tally.worst_of(run.threads, row)[0]
    statistics = tally.statistics(row)
    assert statistics is not None and 150 <= statistics.count <= 2 * 200
    assert worst.severity == statistics.most == pytest.approx(seconds, rel=0.05)
    assert statistics.median < 0.05 * seconds
    assert worst.thread == 0 and worst.begin == pytest.approx(moment, abs=0.05)
    assert run.paths[worst.path].kind == "barrier"
