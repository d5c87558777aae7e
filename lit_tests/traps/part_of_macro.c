// If a block is the first of several statements from one macro, the text cannot separate it from
// the others. A warning names the directive, and the program behaves as without instrumentation.
// REQUIRES: clang, gcc
// RUN: %pomp -- %clang -fopenmp %s -o %t.exe 2>%t.err && FileCheck --check-prefix=ERR %s <%t.err
// RUN: env POMP_EXPERIMENT_DIR=%t.1 %t.exe | FileCheck %s
// RUN: %pomp -- %gcc -fopenmp %s -o %t.exe 2>%t.err && FileCheck --check-prefix=ERR %s <%t.err
// RUN: env POMP_EXPERIMENT_DIR=%t.2 %t.exe | FileCheck %s
#include <omp.h>
#include <stdio.h>
#define BOTH(a, b) a++; b[omp_get_thread_num()]++
int main(void) {
  int once = 0, each[4] = {0, 0, 0, 0};
#pragma omp parallel num_threads(4)
  {
#pragma omp single
    BOTH(once, each);
  }
  printf("%d %d\n", once, each[0] + each[1] + each[2] + each[3]);
  return 0;
}
// ERR: part_of_macro.c:15: warning: 'single' is not measured: its block is only a part of what a macro makes [pomp-block]
// ERR-NOT: warning
// CHECK: 1 4
