// The experiment of a crashed program is readable and marked incomplete.
// REQUIRES: clang
// RUN: rm -rf %t.exp
// RUN: %pomp --pomp-strict -- %clang -fopenmp %s -o %t
// RUN: sh -c "POMP_EXPERIMENT_DIR=%t.exp %t; test $? = 139"
// RUN: %pomp report --all %t.exp | FileCheck %s
// RUN: %pomp report %t.exp | FileCheck --check-prefix=SCREEN %s
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
// CHECK: Incomplete: the program ended early; the report shows the time until then.
// CHECK: crash.c:11-15 {{ *}}2
// SCREEN: (incomplete) with 2 threads
// SCREEN: Incomplete: the program ended early
// SCREEN: All of it: --all.
