// Single (POMP paper, Table 1).
// REQUIRES: clang, gcc
// RUN: %rewrite_c | FileCheck %s
// RUN: %pomp --pomp-strict -- %clang -fopenmp -Wall -Wextra -Werror -c %s -o %t.o
// RUN: %pomp --pomp-strict -- %gcc -fopenmp -Wall -Wextra -Werror -c %s -o %t.o
void f(int *a) {
#pragma omp single
  a[0]++;
}
// CHECK: { POMP_Single_enter([[D:__pomp_rd1\(\)]]); _Pragma("omp single nowait") { POMP_Single_begin([[D]]);
// CHECK-NEXT: a[0]++; ; POMP_Single_end([[D]]); }
// CHECK-SAME: POMP_Barrier_enter([[D]]); _Pragma("omp barrier") POMP_Barrier_exit([[D]]); POMP_Single_exit([[D]]); }
