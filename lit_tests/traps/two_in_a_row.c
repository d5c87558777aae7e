// Two directives in a row: the outer block is the inner construct with its own insertions; a loop
// directive stays next to its loop.
// REQUIRES: clang, gcc
// RUN: %rewrite_c | FileCheck %s
// RUN: %pomp --pomp-strict -- %clang -fopenmp -Wall -Wextra -Werror -DUNROLL -c %s -o %t.o
// RUN: %pomp --pomp-strict -- %gcc -fopenmp -Wall -Wextra -Werror -c %s -o %t.o
void f(int *a) {
#pragma omp parallel
#pragma omp for
  for (int i = 0; i < 9; i++)
    a[i] = i;
#pragma omp parallel
#pragma omp single
  {
    a[0] = 1;
  }
}
#ifdef UNROLL
void g(int *a) {
#pragma omp for
#pragma omp unroll partial(2)
  for (int i = 0; i < 9; i++)
    a[i] = i;
}
#endif
// CHECK: _Pragma("omp parallel firstprivate(__pomp_team1)") { POMP_Set_team(__pomp_team1); POMP_Parallel_begin(__pomp_rd1());
// CHECK-NEXT: { POMP_For_enter(__pomp_rd2()); _Pragma("omp for nowait")
// CHECK-NEXT: for (int i = 0; i < 9; i++)
// CHECK-NEXT: a[i] = i; ; POMP_Barrier_enter(__pomp_rd2()); {{.*}} POMP_For_exit(__pomp_rd2()); } ; POMP_Barrier_enter(__pomp_rd1());
// CHECK: POMP_Single_end(__pomp_rd4()); } {{.*}} POMP_Single_exit(__pomp_rd4()); } POMP_Barrier_enter(__pomp_rd3());
