// Directives in raw strings and behind digit separators are told apart from live ones.
// REQUIRES: clang, gcc
// RUN: %pomp list %s -- %clangxx -std=c++17 -fopenmp | FileCheck %s
// RUN: %pomp --pomp-strict -- %clangxx -std=c++17 -fopenmp -Wall -Wextra -Werror -c %s -o %t.o
// RUN: %pomp --pomp-strict -- %gxx -std=c++17 -fopenmp -Wall -Wextra -Werror -c %s -o %t.o
const char *text = R"x(
#pragma omp parallel
)" " )x";
int digits = 1'000'000;
void f(int *a) {
#pragma omp critical
  a[0]++;
}
// CHECK: raw_string.cpp:11-12 {{ *}}critical
// CHECK-NEXT: {{^}}1 constructs
