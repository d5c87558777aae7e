// A character that _Pragma's literal may not escape: a question mark in a clause.
// REQUIRES: clang, gcc
// RUN: %rewrite_c | FileCheck %s
// RUN: %pomp --pomp-strict -- %clang -fopenmp -Wall -Wextra -Werror -c %s -o %t.o
// RUN: %pomp --pomp-strict -- %gcc -fopenmp -Wall -Wextra -Werror -c %s -o %t.o
void f(int *a, int n) {
#pragma omp parallel for if(n > 3 ? 1 : 0) schedule(dynamic, n ? 2 : 1)
  for (int i = 0; i < n; i++)
    a[i] = i;
}
// CHECK: _Pragma("omp parallel if(n > 3 ? 1 : 0) firstprivate(
// CHECK: _Pragma("omp for schedule(dynamic, n ? 2 : 1) nowait")
