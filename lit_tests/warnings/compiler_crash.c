// REQUIRES: clang
// RUN: rm -rf %t.tmp && mkdir -p %t.tmp && cd %S/..
// RUN: not env TMPDIR=%t.tmp %pomp -- %clang -fopenmp -c %s -working-directory warnings -include first.h -o no/out.o 2>&1 | FileCheck %s
// RUN: not ls %t.tmp/*

// Where clang crashes in our run of its preprocessor, it leaves no report of that behind.

// CHECK: error: unable to open output file
int main(void) {
#pragma omp parallel
  {}
  return 0;
}
