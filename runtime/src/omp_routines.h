/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The process's own OpenMP lock routines.
 *
 * The archive calls them by name, so that a static OpenMP runtime's are linked.
 * The shared library knows no runtime, and looks them up: a plain reference,
 * which has no version, would get the first one of libgomp (OMP_1.0), whose
 * nestable locks are laid out otherwise.  The weak declaration makes a linker
 * export what is linked statically. */
#ifndef POMP_OMP_ROUTINES_H
#define POMP_OMP_ROUTINES_H

#ifdef POMP_STRONG_OMP
#define POMP_OMP_DECLARE(type, name) type name(void *lock)
#define POMP_OMP_ROUTINE(type, name) (name)
#else
#include <dlfcn.h>
#include <stddef.h>

#define POMP_OMP_DECLARE(type, name) type name(void *lock) __attribute__((weak))
#define POMP_OMP_ROUTINE(type, name)                                                               \
  ({                                                                                               \
    static void *found;                                                                            \
    (type (*)(void *)) pomp_omp_routine(&found, #name, (void *)name);                              \
  })

static inline void *pomp_omp_routine(void **found, const char *name, void *linked) {
  void *routine = __atomic_load_n(found, __ATOMIC_RELAXED);
  if (!routine) {
    routine = dlsym(RTLD_DEFAULT, name);
    routine = routine ? routine : linked;
    __atomic_store_n(found, routine, __ATOMIC_RELAXED);
  }
  return routine;
}
#endif

POMP_OMP_DECLARE(void, omp_set_lock);
POMP_OMP_DECLARE(void, omp_unset_lock);
POMP_OMP_DECLARE(int, omp_test_lock);
POMP_OMP_DECLARE(void, omp_set_nest_lock);
POMP_OMP_DECLARE(void, omp_unset_nest_lock);
POMP_OMP_DECLARE(int, omp_test_nest_lock);

#endif
