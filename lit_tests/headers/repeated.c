// A header included more than once for other types: each region counts once, whatever unit contains
// it. A block that differs gets a warning.  The unit's own file may have no construct.
// REQUIRES: clang, gcc
// DEFINE: %{warn} = -Wall -Wextra -Wshadow -Wredundant-decls -Werror -fopenmp
// RUN: rm -rf %t && mkdir -p %t && cd %t
// RUN: %pomp -- %clang -std=gnu89 -Wmissing-prototypes %{warn} %s -o program 2>err
// RUN: FileCheck --check-prefix=ERR --implicit-check-not=warning %s <err
// RUN: env POMP_EXPERIMENT_DIR=%t/1 ./program | FileCheck --check-prefix=OUT %s
// RUN: %pomp report --all 1 | FileCheck %s
// RUN: %pomp -- %gcc -std=gnu89 -Wmissing-prototypes %{warn} %s -o program 2>err
// RUN: FileCheck --check-prefix=ERR --implicit-check-not=warning %s <err
// RUN: env POMP_EXPERIMENT_DIR=%t/2 ./program | FileCheck --check-prefix=OUT %s
// RUN: %pomp report --all 2 | FileCheck %s
// RUN: %pomp -- %clangxx -x c++ %{warn} %s -o program 2>err
// RUN: FileCheck --check-prefix=ERR --implicit-check-not=warning %s <err
// RUN: env POMP_EXPERIMENT_DIR=%t/3 ./program | FileCheck --check-prefix=OUT %s
// RUN: %pomp report --all 3 | FileCheck %s
// RUN: %pomp -- %gxx -x c++ %{warn} %s -o program 2>err
// RUN: FileCheck --check-prefix=ERR --implicit-check-not=warning %s <err
// RUN: env POMP_EXPERIMENT_DIR=%t/4 ./program | FileCheck --check-prefix=OUT %s
// RUN: %pomp report --all 4 | FileCheck %s
// RUN: %pomp rewrite %s -- %clang -fopenmp | FileCheck --check-prefix=TEXT %s
// RUN: %pomp rewrite %s --header %S/Inputs/sum.inc -- %clang -fopenmp | FileCheck --check-prefix=HEADER %s
#include <stdio.h>
#define TYPE int
#define NAME sum_int
#define TWICE { sum += sum; }
#include "Inputs/sum.inc"
#undef TYPE
#undef NAME
#undef TWICE
#define TYPE double
#define NAME sum_double
#define TWICE sum += sum; (void)n;
#define LAST
#include "Inputs/sum.inc"
int main(void) {
  int a[3] = {1, 2, 3};
  double b[2] = {0.5, 1};
  printf("%d %g %d\n", sum_int(a, 3), sum_double(b, 2), last());
  return 0;
}
// ERR: sum.inc:9: warning: 'single' is not measured: its file is included more than once, and reads differently each time [pomp-header]
// OUT: 12 3 1
// CHECK: 3 regions: 1 critical, 1 for, 1 parallel
// CHECK-DAG: critical (last) {{.*}}sum.inc:18-19 1
// CHECK-DAG: for {{.*}}sum.inc:6-8 4
// CHECK-DAG: parallel {{.*}}sum.inc:4-11 4
// TEXT: int main(void) {
// TEXT: {{^}}struct ompregdescr; {{.*}}"parallel", 0, 0, "{{.*}}sum.inc"
// HEADER: struct ompregdescr; {{.*}}static __attribute__({{.*}}) struct ompregdescr *__pomp_rd[[TAG:[0-9a-f]+]]_1(void);
// HEADER: POMP_Parallel_fork(__pomp_rd[[TAG]]_1())
