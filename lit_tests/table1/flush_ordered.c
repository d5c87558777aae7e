// Flush and ordered: the POMP paper's open issue (section 3.10), answered.
// REQUIRES: clang, gcc
// RUN: %rewrite_c | FileCheck %s
// RUN: %pomp --pomp-strict -- %clang -fopenmp -Wall -Wextra -Werror -c %s -o %t.o
// RUN: %pomp --pomp-strict -- %gcc -fopenmp -Wall -Wextra -Werror -c %s -o %t.o
void f(int *a) {
#pragma omp flush(a)
#pragma omp for ordered
  for (int i = 0; i < 9; i++)
#pragma omp ordered
    a[i] = i;
#pragma omp for ordered(1)
  for (int i = 1; i < 9; i++) {
#pragma omp ordered depend(sink : i - 1)
    a[i] = a[i - 1];
#pragma omp ordered depend(source)
  }
}
// CHECK: { POMP_Flush_enter([[D:__pomp_rd1\(\)]]); _Pragma("omp flush (a)") POMP_Flush_exit([[D]]); }
// CHECK: { POMP_Ordered_enter([[E:__pomp_rd3\(\)]]); _Pragma("omp ordered") { POMP_Ordered_begin([[E]]);
// CHECK-NEXT: a[i] = i; ; POMP_Ordered_end([[E]]); } POMP_Ordered_exit([[E]]); }
// CHECK: { POMP_Ordered_enter([[S:__pomp_rd5\(\)]]); _Pragma("omp ordered depend(sink : i - 1)") POMP_Ordered_exit([[S]]); }
// CHECK: { POMP_Ordered_enter([[T:__pomp_rd6\(\)]]); _Pragma("omp ordered depend(source)") POMP_Ordered_exit([[T]]); }
