// Combined constructs whose inner part ends without a barrier, scope, masked, and constructs
// measured from outside.
// REQUIRES: clang, gcc
// RUN: %pomp rewrite --pomp-barriers=explicit %s -- %gcc -fopenmp | sed -e '\,^ *//,d' | FileCheck %s
// RUN: %pomp --pomp-strict -- %gcc -fopenmp -Wall -Wextra -Werror -c %s -o %t.o
// RUN: %pomp --pomp-strict -- %clang -fopenmp -Wall -Wextra -Werror -DNO_SCOPE -c %s -o %t.o
void f(int *a) {
#pragma omp parallel masked num_threads(2) filter(1)
  a[0]++;
#pragma omp parallel master taskloop default(none) shared(a) num_threads(2) grainsize(2)
  for (int i = 0; i < 9; i++)
    a[i]++;
#pragma omp masked
  a[0]++;
#ifndef NO_SCOPE /* clang 19 has no code for it */
#pragma omp scope
  a[0]++;
#endif
#pragma omp simd
  for (int i = 0; i < 9; i++)
    a[i]++;
#pragma omp target data map(tofrom : a[0 : 9])
#pragma omp target teams distribute parallel for map(tofrom : a[0 : 9])
  for (int i = 0; i < 9; i++)
    a[i]++;
}
// CHECK: _Pragma("omp parallel num_threads(2) firstprivate(__pomp_team1)") { POMP_Set_team(__pomp_team1); POMP_Parallel_begin([[D:__pomp_rd1\(\)]]); _Pragma("omp masked filter(1)"){{ *$}}
// CHECK-NEXT: a[0]++; ; {{ *}}POMP_Barrier_enter([[D]]); _Pragma("omp barrier") POMP_Barrier_exit([[D]]); POMP_Parallel_end([[D]]); }
// CHECK-NEXT: _Pragma("omp parallel default(none) shared(a) num_threads(2) firstprivate({{.*}}_Pragma("omp master taskloop grainsize(2)")
// CHECK: { _Pragma("omp masked") { POMP_Masked_begin([[M:__pomp_rd3\(\)]]);
// CHECK-NEXT: a[0]++; ; POMP_Masked_end([[M]]); } }
// CHECK: POMP_Scope_enter([[S:__pomp_rd4\(\)]]); _Pragma("omp scope nowait") { POMP_Scope_begin([[S]]);
// CHECK-NEXT: a[0]++; ; POMP_Scope_end([[S]]); } POMP_Barrier_enter([[S]]); {{.*}} POMP_Scope_exit([[S]]); }
// CHECK: { POMP_Simd_enter({{.*}}); _Pragma("omp simd")
// CHECK: { POMP_Target_data_enter({{.*}}); _Pragma("omp target data map(tofrom : a[0 : 9])") { POMP_Target_data_begin({{.*}});
// CHECK-NEXT: { POMP_Target_enter({{.*}}); _Pragma("omp target teams distribute parallel for map(tofrom : a[0 : 9])")
