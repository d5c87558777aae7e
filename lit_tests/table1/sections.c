// Sections, the first of them without a directive of its own (POMP paper, Table 1).
// REQUIRES: clang, gcc
// RUN: %rewrite_c | FileCheck %s
// RUN: %pomp --pomp-strict -- %clang -fopenmp -Wall -Wextra -Werror -c %s -o %t.o
// RUN: %pomp --pomp-strict -- %gcc -fopenmp -Wall -Wextra -Werror -c %s -o %t.o
void f(int *a) {
#pragma omp sections
  {
    a[0] = 1;
#pragma omp section
    a[1] = 2;
#pragma omp section
    if (a[2])
      a[3] = 1;
    else
      a[4] = 1;
  }
}
// CHECK: { POMP_Sections_enter([[D:__pomp_rd1\(\)]]); _Pragma("omp sections nowait")
// CHECK-NEXT: { _Pragma("omp section") { POMP_Section_begin([[D]]);
// CHECK-NEXT: a[0] = 1;
// CHECK-NEXT: POMP_Section_end([[D]]); } _Pragma("omp section") { POMP_Section_begin([[D]]);
// CHECK-NEXT: a[1] = 2;
// CHECK-NEXT: POMP_Section_end([[D]]); } _Pragma("omp section") { POMP_Section_begin([[D]]);
// CHECK: a[4] = 1;
// CHECK-NEXT: POMP_Section_end([[D]]); } } POMP_Barrier_enter([[D]]); _Pragma("omp barrier") POMP_Barrier_exit([[D]]); POMP_Sections_exit([[D]]); }
