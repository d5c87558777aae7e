// A construct of a project header is instrumented in the header's text; the file that includes
// it keeps its own.
// REQUIRES: clang, gcc
// RUN: %pomp rewrite %s -- %clang -fopenmp | diff - %s
// RUN: %pomp rewrite %s --header %S/Inputs/kernel.h -- %clang -fopenmp | FileCheck %s
// RUN: %pomp --pomp-strict -- %gcc -fopenmp -Wall -Wextra -Werror -c %s -o %t.o
#include "Inputs/kernel.h"
void f(int *a) { kernel(a); }
// CHECK: static inline void kernel(int *a) {
// CHECK-NEXT: { POMP_Critical_enter(__pomp_rd
// CHECK-NEXT: a[0]++;
