// A directive in #if 0, in a comment or in a string is no construct.
// REQUIRES: clang, gcc
// RUN: %pomp list %s -- %clang -fopenmp | FileCheck %s
// RUN: %pomp list %s -- %gcc -fopenmp | FileCheck %s
#if 0
#pragma omp parallel
#endif
/*
#pragma omp parallel
*/
const char *s = "\
#pragma omp parallel\
"; // '
const char c = '"';
void f(int *a) {
#pragma omp critical
#ifdef NOT_DEFINED
#pragma omp parallel
  for (;;)
#else
  if (*a)
#endif
    a[0]++;
}
// CHECK: not_constructs.c:16-23 {{ *}}critical
// CHECK-NEXT: {{^}}1 constructs, 1 instrumented
