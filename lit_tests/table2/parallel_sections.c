// parallel sections is unfolded (POMP paper, Table 2).
// REQUIRES: clang, gcc
// RUN: %rewrite_c | FileCheck %s
// RUN: %pomp --pomp-strict -- %clang -fopenmp -Wall -Wextra -Werror -c %s -o %t.o
// RUN: %pomp --pomp-strict -- %gcc -fopenmp -Wall -Wextra -Werror -c %s -o %t.o
void f(int *a, int k) {
#pragma omp parallel sections firstprivate(k) num_threads(2)
  {
#pragma omp section
    a[0] = k;
#pragma omp section
    a[1] = k;
  }
}
// CHECK: "parallel sections", 0, 2, "{{.*}}parallel_sections.c", 7, 7, 13, 13,
// CHECK: POMP_Parallel_fork([[D:__pomp_rd1\(\)]])
// CHECK-SAME: _Pragma("omp parallel num_threads(2) firstprivate(__pomp_team1)") {
// CHECK-SAME: POMP_Parallel_begin([[D]]); { POMP_Sections_enter([[D]]); _Pragma("omp sections firstprivate(k) nowait")
// CHECK: _Pragma("omp section") { POMP_Section_begin([[D]]);
// CHECK: POMP_Section_end([[D]]); } _Pragma("omp section") { POMP_Section_begin([[D]]);
// CHECK: POMP_Section_end([[D]]); } } POMP_Barrier_enter([[D]]); if (POMP_Team_size() > 1) { _Pragma("omp barrier") } POMP_Barrier_exit([[D]]); POMP_Sections_exit([[D]]); }
// CHECK-SAME: POMP_Parallel_end([[D]]); } POMP_Parallel_join([[D]]); }
