// The barrier at a parallel region's end stays as it is, and members arrive with Parallel_end; other
// barriers are made explicit.  A library that is not ours gets the calls of the POMP paper.
// REQUIRES: clang, gcc
// RUN: %pomp rewrite --pomp-barriers=arrival %s -- %clang -fopenmp | sed -e '\,^ *//,d' | FileCheck %s
// RUN: %pomp rewrite --pomp-barriers=arrival %s -- %gcc -fopenmp | sed -e '\,^ *//,d' | FileCheck %s
// RUN: %pomp --pomp-strict --pomp-barriers=arrival -- %clang -fopenmp -Wall -Wextra -Werror -c %s -o %t.o
// RUN: %pomp --pomp-strict --pomp-barriers=arrival -- %gcc -fopenmp -Wall -Wextra -Werror -c %s -o %t.o
// RUN: rm -rf %t.kept && %pomp --pomp-library=log --pomp-keep=%t.kept -- %clang -fopenmp -c %s -o %t.o
// RUN: cat %t.kept/*/*.c | FileCheck --check-prefix=LOG %s
void f(int *a) {
#pragma omp parallel
  a[0]++;
#pragma omp parallel for
  for (int i = 0; i < 9; i++)
    a[i] = i;
#pragma omp parallel master
  a[0]++;
#pragma omp for
  for (int i = 0; i < 9; i++)
    a[i] = i;
}
// The descriptors' flags: 64 for regions whose members arrive.
// CHECK: "parallel", {{.*}}, sizeof(struct __pomp_descriptor), 64, {{.*}} "parallel for", {{.*}}, 64, {{.*}} "parallel master", {{.*}}, 64, {{.*}} "for", {{.*}}, 0,
// CHECK: POMP_Parallel_begin([[A:__pomp_rd1\(\)]]);
// CHECK-NEXT: a[0]++; ; POMP_Parallel_end([[A]]); } POMP_Parallel_join([[A]]); }
// CHECK-NEXT: POMP_For_enter([[B:__pomp_rd2\(\)]]); _Pragma("omp for nowait")
// CHECK: POMP_For_exit([[B]]); } POMP_Parallel_end([[B]]); } POMP_Parallel_join([[B]]); }
// CHECK: POMP_Parallel_end([[C:__pomp_rd3\(\)]]); } POMP_Parallel_join([[C]]); }
// CHECK-NEXT: POMP_For_enter([[D:__pomp_rd4\(\)]]); _Pragma("omp for nowait")
// CHECK: POMP_Barrier_enter([[D]]); _Pragma("omp barrier") POMP_Barrier_exit([[D]]); POMP_For_exit([[D]]); }
// LOG: POMP_Barrier_enter([[A:__pomp_rd1\(\)]]); {{.*}} POMP_Parallel_end([[A]])
