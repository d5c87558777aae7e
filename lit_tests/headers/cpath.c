// A folder of CPATH is as one of -I: its headers are measured.
// REQUIRES: clang, gcc
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: env CPATH=%S/Inputs %pomp --pomp-strict -- %clang -fopenmp %s -o program
// RUN: env POMP_EXPERIMENT_DIR=%t/1 ./program && %pomp report --all 1 | FileCheck %s
// RUN: env CPATH=%t:%S/Inputs %pomp --pomp-strict -- %gcc -fopenmp %s -o program
// RUN: env POMP_EXPERIMENT_DIR=%t/2 ./program && %pomp report --all 2 | FileCheck %s
#include <external_inline.h>
extern int twice(int);
int main(void) { return twice(3) != 3; }
// CHECK: parallel for {{.*}}external_inline.h:5-6 2
