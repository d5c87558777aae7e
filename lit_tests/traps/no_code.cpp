// Where no call may stand: constexpr functions and device code are left as they are, and named.
// REQUIRES: clang
// RUN: %pomp rewrite %s -o %t.cpp -- %clangxx -std=c++20 -fopenmp 2>%t.err
// RUN: FileCheck %s <%t.err
// RUN: sed -e '\,^ *//,d' %t.cpp | FileCheck --check-prefix=TEXT %s
#pragma omp begin declare target
int on_device(int n) {
#pragma omp critical
  n++;
  return n;
}
#pragma omp end declare target
constexpr int at_compile_time(int n) {
  if (n > 100) {
#pragma omp critical
    n++;
  }
  return n;
}
// CHECK: no_code.cpp:8: warning: 'critical' is not measured: the function is device code (declare target) [pomp-function]
// CHECK: no_code.cpp:15: warning: 'critical' is not measured: no call may stand in a constexpr function [pomp-function]
// TEXT-NOT: POMP_Critical
