// A parallel region: POMP paper, Table 1.
// REQUIRES: clang, gcc
// RUN: %rewrite_c | FileCheck %s
// RUN: %pomp --pomp-strict -- %clang -fopenmp -Wall -Wextra -Werror -c %s -o %t.o
// RUN: %pomp --pomp-strict -- %gcc -fopenmp -Wall -Wextra -Werror -c %s -o %t.o
int n;
void f(void) {
#pragma omp parallel num_threads(2) shared(n)
  { n = 1; }
}
// CHECK: void f(void) {
// CHECK-NEXT: POMP_Parallel_fork([[D:__pomp_rd1\(\)]])
// CHECK-SAME: _Pragma("omp parallel num_threads(2) shared(n) firstprivate([[TEAM:__pomp_team1]])") {
// CHECK-SAME: POMP_Set_team([[TEAM]]); POMP_Parallel_begin([[D]]);
// CHECK-NEXT: {{^}}  { n = 1; } POMP_Barrier_enter([[D]]); if (POMP_Team_size() > 1) { _Pragma("omp barrier") } POMP_Barrier_exit([[D]]);
// CHECK-SAME: POMP_Parallel_end([[D]]); } POMP_Parallel_join([[D]]); }
// CHECK-NEXT: {{^}}}
