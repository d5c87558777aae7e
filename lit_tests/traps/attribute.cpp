// The attribute spelling is left as it is, and named.
// REQUIRES: clang
// RUN: %pomp rewrite %s -- %clangxx -std=c++17 -fopenmp 2>&1 >%t.cpp | FileCheck %s
// RUN: %pomp -- %clangxx -std=c++17 -fopenmp -Wall -Wextra -Werror -c %s -o %t.o
void f(int *a) {
  [[omp::directive(parallel for num_threads(2))]]
  for (int i = 0; i < 9; i++)
    a[i] = i;
}
// CHECK: attribute.cpp:6: warning: 'parallel for' as an attribute is not measured yet [pomp-attribute]
