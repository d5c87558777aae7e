// _POMP is YYYYMM in an instrumented compilation, and nowhere else (POMP paper, section 3.6).
// REQUIRES: clang, gcc
// RUN: %pomp -- %clang -fopenmp -E %s | FileCheck %s
// RUN: %pomp -- %gcc -fopenmp -E %s | FileCheck %s
// RUN: %pomp -- %clang -E %s | FileCheck --check-prefix=PLAIN %s
// RUN: %pomp -- %gcc -fopenmp -c %s -o %t.o
#if defined(_OPENMP) && (!defined(_POMP) || _POMP < 200000)
#error "not defined"
#endif
#ifdef _POMP
int value = _POMP;
#endif
int other;
// CHECK: int value = 20{{[0-9][0-9][01][0-9]}};
// PLAIN-NOT: int value
// PLAIN: int other
