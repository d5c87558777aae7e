// A header that the command line includes: one of the working directory, one that is in a folder of
// -I, and by options for the preprocessor.
// REQUIRES: clang, gcc
// RUN: rm -rf %t && mkdir -p %t/inc && cd %t
// RUN: cp %S/Inputs/external_inline.h forced.h && cp forced.h inc/far.h
// RUN: %pomp --pomp-strict -- %clang -fopenmp -include forced.h %s -o program
// RUN: env POMP_EXPERIMENT_DIR=%t/1 ./program && %pomp report --all 1 | FileCheck %s
// RUN: %pomp --pomp-strict -- %gcc -fopenmp -include forced.h %s -o program
// RUN: env POMP_EXPERIMENT_DIR=%t/2 ./program && %pomp report --all 2 | FileCheck %s
// RUN: %pomp --pomp-strict -- %gcc -fopenmp -Iinc -includefar.h %s -o program
// RUN: env POMP_EXPERIMENT_DIR=%t/3 ./program && %pomp report --all 3 | FileCheck %s
// RUN: %pomp --pomp-strict -- %gcc -fopenmp -Wp,-include,inc/far.h %s -o program
// RUN: env POMP_EXPERIMENT_DIR=%t/4 ./program && %pomp report --all 4 | FileCheck %s
// RUN: %pomp --pomp-strict -- %clang -fopenmp -Wp,-include,inc/far.h %s -o program
// RUN: env POMP_EXPERIMENT_DIR=%t/5 ./program && %pomp report --all 5 | FileCheck %s
// RUN: %pomp --pomp-strict -- %gcc -fopenmp -Xpreprocessor -include -Xpreprocessor forced.h %s -o program
// RUN: env POMP_EXPERIMENT_DIR=%t/6 ./program && %pomp report --all 6 | FileCheck %s
extern int twice(int);
int main(void) { return twice(3) != 3; }
// CHECK: parallel for {{.*}}{{forced|far}}.h:5-6 2
