// Headers included in classes, member functions, templates and lambdas: a region for each inclusion,
// whatever instances a template has.
// REQUIRES: clang, gcc
// DEFINE: %{flags} = -fopenmp -std=c++17 -O1 -Wall -Wextra -Wpedantic -Werror
// RUN: rm -rf %t && mkdir -p %t && cd %t
// RUN: %pomp --pomp-strict -- %clangxx %{flags} %s -o program 2>err
// RUN: test ! -s err
// RUN: env POMP_EXPERIMENT_DIR=%t/1 ./program | FileCheck --check-prefix=OUT %s
// RUN: %pomp report --all 1 | FileCheck %s
// RUN: %pomp report --format json 1 | FileCheck --check-prefix=JSON %s
// RUN: %pomp --pomp-strict -- %gxx %{flags} -g %s -o program 2>err
// RUN: test ! -s err
// RUN: env POMP_EXPERIMENT_DIR=%t/2 ./program | FileCheck --check-prefix=OUT %s
// RUN: %pomp report --all 2 | FileCheck %s
#include <cstdio>
struct Counter {
  int value = 0;
#define NAME first
#include "Inputs/member.inc"
#undef NAME
#define NAME second
#include "Inputs/member.inc"
};
template <typename T> struct Sum {
  T run() {
    T sum{};
#define STEP T(2)
#include "Inputs/team.inc"
#undef STEP
    return sum;
  }
};
template <int K> int run() {
  auto lambda = [] {
    int sum = 0;
#define STEP K
#include "Inputs/team.inc"
    return sum;
  };
  return lambda();
}
int main() {
  Counter counter;
  counter.first();
  counter.second();
  std::printf("%d %d %g %d\n", counter.value, Sum<int>().run(), Sum<double>().run(), run<3>());
}
// OUT: 4 5 5 7
// CHECK: 10 regions: 2 atomic, 2 critical, 4 parallel, 2 single
// CHECK-DAG: parallel {{.*}}member.inc:2-4 (from within_function.cpp:19) 2
// CHECK-DAG: parallel {{.*}}member.inc:2-4 (from within_function.cpp:22) 2
// CHECK-DAG: parallel {{.*}}team.inc:1-4 (from within_function.cpp:28) 4
// CHECK-DAG: parallel {{.*}}team.inc:1-4 (from within_function.cpp:37) 2
// CHECK-DAG: critical (team) {{.*}}of_team.inc:3-4 (from Inputs/team.inc:3 from within_function.cpp:28) 4
// CHECK-DAG: single {{.*}}of_team.inc:1-2 (from Inputs/team.inc:3 from within_function.cpp:37) 2
// JSON-DAG: "function": "first"
// JSON-DAG: "function": "second"
