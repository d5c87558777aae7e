// Master has no enter and exit (POMP paper, Table 1).
// REQUIRES: clang, gcc
// RUN: %rewrite_c | FileCheck %s
// RUN: %pomp --pomp-strict -- %clang -fopenmp -Wall -Wextra -Werror -c %s -o %t.o
// RUN: %pomp --pomp-strict -- %gcc -fopenmp -Wall -Wextra -Werror -c %s -o %t.o
void f(int *a) {
#pragma omp master
  a[0]++;
}
// CHECK: { _Pragma("omp master") { POMP_Master_begin([[D:__pomp_rd1\(\)]]);
// CHECK-NEXT: a[0]++; ; POMP_Master_end([[D]]); } }
