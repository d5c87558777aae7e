// Directives and lock calls that come out of macros, wholly or in part, are constructs.
// REQUIRES: clang, gcc
// RUN: %rewrite_c | FileCheck %s
// RUN: %pomp --pomp-strict -- %clang -fopenmp -Wall -Wextra -Werror -c %s -o %t.o
// RUN: %pomp --pomp-strict -- %gcc -fopenmp -Wall -Wextra -Werror -c %s -o %t.o
#include <omp.h>
#define STR(x) #x
#define OMP(x) _Pragma(STR(omp x))
#define LOCKED(stmt) OMP(critical (lk)) stmt
#define LOCK(l) omp_set_lock(l)
void f(int *a, omp_lock_t *l) {
  OMP(parallel num_threads(2))
  a[0]++;
  LOCKED(if (a[1]) a[0]++;)
  LOCKED({
    a[1]++;
  })
  LOCK(l); omp_unset_lock(l);
}
// CHECK: void f(int *a, omp_lock_t *l) {
// CHECK-NEXT: POMP_Parallel_fork({{.*}} _Pragma("omp parallel num_threads(2) firstprivate(
// CHECK-NEXT: a[0]++;
// CHECK-NEXT: _Pragma("omp critical (lk)") { POMP_Critical_begin([[D:__pomp_rd2\(\)]]); if(a[1])a[0]++; ; POMP_Critical_end([[D]]);
// CHECK-NEXT: _Pragma("omp critical (lk)") { POMP_Critical_begin([[E:__pomp_rd3\(\)]]); {a[1]++;} POMP_Critical_end([[E]]);
// CHECK-EMPTY:
// CHECK-EMPTY:
// CHECK-NEXT: POMP_Set_lock(l{{ ?}}, __pomp_rd4()); POMP_Unset_lock(l, __pomp_rd5());
