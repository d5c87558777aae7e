// Attributes, declare simd and extern "C" before the first function stay with it.
// REQUIRES: clang, gcc
// RUN: %rewrite_c | FileCheck %s
// RUN: %pomp --pomp-strict -- %clang -fopenmp -Wall -Wextra -Werror -Wno-unknown-pragmas -c %s -o %t.o
// RUN: %pomp --pomp-strict -- %gcc -fopenmp -Wall -Wextra -Werror -Wno-unknown-pragmas -c %s -o %t.o
#pragma omp declare simd \
    notinbranch
__attribute__((noinline)) int f(int n) {
#pragma omp critical
  n++;
  return n;
}
#pragma omp declare simd
int g(int n) {
#pragma omp critical
  n++;
  return n;
}
// CHECK: struct ompregdescr; {{.*}} _Pragma("omp declare simd notinbranch"){{$}}
// CHECK-EMPTY:
// CHECK-NEXT: {{^}}__attribute__((noinline)) int f(int n) {
// CHECK: {{^}}} static struct __pomp_descriptor __pomp_d2
// CHECK-NEXT: {{^}}#pragma omp declare simd
// CHECK-NEXT: {{^}}int g(int n) {
