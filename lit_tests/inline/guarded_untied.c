// In an untied task no variable of a thread may be named: its events are calls.
// REQUIRES: gcc
// RUN: rm -rf %t && %pomp --pomp-keep=%t -- %gcc -fopenmp -O2 -Wall -Werror -S %s -o - | FileCheck %s
// RUN: cat %t/*/stderr | not grep .
int sum(int n) {
#pragma omp task untied shared(n)
  {
#pragma omp critical
    n++;
  }
#pragma omp taskwait
  return n;
}
// CHECK-NOT: pomp_self_
// CHECK: POMP_Critical_enter
// CHECK-NOT: pomp_self_
