"""The cost of getting a chunk from the OpenMP runtime, measured on this machine.

A small program of the same OpenMP runtime hands out empty chunks. All processors together, eight at
most, give the time in which no other thread gets one. A thread that gets them alone gives the time
that a chunk takes its thread, which is no less than the former.
"""

from __future__ import annotations

from dataclasses import dataclass

from pomp_clang.analysis.measured_cost import measured_costs

_SOURCE = rb"""
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
static int compare(const void *a, const void *b) {
  return (*(double *)a > *(double *)b) - (*(double *)a < *(double *)b);
}
/* The lower quartile: chunks are too cheap where the threads do not run at once, and too dear where
 * they are interrupted. */
static double of_all(int threads, int number) {
  double times[15];
  for (int turn = 0; turn < 15; turn++) {
    double begin = omp_get_wtime();
#pragma omp parallel for num_threads(threads) schedule(dynamic, 1)
    for (int i = 0; i < number; i++)
      __asm__ volatile("" : : "r"(i) : "memory");
    times[turn] = (omp_get_wtime() - begin) / number;
  }
  qsort(times, 15, sizeof *times, compare);
  return times[3];
}
/* Of two threads the second keeps its first chunk until the first has had all others. */
static double of_one(int number) {
  double best = 1;
  for (int turn = 0; turn < 9; turn++) {
    int over = 0;
    double begin = 0, one = 1;
#pragma omp parallel num_threads(2)
    {
      int had = 0;
      if (omp_get_thread_num() == 0)
        begin = omp_get_wtime();
#pragma omp for schedule(dynamic, 1) nowait
      for (int i = 0; i <= number; i++) {
        if (omp_get_thread_num() == 0) {
          if (++had == number)
            __atomic_store_n(&over, 1, __ATOMIC_RELEASE);
        } else {
          while (!__atomic_load_n(&over, __ATOMIC_ACQUIRE))
            ;
        }
      }
      if (omp_get_thread_num() == 0)
        one = (omp_get_wtime() - begin) / number;
    }
    best = one < best ? one : best;
  }
  return best;
}
int main(void) {
  int threads = omp_get_num_procs() < 8 ? omp_get_num_procs() : 8;
  omp_set_dynamic(0);
  of_all(threads, 1000);
  double serial = threads > 1 ? of_all(threads, 20000) : 0;
  double own = threads > 1 ? of_one(20000) : of_all(1, 20000);
  printf("%.12f %.12f\n", own > serial ? own : serial, serial);
  return 0;
}
"""


@dataclass(frozen=True, slots=True)
class ChunkCost:
    """Seconds for each chunk: `own` for the thread that gets it, `serial` in which no other thread
    gets one. `measured` is False if the values are assumed."""

    own: float
    serial: float
    measured: bool = True


ASSUMED = ChunkCost(5e-8, 5e-8, measured=False)


def measure_chunk_cost(runtime: str) -> ChunkCost:
    """Return the cost with the OpenMP runtime "libgomp" or "libomp"; `ASSUMED` if no compiler for it
    is here."""
    costs = measured_costs(runtime, _SOURCE)
    return ChunkCost(*costs) if costs is not None and len(costs) == 2 else ASSUMED
