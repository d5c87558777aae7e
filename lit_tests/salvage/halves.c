/*
If errors lie outside all constructs, bisection finds the constructs to leave out; it also finds
constructs that only the linker rejects.
REQUIRES: clang, gcc
RUN: %pomp --pomp-library=log -- %clang -DPOMP_Atomic_enter=1 -fopenmp %s -o %t.clang 2>%t.err && FileCheck %s --check-prefix=SAID <%t.err
RUN: env OMP_NUM_THREADS=2 POMP_LOG=count %t.clang >%t.out 2>%t.log && FileCheck %s --check-prefix=COUNTS <%t.log
RUN: %pomp --pomp-library=log -- %gcc -DPOMP_Atomic_enter=1 -fopenmp %s -o %t.gcc 2>%t.err && FileCheck %s --check-prefix=SAID <%t.err
RUN: env OMP_NUM_THREADS=2 POMP_LOG=count %t.gcc >%t.out 2>%t.log && FileCheck %s --check-prefix=COUNTS <%t.log
RUN: %pomp --pomp-library=log -- %gcc -DPOMP_Atomic_enter=pomp_not_there -fopenmp %s -o %t.gcc 2>%t.err && FileCheck %s --check-prefix=SAID <%t.err
RUN: env OMP_NUM_THREADS=2 POMP_LOG=count %t.gcc >%t.out 2>%t.log && FileCheck %s --check-prefix=COUNTS <%t.log
RUN: %pomp -- %gcc -DPOMP_Register=1 -fopenmp %s -o %t.gcc 2>&1 | FileCheck %s --check-prefix=WHOLE
RUN: %t.gcc | FileCheck %s --check-prefix=RAN

SAID:     halves.c:30: warning: 'atomic' is not measured: the compiler does not take it instrumented: {{.*}} [pomp-rejected]
SAID:     halves.c:39: warning: 'atomic' is not measured: the compiler does not take it instrumented: {{.*}} [pomp-rejected]
SAID-NOT: warning:
WHOLE:     halves.c:1: warning: compiled untouched: {{.*}} [pomp-rejected]
WHOLE-NOT: warning:
RAN:       6

COUNTS: total Critical_enter 2
COUNTS: total Parallel_fork 2
COUNTS: total Single_enter 2
*/
#include <stdio.h>
int main(void) {
  int s = 0;
#pragma omp parallel num_threads(2)
  {
#pragma omp atomic
    s++;
#pragma omp critical
    s++;
  }
#pragma omp parallel num_threads(2)
  {
#pragma omp single
    s++;
#pragma omp atomic
    s++;
  }
  printf("%d\n", s - 1);
  return 0;
}
