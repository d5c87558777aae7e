// Headers that are included within functions, several times and through each other: each inclusion
// has regions of its own, or all have one. An inclusion that lacks a directive has no region for it.
// Lines, dependencies and diagnostics stay.
// REQUIRES: clang, gcc
// DEFINE: %{flags} = -fopenmp -O1 -Wall -Wextra -Wshadow -Wredundant-decls -Wundef -Werror
// RUN: rm -rf %t && mkdir -p %t && cd %t
// RUN: %clang %{flags} -std=gnu99 -MMD -MF native.d %s -c -o native.o
// RUN: %pomp --pomp-strict -- %clang %{flags} -std=gnu99 -MMD -MF now.d %s -c -o native.o
// RUN: cmp native.d now.d
// RUN: %gcc %{flags} -std=gnu99 -MMD -MF native.d %s -c -o native.o
// RUN: %pomp --pomp-strict -- %gcc %{flags} -std=gnu99 -MMD -MF now.d %s -c -o native.o
// RUN: cmp native.d now.d
// RUN: %pomp --pomp-strict -- %clang %{flags} -std=gnu99 %s -o program 2>err
// RUN: test ! -s err
// RUN: env POMP_EXPERIMENT_DIR=%t/1 ./program | FileCheck --check-prefix=OUT %s
// RUN: %pomp report --all 1 | FileCheck %s
// RUN: %pomp --pomp-strict -- %gcc %{flags} -std=gnu99 %s -o program 2>err
// RUN: test ! -s err
// RUN: env POMP_EXPERIMENT_DIR=%t/2 ./program | FileCheck --check-prefix=OUT %s
// RUN: %pomp report --all 2 | FileCheck %s
// RUN: %pomp --pomp-strict -- %clangxx -x c++ %{flags} -g %s -o program 2>err
// RUN: test ! -s err
// RUN: env POMP_EXPERIMENT_DIR=%t/3 ./program | FileCheck --check-prefix=OUT %s
// RUN: %pomp report --all 3 | FileCheck %s
// RUN: %pomp --pomp-strict -- %gxx -x c++ %{flags} -g %s -o program 2>err
// RUN: test ! -s err
// RUN: env POMP_EXPERIMENT_DIR=%t/4 ./program | FileCheck --check-prefix=OUT %s
// RUN: %pomp report --all 4 | FileCheck %s
// RUN: %pomp --pomp-included=once -- %clang %{flags} %s -o program
// RUN: env POMP_EXPERIMENT_DIR=%t/5 ./program | FileCheck --check-prefix=OUT %s
// RUN: %pomp report --all 5 | FileCheck --check-prefix=ONCE %s
// RUN: %pomp --pomp-included=once -- %gcc %{flags} %s -o program
// RUN: env POMP_EXPERIMENT_DIR=%t/6 ./program | FileCheck --check-prefix=OUT %s
// RUN: %pomp report --all 6 | FileCheck --check-prefix=ONCE %s
// RUN: %pomp report --format json 1 | FileCheck --check-prefix=JSON %s
// RUN: not %clang %{flags} -DBROKEN %s -c -o native.o 2>native
// RUN: not %pomp -- %clang %{flags} -DBROKEN %s -c -o native.o 2>now
// RUN: cmp native now
#include <stdio.h>
#ifdef BROKEN
#define LINES +broken
#else
#define LINES
#endif

static long first(void) {
  long total = 0;
#define STEPS 10
#define VALUE(x) (x)
#include "Inputs/template.inc"
#undef STEPS
#undef VALUE
  return total LINES;
}

static long second(void) {
  long total = 0;
#define STEPS 20
#define VALUE(x) (2 * (x))
#define WITH_MASTER
#include "Inputs/template.inc"
#undef STEPS
#define STEPS 6
#include "Inputs/template.inc"
#pragma omp parallel num_threads(2)
  {
#include "Inputs/lone.inc"
#include "Inputs/lone.inc"
  }
  return total;
}

int main(void) {
  for (int k = 0; k < 3; k++)
    printf("%ld %d\n", first(), __LINE__);
  printf("%ld\n", second());
  return 0;
}
// OUT: 45 75
// OUT-NEXT: 45 75
// OUT-NEXT: 45 75
// OUT-NEXT: 414
// CHECK: 13 regions: 3 atomic, 2 barrier, 2 master, 3 parallel, 3 parallel for
// CHECK-DAG: parallel for {{.*}}template.inc:2-5 (from within_function.c:50) 6
// CHECK-DAG: parallel for {{.*}}template.inc:2-5 (from within_function.c:61) 2
// CHECK-DAG: parallel for {{.*}}template.inc:2-5 (from within_function.c:64) 2
// CHECK-DAG: atomic {{.*}}nested.inc:1-2 (from Inputs/template.inc:4 from within_function.c:50) 30
// CHECK-DAG: atomic {{.*}}nested.inc:1-2 (from Inputs/template.inc:4 from within_function.c:61) 20
// CHECK-DAG: atomic {{.*}}nested.inc:1-2 (from Inputs/template.inc:4 from within_function.c:64) 6
// CHECK-DAG: master {{.*}}template.inc:9-10 (from within_function.c:61) 1
// CHECK-DAG: master {{.*}}template.inc:9-10 (from within_function.c:64) 1
// CHECK-DAG: barrier {{.*}}lone.inc:1 (from within_function.c:67) 2
// CHECK-DAG: barrier {{.*}}lone.inc:1 (from within_function.c:68) 2
// ONCE: 6 regions: 1 atomic, 1 barrier, 1 master, 2 parallel, 1 parallel for
// ONCE-DAG: parallel for {{.*}}template.inc:2-5 10
// ONCE-DAG: atomic {{.*}}nested.inc:1-2 56
// ONCE-DAG: master {{.*}}template.inc:9-10 2
// ONCE-DAG: barrier {{.*}}lone.inc:1 4
// JSON: "included_from": [
// JSON-NEXT: {
// JSON-NEXT: "file": "{{.*}}within_function.c",
// JSON-NEXT: "line": 67
