// ISO C leaves the names of system calls to the program: the runtime calls none of its functions.
// REQUIRES: clang, gcc
// RUN: %pomp -- %clang -fopenmp %s -o %t.exe
// RUN: rm -rf %t.dir && env POMP_EXPERIMENT_DIR=%t.dir %t.exe | FileCheck %s
// RUN: %pomp report --all %t.dir | FileCheck --check-prefix=REPORT %s
// RUN: %pomp --pomp-runtime=static -- %gcc -fopenmp %s -o %t.exe
// RUN: rm -rf %t.dir && env POMP_EXPERIMENT_DIR=%t.dir %t.exe | FileCheck %s
// RUN: %pomp report --all %t.dir | FileCheck --check-prefix=REPORT %s
#include <stdio.h>
static int calls;
int read(void) { return ++calls; }
int write(void) { return ++calls; }
int mkdir(void) { return ++calls; }
int rmdir(void) { return ++calls; }
int unlink(void) { return ++calls; }
int truncate(void) { return ++calls; }
int readlink(void) { return ++calls; }
int main(void) {
  int sum = 0;
#pragma omp parallel num_threads(2)
  {
#pragma omp critical
    sum++;
  }
  printf("%d threads, %d calls\n", sum, calls);
}
// CHECK: 2 threads, 0 calls
// REPORT: 2 regions: 1 critical, 1 parallel
