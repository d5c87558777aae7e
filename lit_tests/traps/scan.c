// A combined construct that scans is not split for clang, which computes a scan wrongly where the
// loop is a directive of its own within parallel; gcc does not.
// REQUIRES: clang, gcc
// RUN: %pomp -- %clang -fopenmp -O1 %s -o %t.exe -lm 2>%t.err
// RUN: FileCheck --check-prefix=ERR %s <%t.err
// RUN: env OMP_NUM_THREADS=4 POMP_EXPERIMENT_DIR=%t.dir %t.exe | FileCheck %s
// RUN: %pomp -- %gcc -fopenmp -Wall -Wextra -Werror %s -o %t.exe 2>%t.err
// RUN: cmp %t.err /dev/null
// RUN: env OMP_NUM_THREADS=4 POMP_EXPERIMENT_DIR=%t.gcc %t.exe | FileCheck %s
// RUN: %pomp report %t.gcc | FileCheck --check-prefix=GCC %s
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
// GCC: 2 regions: 1 parallel for, 1 parallel for simd
// GCC-DAG: parallel for simd scan.c:14-19 4
// ERR: scan.c:14: warning: 'parallel for simd' is not measured: it cannot be split, it holds a scan [pomp-clause]
// ERR-NOT: warning
