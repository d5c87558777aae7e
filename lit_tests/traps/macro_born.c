// What comes out of a macro is compiled as it is, and named.
// REQUIRES: clang, gcc
// RUN: %pomp rewrite %s -o %t.c -- %clang -fopenmp 2>%t.err
// RUN: FileCheck %s <%t.err
// RUN: %pomp -- %gcc -fopenmp -Wall -Wextra -Werror -c %s -o %t.o
// RUN: not %pomp --pomp-strict -- %clang -fopenmp -c %s -o %t.o
#include <omp.h>
#define STR(x) #x
#define OMP(x) _Pragma(STR(omp x))
#define LOCK(l) omp_set_lock(l)
void f(int *a, omp_lock_t *l) {
  OMP(parallel)
  a[0]++;
  _Pragma("omp critical") a[0]++;
  LOCK(l);
}
// CHECK: macro_born.c:10: warning: 'omp_set_lock' comes out of a macro: not measured yet [pomp-macro]
// CHECK: macro_born.c:12: warning: 'parallel' comes out of a macro: not measured yet [pomp-macro]
