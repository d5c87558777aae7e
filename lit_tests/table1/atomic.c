// Atomic: no call may stand inside (POMP paper, Table 1).
// REQUIRES: clang, gcc
// RUN: %rewrite_c | FileCheck %s
// RUN: %pomp --pomp-strict -- %clang -fopenmp -Wall -Wextra -Werror -c %s -o %t.o
// RUN: %pomp --pomp-strict -- %gcc -fopenmp -Wall -Wextra -Werror -c %s -o %t.o
void f(int *a, int *v) {
#pragma omp atomic
  a[0]++;
#pragma omp atomic capture
  { *v = a[0]; a[0]++; }
}
// CHECK: { POMP_Atomic_enter([[D:__pomp_rd1\(\)]]); _Pragma("omp atomic")
// CHECK-NEXT: a[0]++; ; POMP_Atomic_exit([[D]]); }
// CHECK-NEXT: { POMP_Atomic_enter([[E:__pomp_rd2\(\)]]); _Pragma("omp atomic capture")
// CHECK-NEXT: { *v = a[0]; a[0]++; } POMP_Atomic_exit([[E]]); }
