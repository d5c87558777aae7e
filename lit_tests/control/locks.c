// Lock routines: every call by its name is replaced, what only looks like one is not.
// REQUIRES: clang, gcc
// RUN: %rewrite_c | FileCheck %s
// RUN: FileCheck --check-prefix=ERR %s <%t.err
// RUN: %pomp -- %clang -fopenmp -Wall -Wextra -Werror -c %s -o %t.o
// RUN: %pomp -- %gcc -fopenmp -Wall -Wextra -Werror -c %s -o %t.o
#include <omp.h>
struct mine {
  int omp_set_lock;
};
void take(void (*)(omp_lock_t *));
int f(omp_lock_t *l, omp_nest_lock_t *n, struct mine *m) {
  int got = 0;
  omp_init_lock_with_hint(l, omp_sync_hint_none);
  omp_set_lock(l);
  omp_unset_lock(l);
  if (omp_test_lock(l)) omp_unset_lock ( l );
  omp_set_nest_lock(n);
  got = omp_test_nest_lock(n);
  omp_unset_nest_lock(n);
  m->omp_set_lock = got;
  take(omp_set_lock);
  return got;
}
// CHECK: "lock", "l", 0, "{{.*}}locks.c", 15, 15, 15, 15,
// CHECK: omp_init_lock_with_hint(l, omp_sync_hint_none);
// CHECK-NEXT: POMP_Set_lock(l, __pomp_rd1());
// CHECK-NEXT: POMP_Unset_lock(l, __pomp_rd2());
// CHECK-NEXT: if (POMP_Test_lock(l, __pomp_rd3())) POMP_Unset_lock ( l , __pomp_rd4());
// CHECK-NEXT: POMP_Set_nest_lock(n, __pomp_rd5());
// CHECK-NEXT: got = POMP_Test_nest_lock(n, __pomp_rd6());
// CHECK-NEXT: POMP_Unset_nest_lock(n, __pomp_rd7());
// CHECK-NEXT: m->omp_set_lock = got;
// CHECK-NEXT: take(omp_set_lock);
// ERR: locks.c:22: warning: calls of 'omp_set_lock' through a pointer are not measured [pomp-lock-pointer]
