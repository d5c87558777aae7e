// Headers of C++: templates, attributes, a C header in extern "C"; one that two namespaces include, with
// one region; and one included in a function.
// REQUIRES: clang, gcc
// DEFINE: %{flags} = -fopenmp -std=c++17 -Wall -Wextra -Werror -I%S/Inputs
// RUN: rm -rf %t && mkdir -p %t && cd %t
// RUN: %pomp -- %clangxx %{flags} %s -o program 2>%t/err
// RUN: test ! -s %t/err
// RUN: env POMP_EXPERIMENT_DIR=%t/1 ./program | FileCheck --check-prefix=OUT %s
// RUN: %pomp report --all 1 | FileCheck %s
// RUN: %pomp -- %gxx %{flags} %s -o program 2>%t/err
// RUN: test ! -s %t/err
// RUN: env POMP_EXPERIMENT_DIR=%t/2 ./program | FileCheck --check-prefix=OUT %s
// RUN: %pomp report --all 2 | FileCheck %s
// RUN: %pomp rewrite %s --header %S/Inputs/attribute.hpp -- %clangxx %{flags} | FileCheck --check-prefix=TEXT %s
extern "C" {
#include "external_inline.h"
}
namespace n {
#include "inside_namespace.h"
}
inline namespace outer {
namespace m {
#include "inside_namespace.h"
}
}
#define FUNCTION f1
#include "many_times.h"
#undef FUNCTION
#define FUNCTION f2
#include "many_times.h"
#include "attribute.hpp"
#include <cstdio>
int main() {
  int x = 0;
  f1(&x);
  f2(&x);
#pragma omp parallel num_threads(2)
  {
#include "body.inc"
  }
  std::printf("%d %d %d %d\n", twice(5), x, n::inside() * m::inside(), attribute());
  std::printf("%d %d\n", Counter<int>().value, static_cast<int>(Counter<double>().value));
}
// OUT: 10 4 4 2
// OUT: 2 2
// CHECK: 9 regions: 1 atomic, 3 critical, 4 parallel, 1 parallel for
// CHECK-DAG: critical (counter) {{.*}}attribute.hpp:14-15 4
// CHECK-DAG: critical {{.*}}many_times.h:2-3 2
// CHECK-DAG: critical {{.*}}body.inc:1-2 (from {{.*}}cplusplus.cpp:39) 2
// CHECK-DAG: parallel {{.*}}inside_namespace.h:3-4 4
// CHECK-DAG: parallel {{.*}}attribute.hpp:12-16 4
// CHECK-DAG: parallel for {{.*}}external_inline.h:5-6 2
// TEXT: #pragma once
// TEXT: inline int attribute() {
// TEXT: POMP_Parallel_fork(__pomp_rd{{[0-9a-f]+}}_1()), POMP_Get_team())
