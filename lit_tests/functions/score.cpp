// pomp-clang score: the filter for a budget, which the next build takes.
// REQUIRES: clang
// RUN: rm -rf %t.exp %t.exp2 && %pomp --pomp-functions=all -- %clangxx -fopenmp -O2 %s -o %t
// RUN: env POMP_EXPERIMENT_DIR=%t.exp %t && %pomp score %t.exp --budget 3% -o %t.filter | FileCheck %s
// RUN: FileCheck --check-prefix=FILTER %s < %t.filter
// RUN: %pomp --pomp-functions=all --pomp-filter=%t.filter -- %clangxx -fopenmp -O2 %s -o %t
// RUN: env POMP_EXPERIMENT_DIR=%t.exp2 %t && %pomp score %t.exp2 --format json | FileCheck --check-prefix=AGAIN %s
// RUN: rm -rf %t.exp3 && %pomp -- %clangxx -fopenmp -O2 %s -o %t && env POMP_EXPERIMENT_DIR=%t.exp3 %t
// RUN: not %pomp score %t.exp3 2>&1 | FileCheck --check-prefix=NONE %s
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
// CHECK: cost% time% visits a visit trace function place
// CHECK: 1000000 {{.*}} 16 MB out space::tiny {{.*}}score.cpp:12
// CHECK: As measured: 3 functions, overhead
// CHECK: As selected: 2 functions, overhead
// FILTER: EXCLUDE space::tiny  # 1000000 visits
// FILTER-NOT: EXCLUDE
// AGAIN-NOT: tiny
// AGAIN: "name": "space::large"
// NONE: no function was measured; compile with --pomp-functions
