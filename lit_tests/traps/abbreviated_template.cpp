// A function that is a template by a parameter's `auto` is measured like any other, though libclang
// tells no extent of it.
// REQUIRES: clang
// RUN: %pomp -- %clangxx -std=c++20 -Wall -Wextra -Werror -fopenmp %s -o %t.exe 2>%t.err
// RUN: FileCheck --check-prefix=ERR --implicit-check-not=warning --allow-empty %s <%t.err
// RUN: env OMP_NUM_THREADS=2 POMP_EXPERIMENT_DIR=%t.dir %t.exe | FileCheck %s
// RUN: %pomp report --all %t.dir | FileCheck --check-prefix=REPORT %s
#include <cstdio>
static inline auto first(auto x) {
#pragma omp critical
  x++;
  return x;
}
namespace space {
void loop(const auto &n, int sum = 0) {
#pragma omp parallel for
  for (int i = 0; i < n; i++) {
    auto add = [&](auto by) {
#pragma omp atomic
      sum += by;
    };
    add(i);
  }
  std::printf("%d\n", sum);
}
} // namespace space
struct S {
  int a;
  template <class T> void method(T t, auto u) {
#pragma omp parallel
#pragma omp masked
    a += t + u;
  }
  void outside(auto v);
};
void S::outside(auto v) {
#pragma omp single
  a += v;
}
constexpr auto at_compile_time(auto x) {
  if (x > 100) {
    auto later = [&] {
#pragma omp flush
    };
    later();
  }
  return x;
}
int main() {
  S s{first(1)};
  s.method(2, 3L);
  s.outside(4);
  space::loop(5);
  std::printf("%d %d\n", s.a, at_compile_time(6));
}
// CHECK: 10
// CHECK: 11 6
// ERR: abbreviated_template.cpp:43: warning: 'flush' is not measured: no call may stand in a constexpr function [pomp-function]
// REPORT: 6 regions: 1 atomic, 1 critical, 1 masked, 1 parallel, 1 parallel for, 1 single
