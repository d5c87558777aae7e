// With clang, a combined construct that scans is not split but measured from outside. clang
// computes a scan wrongly if the loop is a directive of its own within parallel. gcc splits it.
// REQUIRES: clang, gcc
// RUN: %pomp -- %clang -fopenmp -O1 -Wall -Wextra -Werror %s -o %t.exe 2>%t.err
// RUN: cmp %t.err /dev/null
// RUN: env OMP_NUM_THREADS=4 POMP_EXPERIMENT_DIR=%t.dir %t.exe | FileCheck %s
// RUN: %pomp report --all %t.dir | FileCheck --check-prefix=CLANG %s
// RUN: %pomp list %s -- %clang -fopenmp | FileCheck --check-prefix=LIST %s
// RUN: %pomp -- %gcc -fopenmp -Wall -Wextra -Werror %s -o %t.exe 2>%t.err
// RUN: cmp %t.err /dev/null
// RUN: env OMP_NUM_THREADS=4 POMP_EXPERIMENT_DIR=%t.gcc %t.exe | FileCheck %s
// RUN: %pomp report --all %t.gcc | FileCheck --check-prefix=GCC %s
#include <stdio.h>
int main(void) {
  int sum = 0, plain = 0, part[100];
#pragma omp parallel for simd reduction(inscan, + : sum)
  for (int i = 0; i < 100; i++) {
    sum += i + 1;
#pragma omp scan inclusive(sum)
    part[i] = sum;
  }
#pragma omp parallel for reduction(+ : plain)
  for (int i = 0; i < 100; i++)
    plain += part[i] - part[i > 0 ? i - 1 : 0];
  printf("%d %d %d\n", sum, part[99], plain);
}
// CHECK: 5050 5050 5049
// CLANG: 2 regions: 1 parallel for, 1 parallel for simd
// CLANG-DAG: parallel for simd scan.c:16-21 1
// CLANG-DAG: parallel for scan.c:22-24 4
// LIST: scan.c:16-21 parallel for simd {{.*}} instrumented: measured from outside
// GCC: 2 regions: 1 parallel for, 1 parallel for simd
// GCC-DAG: parallel for simd scan.c:16-21 4
