// pomp-clang score: the filter for a budget, which the next build takes.
// REQUIRES: clang
// RUN: rm -rf %t.exp %t.exp2 && %pomp --pomp-functions=all -- %clangxx -fopenmp -O2 %s -o %t
// RUN: env POMP_EXPERIMENT_DIR=%t.exp %t && %pomp score %t.exp --budget 0.1% -o %t.filter | FileCheck %s
// RUN: FileCheck --check-prefix=FILTER %s < %t.filter
// RUN: %pomp --pomp-functions=all --pomp-filter=%t.filter -- %clangxx -fopenmp -O2 %s -o %t
// RUN: env POMP_EXPERIMENT_DIR=%t.exp2 %t && %pomp score %t.exp2 --format json | FileCheck --check-prefix=AGAIN %s
// RUN: rm -rf %t.exp3 && %pomp -- %clangxx -fopenmp -O2 %s -o %t && env POMP_EXPERIMENT_DIR=%t.exp3 %t
// RUN: %pomp score %t.exp3 --budget 0% -o %t.none | FileCheck --check-prefix=NONE %s
// RUN: %pomp list --pomp-filter=%t.none %s -- %clangxx -fopenmp | FileCheck --check-prefix=LIST %s
#include <cmath>
namespace space {
__attribute__((noinline)) double tiny(double x) { return x + 1; }
__attribute__((noinline)) double large(double x) {
  for (int i = 0; i < 1000000; ++i) x = std::sin(x);
  return x;
}
} // namespace space
int main() {
  double x = 0;
  for (int i = 0; i < 1000000; ++i) x = space::tiny(x);
  for (int i = 0; i < 10; ++i) x += space::large(x);
#pragma omp critical
  x += 1;
  return x > 0 ? 0 : 1;
}
// CHECK: cost% time% visits a visit trace what place
// CHECK: 1000000 {{.*}} 16 MB out space::tiny {{.*}}score.cpp:13
// CHECK: As measured: 3 functions, 1 construct, overhead
// CHECK: As selected: 2 functions, 1 construct, overhead
// FILTER: EXCLUDE space::tiny  # 1000000 visits
// FILTER-NOT: EXCLUDE
// AGAIN-NOT: tiny
// AGAIN: "name": "space::large"
// NONE: out critical in main
// NONE: As selected: 0 functions, 0 constructs, overhead 0.0 %
// LIST: critical {{ *}}disabled: {{.*}}.none:6
