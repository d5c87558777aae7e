// REQUIRES: clang
// RUN: rm -rf %t.tmp && mkdir -p %t.tmp && cd %S/..
// RUN: not env TMPDIR=%t.tmp %pomp -- %clang -fopenmp -c %s -working-directory warnings -include first.h -o no/out.o 2>&1 | FileCheck %s
// RUN: not ls %t.tmp/*

// clang crashes on this header, unless it cannot write the output first.

// CHECK: error: unable to open output file
// CHECK-NOT: libclang
int main(void) {
#pragma omp parallel
  {}
  return 0;
}
