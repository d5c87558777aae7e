// Two runs, and runs with more threads, compared from the command line.
// REQUIRES: clang
// RUN: rm -rf %t.one %t.two
// RUN: %pomp --pomp-strict -- %clang -fopenmp %s -o %t
// RUN: env POMP_EXPERIMENT_DIR=%t.one OMP_NUM_THREADS=1 %t
// RUN: env POMP_EXPERIMENT_DIR=%t.two OMP_NUM_THREADS=2 %t more
// RUN: %pomp diff --all %t.one %t.two --sort place | FileCheck %s
// RUN: %pomp diff %t.one %t.two --format json | FileCheck --check-prefix=JSON %s
// RUN: %pomp scale --all %t.two %t.one | FileCheck --check-prefix=SCALE %s
// RUN: %pomp report %t.two --format html -o %t.html
// RUN: FileCheck --check-prefix=PAGE --input-file=%t.html %s
int main(int argc, char **argv) {
  int n = 0;
  (void)argv;
#pragma omp parallel
  {
#pragma omp critical(sum)
    n++;
  }
  if (argc > 1) {
#pragma omp parallel
    n++;
  }
  return n == 0;
}
// CHECK: 3 regions in both
// CHECK: parallel {{.*}}compared.c:15-19 {{ *}}1 {{ *}}2
// CHECK-NEXT: critical (sum) {{.*}}compared.c:17-18 {{ *}}1 {{ *}}2
// CHECK-NEXT: parallel {{.*}}compared.c:21-22 {{ *}}0 {{ *}}2
// JSON-DAG: "state": "both"
// SCALE: {{^}}threads  duration  speed-up
// SCALE-NEXT: 1 {{[0-9.]+}} 1.00 1.00
// SCALE-NEXT: 2 {{[0-9.]+}}
// SCALE: critical (sum)
// PAGE: Content-Security-Policy
// PAGE: #pragma omp critical(sum)
