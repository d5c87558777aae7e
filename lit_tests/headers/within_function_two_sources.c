// Two sources of one command include a header within functions, once and twice: each inclusion has
// regions of its own.
// REQUIRES: clang, gcc
// RUN: rm -rf %t && mkdir -p %t && cd %t
// RUN: %pomp --pomp-strict -- %clang -fopenmp %S/Inputs/included_once.c %s -o program
// RUN: env POMP_EXPERIMENT_DIR=%t/1 ./program | FileCheck --check-prefix=OUT %s
// RUN: %pomp report --all 1 | FileCheck %s
// RUN: %pomp --pomp-strict -- %gcc -fopenmp %S/Inputs/included_once.c %s -o program
// RUN: env POMP_EXPERIMENT_DIR=%t/2 ./program | FileCheck --check-prefix=OUT %s
// RUN: %pomp report --all 2 | FileCheck %s
#include <stdio.h>
long once(void);
int main(void) {
  long sum = 0;
#include "Inputs/reduction.inc"
#include "Inputs/reduction.inc"
  printf("%ld %ld\n", sum, once());
  return 0;
}
// OUT: 20 10
// CHECK: 3 regions: 3 parallel for
// CHECK-DAG: parallel for {{.*}}reduction.inc:1-2 (from {{.*}}included_once.c:3) 2
// CHECK-DAG: parallel for {{.*}}reduction.inc:1-2 (from {{.*}}two_sources.c:15) 2
// CHECK-DAG: parallel for {{.*}}reduction.inc:1-2 (from {{.*}}two_sources.c:16) 2
