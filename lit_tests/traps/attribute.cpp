// The attribute spelling is left as it is, and named.
// REQUIRES: clang
// RUN: %pomp rewrite %s -o %t.cpp -- %clangxx -std=c++17 -fopenmp 2>%t.err
// RUN: FileCheck %s <%t.err
// RUN: %pomp -- %clangxx -std=c++17 -fopenmp -Wall -Wextra -Werror -c %s -o %t.o
void f(int *a) {
  [[omp::directive(parallel for num_threads(2))]]
  for (int i = 0; i < 9; i++)
    a[i] = i;
}
// CHECK: attribute.cpp:7: warning: 'parallel for' as an attribute is not measured yet [pomp-attribute]
