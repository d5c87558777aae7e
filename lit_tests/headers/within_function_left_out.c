// Constructs in headers included within functions that are left out, with a warning: a statement that
// ends elsewhere, two optional directives for one block, an inline function of C99.
// REQUIRES: clang, gcc
// RUN: rm -rf %t && mkdir -p %t && cd %t
// RUN: %pomp -- %clang -fopenmp %s -o program 2>err
// RUN: FileCheck --check-prefix=ERR --implicit-check-not=warning: %s <err
// RUN: env POMP_EXPERIMENT_DIR=%t/1 ./program | FileCheck --check-prefix=OUT %s
// RUN: %pomp report --all 1 | FileCheck %s
// RUN: %pomp -- %gcc -fopenmp %s -o program 2>err
// RUN: FileCheck --check-prefix=ERR --implicit-check-not=warning: %s <err
// RUN: env POMP_EXPERIMENT_DIR=%t/2 ./program | FileCheck --check-prefix=OUT %s
// RUN: %pomp report --all 2 | FileCheck %s
// RUN: not %pomp --pomp-strict -- %clang -fopenmp -c %s
#include <stdio.h>
inline int external(int x) {
#include "Inputs/body.inc"
  return x;
}
extern int external(int x);
static int inside(int x) {
#define BOTH
#include "Inputs/adjoining.inc"
#undef BOTH
#include "Inputs/adjoining.inc"
#include "Inputs/split.inc"
  }
  return x;
}
int main(void) {
  printf("%d %d\n", external(3), inside(3));
  return 0;
}
// ERR-DAG: adjoining.inc:2: warning: 'parallel' is not measured: its file is included more than once, and reads differently each time [pomp-header]
// ERR-DAG: body.inc:1: warning: 'critical' is not measured: its file is included within an inline function of external linkage [pomp-header]
// ERR-DAG: split.inc:2: warning: {{.*}}'critical'{{.*}} [pomp-{{block|header}}]
// OUT: 4 6
// CHECK: master {{.*}}adjoining.inc:3-5 (from {{.*}}) 1
