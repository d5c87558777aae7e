// copyprivate excludes nowait: the barrier stays implied, and the descriptor says so.
// REQUIRES: clang, gcc
// RUN: %rewrite_c | FileCheck %s
// RUN: %pomp --pomp-strict -- %clang -fopenmp -Wall -Wextra -Werror -Wno-unknown-pragmas -c %s -o %t.o
// RUN: %pomp --pomp-strict -- %gcc -fopenmp -Wall -Wextra -Werror -Wno-unknown-pragmas -c %s -o %t.o
int f(int x) {
  int y;
#pragma omp parallel private(y)
  {
#pragma omp single copyprivate(y)
    y = x;
#pragma omp atomic
    x += y;
  }
  return x;
}
// CHECK: { "single", {{[^}]*}}, sizeof(struct __pomp_descriptor), 1, 1, "copyprivate(y)", "f", 0 }
// CHECK: { POMP_Single_enter([[D:__pomp_rd2\(\)]]); _Pragma("omp single copyprivate(y)") { POMP_Single_begin([[D]]);
// CHECK-NEXT: y = x; ; POMP_Single_end([[D]]); } POMP_Single_exit([[D]]); }
