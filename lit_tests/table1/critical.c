// Critical, named and unnamed (POMP paper, Table 1).
// REQUIRES: clang, gcc
// RUN: %rewrite_c | FileCheck %s
// RUN: %pomp --pomp-strict -- %clang -fopenmp -Wall -Wextra -Werror -c %s -o %t.o
// RUN: %pomp --pomp-strict -- %gcc -fopenmp -Wall -Wextra -Werror -c %s -o %t.o
void f(int *a) {
#pragma omp critical
  { a[0]++; }
#pragma omp critical(name)
  { a[0]++; }
}
// CHECK: { "critical", "name", 0, "{{.*}}critical.c", 9, 9, 10, 10, 0, 0,
// CHECK: { POMP_Critical_enter([[D:__pomp_rd1\(\)]]); _Pragma("omp critical") { POMP_Critical_begin([[D]]);
// CHECK-NEXT: { a[0]++; } POMP_Critical_end([[D]]); } POMP_Critical_exit([[D]]); }
// CHECK-NEXT: { POMP_Critical_enter([[E:__pomp_rd2\(\)]]); _Pragma("omp critical (name)") { POMP_Critical_begin([[E]]);
// CHECK-NEXT: { a[0]++; } POMP_Critical_end([[E]]); } POMP_Critical_exit([[E]]); }
