// Directives that are written as attributes, alone and in sequence, are constructs.
// REQUIRES: clang, gcc
// RUN: %pomp rewrite %s -- %clangxx -std=c++17 -fopenmp | sed -e '\,^ *//,d' | FileCheck %s
// RUN: %pomp --pomp-strict -- %clangxx -std=c++17 -fopenmp -Wall -Wextra -Werror -c %s -o %t.o
// RUN: %pomp --pomp-strict -- %gxx -std=c++17 -fopenmp -Wall -Wextra -Werror -c %s -o %t.o
void f(int *a) {
  [[omp::directive(parallel for, num_threads(2), schedule(static))]]
  for (int i = 0; i < 9; i++)
    a[i] = i;
  [[omp::sequence(directive(parallel), omp::directive(single))]]
  a[0]++;
  if (a[0]) [[using omp : directive(critical (x))]] { a[0]++; }
  [[omp::directive(barrier)]];
}
// CHECK: POMP_Parallel_fork([[D:__pomp_rd1\(\)]])
// CHECK-SAME: _Pragma("omp for schedule(static) nowait")
// CHECK: _Pragma("omp parallel firstprivate({{.*}} _Pragma("omp single nowait")
// CHECK-NEXT: a[0]++;
// CHECK-NEXT: if (a[0]) { POMP_Critical_enter({{.*}} _Pragma("omp critical (x)") { {{.*}} { a[0]++; } POMP_Critical_end
// CHECK-NEXT: _Pragma("omp barrier")
