// A header that the command line includes.
// REQUIRES: clang, gcc
// RUN: rm -rf %t && mkdir -p %t && cd %t && cp %S/Inputs/external_inline.h forced.h
// RUN: %pomp --pomp-strict -- %clang -fopenmp -include forced.h %s -o program
// RUN: env POMP_EXPERIMENT_DIR=%t/1 ./program && %pomp report --all 1 | FileCheck %s
// RUN: %pomp --pomp-strict -- %gcc -fopenmp -include forced.h %s -o program
// RUN: env POMP_EXPERIMENT_DIR=%t/2 ./program && %pomp report --all 2 | FileCheck %s
extern int twice(int);
int main(void) { return twice(3) != 3; }
// CHECK: parallel for {{.*}}forced.h:5-6 2
