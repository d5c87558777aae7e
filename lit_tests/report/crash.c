// What a crash leaves behind is read as it stands, and said to be incomplete.
// REQUIRES: clang
// RUN: rm -rf %t.exp
// RUN: %pomp --pomp-strict -- %clang -fopenmp %s -o %t
// RUN: sh -c "POMP_EXPERIMENT_DIR=%t.exp %t; test $? = 139"
// RUN: %pomp report %t.exp | FileCheck %s
#include <signal.h>
int main(void) {
  int n = 0;
#pragma omp parallel num_threads(2)
  {
#pragma omp critical
    n++;
  }
  return raise(SIGSEGV);
}
// CHECK: Incomplete: the program ended early; this is what was measured until then.
// CHECK: crash.c:10-14 {{ *}}2
