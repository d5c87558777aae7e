/*
Constructs that the compiler rejects when instrumented stay as they are, with a warning for each;
the others stay measured.
REQUIRES: clang, gcc
RUN: %pomp --pomp-library=log -- %clang -fopenmp %s -o %t.clang 2>%t.err && FileCheck %s --check-prefix=SAID <%t.err
RUN: env OMP_NUM_THREADS=2 POMP_LOG=count %t.clang >%t.out 2>%t.log && FileCheck %s --check-prefix=COUNTS <%t.log
RUN: %pomp --pomp-library=log -- %gcc -fopenmp %s -o %t.gcc 2>%t.err && FileCheck %s --check-prefix=SAID <%t.err
RUN: env OMP_NUM_THREADS=2 POMP_LOG=count %t.gcc >%t.out 2>%t.log && FileCheck %s --check-prefix=COUNTS <%t.log
RUN: not %pomp --pomp-strict -- %clang -fopenmp -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=STRICT
RUN: not test -e %t.o

SAID:      poison.c:[[# @LINE + 23]]: warning: 'critical' is not measured: the compiler does not take it instrumented: attempt to use {{.*}} [pomp-rejected]
SAID-NEXT: poison.c:[[# @LINE + 28]]: warning: 'parallel for' is not measured: the compiler does not take it instrumented: attempt to use {{.*}} [pomp-rejected]
SAID-NOT:  warning
STRICT:    poison.c:[[# @LINE + 20]]: error: 'critical' is not measured

COUNTS-DAG: poison.c:28 Parallel_fork 1
COUNTS-DAG: poison.c:30 Single_enter 2
COUNTS-DAG: poison.c:32 Critical_enter 2
COUNTS-DAG: poison.c:37 Atomic_enter 2
COUNTS-DAG: total Critical_enter 2
COUNTS-DAG: total Parallel_fork 1
*/
#include <stdio.h>

int main(void) {
  int s = 0, i;
#pragma omp parallel
  {
#pragma omp single
    s++;
#pragma omp critical
    s++;
#pragma GCC poison POMP_Critical_enter
#pragma omp critical
    s++;
#pragma omp atomic
    s++;
  }
#pragma GCC poison POMP_For_enter
#pragma omp parallel for reduction(+ : s)
  for (i = 0; i < 10; i++)
    s += i;
  printf("%d\n", s);
  return 0;
}
