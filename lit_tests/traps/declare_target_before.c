// File-scope declarations for a construct are not device code if device code precedes them.
// REQUIRES: clang, gcc
// RUN: %rewrite_c | FileCheck %s
// RUN: %pomp --pomp-strict -- %clang -fopenmp -Wall -Wextra -Werror -c %s -o %t.o
// RUN: %pomp --pomp-strict -- %gcc -fopenmp -Wall -Wextra -Werror -c %s -o %t.o
#pragma omp declare target
extern int n;
int f(int);
#pragma omp end declare target
/* not here */
#pragma omp declare simd
int g(int i) {
#pragma omp atomic
  n += i;
  return i;
}
// CHECK: #pragma omp end declare target
// CHECK-NEXT: not here
// CHECK-NEXT: struct ompregdescr;{{.*}} _Pragma("omp declare simd")
// CHECK-NEXT: int g(int i) {
