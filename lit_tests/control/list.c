// pomp-clang list: every construct with its extent, its clauses and its measurement status.
// REQUIRES: clang
// RUN: %pomp list %s -- %clang -fopenmp | FileCheck %s
// RUN: %pomp list %s --format json -- %clang -fopenmp | FileCheck --check-prefix=JSON %s
void f(int *a) {
#pragma omp parallel num_threads(2)
  {
#pragma omp for schedule(static, 4) \
    nowait
    for (int i = 0; i < 9; i++)
      a[i] = i;
#pragma omp simd
    for (int i = 0; i < 9; i++) {
#pragma omp ordered simd
      a[i] = i;
    }
  }
}
// CHECK: list.c:6-17 {{ *}}parallel num_threads(2) {{ *}}instrumented
// CHECK: list.c:8-11 {{ *}}for schedule(static, 4) nowait {{ *}}instrumented
// CHECK: list.c:12-16 {{ *}}simd {{ *}}instrumented
// CHECK: list.c:14-15 {{ *}}ordered simd {{ *}}not instrumented: no call may stand inside 'simd'
// CHECK: 4 constructs, 3 instrumented
// JSON: "kind": "for"
// JSON: "begin_line1": 8,
// JSON-NEXT: "begin_lineN": 9,
// JSON-NEXT: "end_line1": 11,
// JSON-NEXT: "end_lineN": 11,
// JSON: "function": "f",
// JSON: "name": "schedule",
// JSON-NEXT: "argument": "static, 4"
// JSON: "name": "nowait",
// JSON-NEXT: "argument": null
// JSON: "state": "instrumented",
