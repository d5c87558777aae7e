// A barrier that the programmer wrote is passed a descriptor of its own.
// REQUIRES: clang, gcc
// RUN: %rewrite_c | FileCheck %s
// RUN: %pomp --pomp-strict -- %clang -fopenmp -Wall -Wextra -Werror -c %s -o %t.o
// RUN: %pomp --pomp-strict -- %gcc -fopenmp -Wall -Wextra -Werror -c %s -o %t.o
void f(void) {
#pragma omp barrier
}
// CHECK: "barrier", 0, 0, "{{.*}}barrier.c", 7, 7, 7, 7,
// CHECK: { POMP_Barrier_enter([[D:__pomp_rd1\(\)]]); _Pragma("omp barrier") POMP_Barrier_exit([[D]]); }
