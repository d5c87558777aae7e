// Code that only gcc accepts, outside functions and inside one: libclang reports errors, and
// constructs that the text confirms are measured nevertheless.
// REQUIRES: gcc
// RUN: %pomp -- %gcc -fopenmp -Wall -Wextra -Werror %s -o %t.exe 2>%t.err
// RUN: cmp %t.err /dev/null
// RUN: env OMP_NUM_THREADS=2 POMP_EXPERIMENT_DIR=%t.dir %t.exe | FileCheck %s
// RUN: %pomp report --all %t.dir | FileCheck --check-prefix=REPORT %s
#include <stdio.h>
extern int weak(void);
enum { WEAK = __builtin_has_attribute(weak, weak) };
static int twice(int n) {
  int sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (int i = 0; i < n; i++) {
    sum += 2;
#pragma omp atomic
    sum += WEAK;
  }
  return sum;
}
int main(void) {
  int n = 0;
#pragma omp parallel if (__builtin_has_attribute(weak, weak))
#pragma omp critical
  n += 1;
#pragma omp single
  n += __builtin_has_attribute(weak, weak);
  printf("%d %d\n", twice(10), n);
}
// CHECK: 20 1
// REPORT: 5 regions: 1 atomic, 1 critical, 1 parallel, 1 parallel for, 1 single
