// Macros that options for the preprocessor define or undefine, and folders that they name.
// REQUIRES: clang, gcc
// RUN: %pomp list %s -- %clang -fopenmp -Wp,-DMEASURED | FileCheck %s
// RUN: %pomp list %s -- %gcc -fopenmp -Wp,-MD,%t.d,-D,MEASURED | FileCheck %s
// RUN: %pomp list %s -- %gcc -fopenmp -Xpreprocessor -DMEASURED | FileCheck %s
// RUN: %pomp list %s -- %clang -fopenmp -Wp,-DMEASURED,-UMEASURED | FileCheck --check-prefix=NONE %s
// RUN: %pomp list %s -- %gcc -fopenmp -DMEASURED -Wp,-UMEASURED | FileCheck --check-prefix=NONE %s
// RUN: %pomp list %s -- %gcc -fopenmp -Wp,-DINC,-I,%S/Inputs | FileCheck %s
// RUN: %pomp list %s -- %gcc -fopenmp -DMEASURED -fdirectives-only | FileCheck %s
#ifdef INC
#include <measured.inc>
#endif
#ifdef MEASURED
void f(void) {
#pragma omp parallel
  { }
}
#endif
// CHECK: preprocessor_options.c:[[# @LINE - 4]]
// NONE-NOT: preprocessor_options.c:
