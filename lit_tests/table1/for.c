// A worksharing loop: nowait is added, its barrier is made explicit (POMP paper, Table 1).
// REQUIRES: clang, gcc
// RUN: %rewrite_c | FileCheck %s
// RUN: %pomp --pomp-strict -- %clang -fopenmp -Wall -Wextra -Werror -c %s -o %t.o
// RUN: %pomp --pomp-strict -- %gcc -fopenmp -Wall -Wextra -Werror -c %s -o %t.o
void f(int *a) {
#pragma omp for schedule(static, 2)
  for (int i = 0; i < 9; i++)
    a[i] = i;
#pragma omp for nowait
  for (int i = 0; i < 9; i++)
    a[i] = i;
}
// CHECK: { POMP_For_enter([[D:__pomp_rd1\(\)]]); _Pragma("omp for schedule(static, 2) nowait")
// CHECK-NEXT: {{^}}  for (int i = 0; i < 9; i++)
// CHECK-NEXT: a[i] = i; ; POMP_Barrier_enter([[D]]); _Pragma("omp barrier") POMP_Barrier_exit([[D]]); POMP_For_exit([[D]]); }
// CHECK-NEXT: { POMP_For_enter([[E:__pomp_rd2\(\)]]); _Pragma("omp for nowait")
// CHECK-NEXT: for
// CHECK-NOT: POMP_Barrier
// CHECK: POMP_For_exit([[E]]); }
