// parallel for is unfolded, its clauses go where OpenMP sends them, one descriptor serves both
// (POMP paper, Table 2; OpenMP 5.2, section 17.2).
// REQUIRES: clang, gcc
// RUN: %rewrite_c | FileCheck %s
// RUN: %pomp --pomp-strict -- %clang -fopenmp -Wall -Wextra -Werror -c %s -o %t.o
// RUN: %pomp --pomp-strict -- %gcc -fopenmp -Wall -Wextra -Werror -c %s -o %t.o
int f(int *a, int n) {
  int s = 0, last = 0;
#pragma omp parallel for if(parallel : n > 1) num_threads(2) schedule(dynamic, 2) reduction(+ : s) lastprivate(last) default(shared)
  for (int i = 0; i < n; i++)
    s += last = a[i];
  return s + last;
}
// CHECK: POMP_Parallel_fork([[D:__pomp_rd1\(\)]])
// CHECK-SAME: _Pragma("omp parallel if(n > 1) num_threads(2) default(shared) firstprivate(__pomp_team1)") {
// CHECK-SAME: POMP_Parallel_begin([[D]]);
// CHECK-SAME: { POMP_For_enter([[D]]);
// CHECK-SAME: _Pragma("omp for schedule(dynamic, 2) reduction(+ : s) lastprivate(last) nowait")
// CHECK: s += last = a[i]; ; POMP_Barrier_enter([[D]]); if (POMP_Team_size() > 1) { _Pragma("omp barrier") } POMP_Barrier_exit([[D]]); POMP_For_exit([[D]]); }
// CHECK-SAME: POMP_Parallel_end([[D]]); } POMP_Parallel_join([[D]]); }
// CHECK-NOT: POMP_Barrier
