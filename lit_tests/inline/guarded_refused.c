// A guard that gcc does not take is left out, and nothing is said: local labels come first in a block.
// REQUIRES: gcc
// RUN: %pomp -- %gcc -fopenmp -O2 -S %s -o - 2>%t.err | FileCheck %s
// RUN: not grep . %t.err
int f(int n) {
  __label__ end;
  void *p = &&end;
#pragma pomp inst begin(r)
  n++;
#pragma pomp inst end(r)
#pragma omp critical
  n++;
end:
  return n + !p;
}
// CHECK-NOT: pomp_self_
// CHECK-DAG: POMP_Begin
// CHECK-DAG: POMP_Critical_exit
// CHECK-NOT: pomp_self_
