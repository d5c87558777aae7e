// A file that is included more than once, and whose macros make other directives each time:
// those of every inclusion are named.
// REQUIRES: clang, gcc
// RUN: %pomp -- %clang -fopenmp %s -o %t 2>%t.err && env POMP_EXPERIMENT_DIR=%t.1 %t | FileCheck --check-prefix=OUT %s
// RUN: FileCheck %s <%t.err
// RUN: %pomp -- %gcc -fopenmp %s -o %t 2>%t.err && env POMP_EXPERIMENT_DIR=%t.2 %t | FileCheck --check-prefix=OUT %s
// RUN: FileCheck %s <%t.err
// Warnings have the same order in each run.
// RUN: env PYTHONHASHSEED=1 %pomp -- %clang -fopenmp -c %s -o %t.o 2>%t.first
// RUN: env PYTHONHASHSEED=3 %pomp -- %clang -fopenmp -c %s -o %t.o 2>%t.second
// RUN: cmp %t.first %t.second
#include <stdio.h>
static int a[4];
#define ITEM(k) static void f##k(void) { _Pragma("omp parallel num_threads(2)") { _Pragma("omp atomic") a[k]++; } }
#include "Inputs/items.def"
#undef ITEM
int main(void) {
#define ITEM(k) _Pragma("omp critical") a[k]++;
#include "Inputs/items.def"
#undef ITEM
  f0();
  f1();
  printf("%d %d\n", a[0], a[1]);
  return 0;
}
// OUT: 3 3
// CHECK-DAG: items.def:1: warning: 'parallel' is not measured: its file is included more than once, and reads differently each time [pomp-header]
// CHECK-DAG: items.def:1: warning: 'atomic' is not measured: its file is included more than once, and reads differently each time [pomp-header]
// CHECK-DAG: items.def:1: warning: 'critical' is not measured: its file is included more than once, and reads differently each time [pomp-header]
// CHECK-DAG: items.def:2: warning: 'parallel' is not measured: its file is included more than once, and reads differently each time [pomp-header]
// CHECK-DAG: items.def:2: warning: 'critical' is not measured: its file is included more than once, and reads differently each time [pomp-header]
