/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The routines that the link wraps (see locks.c), in an object that programs without them leave
 * out. */
#include "pomp2.h"

#include <stdbool.h>

static __thread bool is_inside;

#define WRAPPED(routine, event)                                                                    \
  void __real_##routine(void *lock);                                                               \
  void __wrap_##routine(void *lock);                                                               \
  void __wrap_##routine(void *lock) {                                                              \
    if (is_inside) {                                                                               \
      __real_##routine(lock);                                                                      \
      return;                                                                                      \
    }                                                                                              \
    is_inside = true;                                                                              \
    POMP2_##event(lock);                                                                           \
    is_inside = false;                                                                             \
  }

WRAPPED(omp_init_lock, Init_lock)
WRAPPED(omp_destroy_lock, Destroy_lock)
WRAPPED(omp_init_nest_lock, Init_nest_lock)
WRAPPED(omp_destroy_nest_lock, Destroy_nest_lock)

/* The interface has no hints. */
void __wrap_omp_init_lock_with_hint(void *lock, int hint);
void __wrap_omp_init_lock_with_hint(void *lock, int hint) {
  (void)hint;
  __wrap_omp_init_lock(lock);
}

void __wrap_omp_init_nest_lock_with_hint(void *lock, int hint);
void __wrap_omp_init_nest_lock_with_hint(void *lock, int hint) {
  (void)hint;
  __wrap_omp_init_nest_lock(lock);
}
