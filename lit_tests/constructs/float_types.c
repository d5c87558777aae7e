// Types of numbers that gcc has in C and clang has not: functions with them are measured.
// REQUIRES: gcc
// RUN: rm -rf %t && mkdir -p %t && cd %t
// RUN: %pomp --pomp-strict -- %gcc -fopenmp %s -o program
// RUN: env POMP_EXPERIMENT_DIR=%t/1 OMP_NUM_THREADS=2 ./program | FileCheck --check-prefix=OUT %s
// RUN: %pomp report --all 1 | FileCheck %s
#define _GNU_SOURCE
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
static _Float64 twice(_Float64 x) {
#pragma omp critical
  x *= 2;
  return x;
}
int main(void) {
  _Float64 sum = 0;
  _Float32x part = 1;
#pragma omp parallel for reduction(+ : sum)
  for (int i = 0; i < 8; i++)
    sum += twice((_Float64)i) + part;
#pragma omp parallel num_threads(2)
  {
    _Float128 local = 1;
    _Float64x other = local;
#pragma omp critical
    sum += (_Float64)(local + other);
  }
  printf("%.0f\n", (double)sum);
  return 0;
}
// OUT: 68
// CHECK-DAG: parallel for {{.*}}float_types.c:19-21 2
// CHECK-DAG: critical {{.*}}float_types.c:12-13 8
// CHECK-DAG: critical {{.*}}float_types.c:26-27 2
