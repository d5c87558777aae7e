// A header that has a directive alone: its statement stands behind the include (as in Quicksilver).
// The construct is left as it is, and named.  The report does not take its threads for idle.
// REQUIRES: clang, gcc
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: not %pomp --pomp-strict -- %clang -fopenmp -c %s -o strict.o 2>strict.txt
// RUN: FileCheck --input-file=strict.txt %s
// RUN: %pomp -- %clang -fopenmp %s -o by_clang && %pomp -- %gcc -fopenmp %s -o by_gcc
// RUN: env OMP_NUM_THREADS=2 POMP_EXPERIMENT_DIR=clang ./by_clang
// RUN: %pomp report clang | FileCheck --check-prefix=REPORT %s
// RUN: env OMP_NUM_THREADS=2 POMP_EXPERIMENT_DIR=gcc ./by_gcc
// RUN: %pomp report gcc | FileCheck --check-prefix=REPORT %s
// CHECK: shared_loop.h:1: {{.*}}'parallel for' is not measured: its statement is not in this file [pomp-block]
// REPORT: 1 thread ran constructs outside measured parallel regions; other work there counts as idle.
// REPORT-NOT: Idle threads
static long sum;
int main(void) {
#include "Inputs/shared_loop.h"
  for (int i = 0; i < 100000; i++) {
#pragma omp atomic
    sum += i;
  }
  return sum != 4999950000;
}
