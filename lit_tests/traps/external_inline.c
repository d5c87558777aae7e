// An inline function of external linkage may refer to nothing static (C99, 6.7.4).
// REQUIRES: clang, gcc
// RUN: %rewrite_c | FileCheck %s
// RUN: %pomp --pomp-strict -- %clang -fopenmp -std=c99 -pedantic -Wall -Wextra -Wmissing-prototypes -Werror -c %s -o %t.o
// RUN: %pomp --pomp-strict -- %gcc -fopenmp -std=c99 -pedantic -Wall -Wextra -Wmissing-prototypes -Werror -c %s -o %t.o
inline int f(int n);
inline int f(int n) {
#pragma omp critical
  n++;
  return n;
}
extern int f(int n);
// CHECK: extern struct __pomp_descriptor __pomp_d1_[[H:[0-9a-f]+]] __attribute__((__visibility__("hidden")));
// CHECK: POMP_Critical_enter(__pomp_rd1_[[H]]());
