// _Pragma in the text is a construct like #pragma.
// REQUIRES: clang, gcc
// RUN: %rewrite_c | FileCheck %s
// RUN: %pomp --pomp-strict -- %clang -fopenmp -Wall -Wextra -Werror -Wno-unknown-pragmas -c %s -o %t.o
// RUN: %pomp --pomp-strict -- %gcc -fopenmp -Wall -Wextra -Werror -Wno-unknown-pragmas -c %s -o %t.o
void f(int *a) {
  if (*a) _Pragma("omp critical (name)") a[0]++;
}
// CHECK: if (*a) { POMP_Critical_enter(__pomp_rd1()); _Pragma("omp critical (name)") { POMP_Critical_begin(__pomp_rd1()); a[0]++; ; POMP_Critical_end(__pomp_rd1()); } POMP_Critical_exit(__pomp_rd1()); }
