// From the compiler command to the report: every count is exact.
// REQUIRES: clang, gcc
// RUN: rm -rf %t.clang %t.gcc
// RUN: %pomp --pomp-strict -- %clang -fopenmp %s -o %t
// RUN: env POMP_EXPERIMENT_DIR=%t.clang %t
// RUN: %pomp report --all %t.clang | FileCheck %s
// RUN: %pomp report %t.clang --format csv | FileCheck --check-prefix=CSV %s
// RUN: %pomp report %t.clang --format json | FileCheck --check-prefix=JSON %s
// RUN: %pomp --pomp-strict -- %gcc -fopenmp %s -o %t
// RUN: env POMP_EXPERIMENT_DIR=%t.gcc %t
// RUN: %pomp report --all %t.gcc | FileCheck %s
int main(int argc, char **argv) {
  int n = 0;
  (void)argv;
  for (int k = 0; k < 3; k++) {
#pragma omp parallel num_threads(2)
    {
#pragma omp for
      for (int i = 0; i < 10; i++) {
#pragma omp critical(sum)
        n += i;
      }
#pragma omp single
      n++;
    }
  }
  if (argc > 1) {
#pragma omp parallel
    n++;
  }
  return n != 138;
}
// CHECK: 5 regions: 1 critical, 1 for, 2 parallel, 1 single
// CHECK: 1 region never ran (execC 0):
// CHECK-NEXT: parallel {{ *}}counts.c:28
// CHECK-LABEL: Flat region profile
// CHECK-DAG: parallel  counts.c:16-25  in main
// CHECK-DAG: critical (sum)  counts.c:20-21  in main
// CHECK-LABEL: Overhead analysis
// CSV: ##BEG
// JSON: "kind": "for"
// JSON: "execC": 3
// JSON: "execC": 3
// JSON: "kind": "critical"
// JSON: "execC": 15
// JSON: "execC": 15
