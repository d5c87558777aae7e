#define _GNU_SOURCE
// Text before the first line includes no header: the file itself may define _GNU_SOURCE.
// REQUIRES: clang, gcc
// RUN: %rewrite_c | FileCheck %s
// RUN: %pomp --pomp-strict -- %clang -fopenmp -std=c11 -Wall -Wextra -Werror -c %s -o %t.o
// RUN: %pomp --pomp-strict -- %gcc -fopenmp -std=c11 -Wall -Wextra -Werror -c %s -o %t.o
#include <string.h>
int f(const char *s) {
#pragma omp critical
  s = strchrnul(s, 'x');
  return *s;
}
// CHECK: #define _GNU_SOURCE
// CHECK-NEXT: #include <string.h>
// CHECK-NEXT: struct ompregdescr;
// CHECK-SAME: int f(const char *s) {
