// A header that is included behind a label: its first statement is the label's, the others are not.
// REQUIRES: clang, gcc
// DEFINE: %{flags} = -fopenmp -O1 -Wall -Wextra -Werror
// RUN: rm -rf %t && mkdir -p %t && cd %t
// RUN: %pomp --pomp-strict -- %clang %{flags} %s -o program
// RUN: env POMP_EXPERIMENT_DIR=%t/1 ./program | FileCheck --check-prefix=OUT %s
// RUN: %pomp report --all 1 | FileCheck %s
// RUN: %pomp --pomp-strict -- %gcc %{flags} %s -o program
// RUN: env POMP_EXPERIMENT_DIR=%t/2 ./program | FileCheck --check-prefix=OUT %s
// RUN: %pomp report --all 2 | FileCheck %s
// RUN: %pomp --pomp-strict -- %gxx -x c++ %{flags} %s -o program
// RUN: env POMP_EXPERIMENT_DIR=%t/3 ./program | FileCheck --check-prefix=OUT %s
// RUN: %pomp report --all 3 | FileCheck %s
#include <stdio.h>
static int chosen(int number) {
  int total = 0;
  switch (number) {
  case 0:
  case 1:
#define EMPTY_FIRST
#define STEPS 10
#include "Inputs/labeled.inc"
    break;
  case 2:
#define STEPS 20
#include "Inputs/labeled.inc"
    break;
  default:
    if (number > 4)
      goto again;
#define EMPTY_FIRST
#define STEPS 30
#include "Inputs/labeled.inc"
  }
  return total;
again:
#define EMPTY_FIRST
#define STEPS 40
#include "Inputs/labeled.inc"
  return total;
}
int main(void) {
  for (int number = 0; number < 6; number++)
    printf("%d\n", chosen(number));
  return 0;
}
// OUT: 21
// OUT-NEXT: 21
// OUT-NEXT: 41
// OUT-NEXT: 61
// OUT-NEXT: 61
// OUT-NEXT: 81
// CHECK-DAG: parallel {{.*}}labeled.inc:4-5 (from {{.*}}.c:22) 4
// CHECK-DAG: parallel {{.*}}labeled.inc:4-5 (from {{.*}}.c:26) 2
// CHECK-DAG: parallel {{.*}}labeled.inc:4-5 (from {{.*}}.c:33) 4
// CHECK-DAG: parallel {{.*}}labeled.inc:4-5 (from {{.*}}.c:39) 2
// CHECK-DAG: critical {{.*}}labeled.inc:6-7 (from {{.*}}.c:22) 2
// CHECK-DAG: critical {{.*}}labeled.inc:6-7 (from {{.*}}.c:26) 1
// CHECK-DAG: critical {{.*}}labeled.inc:6-7 (from {{.*}}.c:33) 2
// CHECK-DAG: critical {{.*}}labeled.inc:6-7 (from {{.*}}.c:39) 1
