// A macro in a clause decides where the clause goes; it is expanded before the split.
// REQUIRES: clang, gcc
// RUN: %rewrite_c | FileCheck %s
// RUN: %pomp --pomp-strict -- %clang -fopenmp -Wall -Wextra -Werror -Wno-unknown-pragmas -c %s -o %t.o
// RUN: %pomp --pomp-strict -- %gcc -fopenmp -Wall -Wextra -Werror -Wno-unknown-pragmas -c %s -o %t.o
#define SCHED schedule(dynamic, CHUNK(1))
#define CHUNK(n) ((n) * 2)
#define KIND for nowait
#define TEAM num_threads(2)
void f(int *a) {
#pragma omp parallel for SCHED TEAM
  for (int i = 0; i < 9; i++)
    a[i] = i;
#pragma omp KIND
  for (int i = 0; i < 9; i++)
    a[i] = i;
}
// CHECK: _Pragma("omp parallel num_threads(2) firstprivate(__pomp_team1)")
// CHECK-SAME: _Pragma("omp for schedule(dynamic,((1)*2)) nowait")
// CHECK: _Pragma("omp for nowait")
// CHECK-NOT: POMP_Barrier
