// REQUIRES: clang, gcc
// RUN: sh -c '%pomp -- %clang -fopenmp -c %s -o %t-1.o <&-' && nm %t-1.o | FileCheck %s
// RUN: sh -c '%pomp -- %clang -fopenmp -c %s -o %t-2.o <&- >&- 2>&-' && nm %t-2.o | FileCheck %s
// RUN: sh -c '%pomp -- %gcc -fopenmp -c %s -o %t-3.o 2>&-' && nm %t-3.o | FileCheck %s
// RUN: sh -c '%pomp -- %gcc -fopenmp -c %s -o %t-4.o >&- 2>&-' && nm %t-4.o | FileCheck %s
// RUN: not sh -c '%pomp -- %clang -fopenmp -c -DWRONG %s -o %t.o 2>&-'

// The caller may have closed standard input, output and error.

// CHECK: POMP_Parallel_fork
int main(void) {
#pragma omp parallel
  {}
#ifdef WRONG
  missing;
#endif
  return 0;
}
