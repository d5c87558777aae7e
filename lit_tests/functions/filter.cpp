// --pomp-filter: Score-P's rules for functions, our own for constructs too; the last that matches.
// REQUIRES: clang
// RUN: %pomp list --pomp-functions=all --pomp-filter=%S/Inputs/some.filter %s -- %clangxx -fopenmp | FileCheck %s
// RUN: %pomp list --pomp-filter=%S/Inputs/one.filter %s -- %clangxx -fopenmp | FileCheck --check-prefix=ONE %s
// RUN: rm -rf %t.exp && %pomp --pomp-filter=%S/Inputs/one.filter -- %clangxx -fopenmp %s -o %t
// RUN: env POMP_EXPERIMENT_DIR=%t.exp %t && %pomp report --all %t.exp | FileCheck --check-prefix=RAN %s
// RUN: not %pomp --pomp-filter=%S/Inputs/wrong.filter -- %clangxx -fopenmp -c %s -o %t.o 2>&1 | FileCheck --check-prefix=WRONG %s
// RUN: not %pomp list --pomp-filter=%S/Inputs/wrong.filter %s 2>&1 | FileCheck --check-prefix=WRONG %s
// RUN: not %pomp --pomp-filter=%S/none.filter -- %clangxx -fopenmp -c %s -o %t.o 2>&1 | FileCheck --check-prefix=NONE %s
int tiny() { return 1; }
int tiny_kept() { return 1; }
int work() {
  int n = 0;
#pragma omp critical
  n++;
#pragma omp atomic
  n++;
#pragma omp critical(queue)
  n += tiny() + tiny_kept();
  return n;
}
int main() { return work() != 4; }
// CHECK: function tiny {{ *}}disabled: {{.*}}some.filter:6
// CHECK: function tiny_kept {{ *}}instrumented
// CHECK: function work {{ *}}instrumented
// CHECK: critical {{ *}}disabled: {{.*}}some.filter:10
// CHECK: atomic {{ *}}disabled: {{.*}}some.filter:12
// CHECK: critical(queue) {{ *}}instrumented
// CHECK: function main {{ *}}instrumented
// ONE: function tiny {{ *}}disabled: {{.*}}one.filter:2
// ONE: function work {{ *}}instrumented
// ONE: critical {{ *}}instrumented
// WRONG: wrong.filter:2: expected INCLUDE, EXCLUDE or SCOREP_REGION_NAMES_END, found 'tiny'
// NONE: --pomp-filter: {{.*}}none.filter: No such file or directory
// RAN: 4 regions: 1 atomic, 2 critical, 1 function
