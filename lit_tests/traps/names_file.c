// A macro that makes a directive and names its file names the user's file, not a copy.
// REQUIRES: clang, gcc
// RUN: %clang -fopenmp %s -o %t.exe && %t.exe >%t.expected
// RUN: %pomp -- %clang -fopenmp %s -o %t.exe && env POMP_EXPERIMENT_DIR=%t.1 %t.exe >%t.out
// RUN: diff %t.expected %t.out
// RUN: %pomp -- %gcc -fopenmp %s -o %t.exe && env POMP_EXPERIMENT_DIR=%t.2 %t.exe >%t.out
// RUN: diff %t.expected %t.out
// RUN: %pomp report --all %t.2 | FileCheck %s
// RUN: FileCheck --check-prefix=OUT %s <%t.out
#include <stdio.h>
#define NAMED(calls)                                                          \
  printf("%s of %s, %d\n", __FILE__, __BASE_FILE__, __LINE__);                \
  _Pragma("omp critical") ++*calls
#include "Inputs/names_file.h"
int main(void) {
  int calls = 0;
  NAMED(&calls);
  in_header(&calls);
  return calls - 2;
}
// OUT: {{.*}}names_file.c of {{.*}}names_file.c, 17
// OUT: {{.*}}names_file.h of {{.*}}names_file.c, 1
// CHECK: 2 regions: 2 critical
