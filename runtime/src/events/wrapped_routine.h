/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The OpenMP runtime's routine behind one that the linker redirects to us.  In the archive the
 * linker resolves it; the shared library looks it up. */
#ifndef POMP_WRAPPED_ROUTINE_H
#define POMP_WRAPPED_ROUTINE_H

#define POMP_WRAPS(name) __attribute__((visibility("default"))) __wrap_##name

#ifdef POMP_STRONG_OMP
#define POMP_BEHIND(name) (__real_##name)
#define POMP_DECLARE_BEHIND(type, name, ...) type __real_##name(__VA_ARGS__)
#else
#include "events/omp_routines.h"
#define POMP_BEHIND(name)                                                                          \
  ({                                                                                               \
    static void *cached;                                                                           \
    (__typeof__(&name))pomp_omp_routine(&cached, #name, (void *)name);                             \
  })
#define POMP_DECLARE_BEHIND(type, name, ...) type name(__VA_ARGS__) __attribute__((weak))
#endif

#endif
