// Barriers as compiled: no nowait is added to what stands alone, and no barrier put in.
// REQUIRES: clang
// RUN: %pomp rewrite --pomp-barriers=ompt %s -- %clang -fopenmp | sed -e '\,^ *//,d' | FileCheck %s
// RUN: %pomp --pomp-strict --pomp-barriers=ompt -- %clang -fopenmp -Wall -Wextra -Werror -c %s -o %t.o
void f(int *a) {
#pragma omp for
  for (int i = 0; i < 9; i++)
    a[i] = i;
#pragma omp sections
  {
    a[0]++;
  }
#pragma omp single
  a[0]++;
#pragma omp parallel
  a[0]++;
#pragma omp parallel for
  for (int i = 0; i < 9; i++)
    a[i] = i;
#pragma omp parallel master
  a[0]++;
#pragma omp barrier
#pragma omp for nowait
  for (int i = 0; i < 9; i++)
    a[i] = i;
}
// CHECK-NOT: POMP_Barrier_enter(__
// The descriptors' flags: 32 for what OMPT tells of, 2 for the loop with nowait.
// CHECK: "for", {{.*}}, sizeof(struct __pomp_descriptor), 32, {{.*}} "parallel master", {{.*}}, 32, {{.*}} "barrier", {{.*}}, 0, {{.*}} "for", {{.*}}, 2,
// CHECK: { POMP_For_enter([[A:__pomp_rd1\(\)]]); _Pragma("omp for")
// CHECK: ; POMP_For_exit([[A]]); }
// CHECK-NEXT: _Pragma("omp sections")
// CHECK: POMP_Sections_exit(
// CHECK-NEXT: { POMP_Single_enter([[C:__pomp_rd3\(\)]]); _Pragma("omp single") { POMP_Single_begin([[C]]);
// CHECK-NEXT: ; POMP_Single_end([[C]]); } POMP_Single_exit([[C]]); }
// CHECK-NEXT: POMP_Parallel_begin([[D:__pomp_rd4\(\)]]);
// CHECK-NEXT: ; POMP_Parallel_end([[D]]); } POMP_Parallel_join([[D]]); }
// CHECK-NEXT: POMP_For_enter([[E:__pomp_rd5\(\)]]); _Pragma("omp for nowait")
// CHECK: POMP_For_exit([[E]]); } POMP_Parallel_end([[E]]); } POMP_Parallel_join([[E]]); }
// CHECK: POMP_Parallel_end([[F:__pomp_rd6\(\)]]); } POMP_Parallel_join([[F]]); }
// CHECK-NEXT: { POMP_Barrier_enter([[G:__pomp_rd7\(\)]]); _Pragma("omp barrier") POMP_Barrier_exit([[G]]); }
// CHECK-NEXT: _Pragma("omp for nowait")
// CHECK-NOT: POMP_Barrier
