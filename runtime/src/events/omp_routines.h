/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The process's own OpenMP lock routines.
 *
 * The archive calls them by name, so that the linker takes those of a static OpenMP runtime.  The
 * shared library is not linked with a runtime, and looks them up: a plain reference, which has no
 * version, would get libgomp's first one (OMP_1.0), whose nestable locks have another layout.  The
 * weak declaration makes a linker export routines that are linked statically. */
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
    static void *cached;                                                                           \
    (type (*)(void *)) pomp_omp_routine(&cached, #name, (void *)name);                             \
  })

static inline void *pomp_omp_routine(void **cached, const char *name, void *linked) {
  void *routine = __atomic_load_n(cached, __ATOMIC_RELAXED);
  if (!routine) {
    routine = dlsym(RTLD_DEFAULT, name);
    routine = routine ? routine : linked;
    __atomic_store_n(cached, routine, __ATOMIC_RELAXED);
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
