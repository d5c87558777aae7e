// Barriers are made explicit where the OpenMP runtime would not report them.
// REQUIRES: clang, gcc
// RUN: %pomp rewrite --pomp-barriers=ompt %s -- %gcc -fopenmp | sed -e '\,^ *//,d' | FileCheck %s
// RUN: %pomp rewrite --pomp-barriers=ompt %s -- %clang -fopenmp -fsanitize=undefined,thread | sed -e '\,^ *//,d' | FileCheck %s
// RUN: not %pomp --pomp-barriers=both -- %clang -fopenmp -c %s 2>&1 | FileCheck --check-prefix=WRONG %s
void f(int *a) {
#pragma omp for
  for (int i = 0; i < 9; i++)
    a[i] = i;
}
// CHECK: _Pragma("omp for nowait")
// CHECK: POMP_Barrier_enter(__pomp_rd1()); _Pragma("omp barrier")
// WRONG: --pomp-barriers is arrival or explicit or ompt, not 'both'
