// Statement ends come from the tree: lambdas called in place, range-for, try, templates, members.
// REQUIRES: clang, gcc
// RUN: %rewrite_cxx | FileCheck %s
// RUN: %pomp --pomp-strict -- %clangxx -std=c++17 -fopenmp -Wall -Wextra -Werror -c %s -o %t.o
// RUN: %pomp --pomp-strict -- %gxx -std=c++17 -fopenmp -Wall -Wextra -Werror -c %s -o %t.o
#include <vector>
template <class T> struct Box {
  T n{};
  Box() {
#pragma omp critical
    n++;
  }
  void run(std::vector<T> &v) {
#pragma omp parallel
    for (auto &x : v)
#pragma omp critical
      try {
        [&] { x++; }();
      } catch (...) {
        n++;
      }
  }
};
int value = [] {
  int z = 0;
#pragma omp critical
  [&](int k) {
    if (k) {
      z++;
    }
  }(3);
  return z;
}();
template struct Box<int>;
// CHECK: n++; ; POMP_Critical_end(__pomp_rd1());
// CHECK: for (auto &x : v)
// CHECK-NEXT: POMP_Critical_enter(__pomp_rd3());
// CHECK: } catch (...) {
// CHECK-NEXT: n++;
// CHECK-NEXT: } ; POMP_Critical_end(__pomp_rd3()); } POMP_Critical_exit(__pomp_rd3()); } ; POMP_Barrier_enter(__pomp_rd2());
// CHECK: }(3); ; POMP_Critical_end(__pomp_rd4());
