// Inserted text does not become the body of a loop with an empty body.
// REQUIRES: clang, gcc
// RUN: %rewrite_c | FileCheck %s
// RUN: %pomp --pomp-strict -- %clang -fopenmp -Wall -Wextra -Werror -c %s -o %t.o
// RUN: %pomp --pomp-strict -- %gcc -fopenmp -Wall -Wextra -Werror -c %s -o %t.o
void f(volatile int *n) {
  while (*n);
#pragma omp critical
  *n += 1;
  for (; *n;);
#pragma omp barrier
  while (*n)
    ;
#pragma omp parallel
  *n += 1;
  while (*n);
#pragma omp parallel master
#pragma omp critical
  *n += 1;
}
// CHECK: while (*n);
// CHECK-NEXT: {{^}}; { POMP_Critical_enter
// CHECK: for (; *n;);
// CHECK-NEXT: {{^}}; { POMP_Barrier_enter
// CHECK: while (*n);
// CHECK-NEXT: {{^}}; { void *{{.*}} _Pragma("omp master"){{$}}
// CHECK-NEXT: {{^}}{ POMP_Critical_enter
