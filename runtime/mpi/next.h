/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The function that a wrapper calls: another tool's of the same name, preloaded or in a shared
 * library, or the MPI's own. */
#ifndef POMP_MPI_NEXT_H
#define POMP_MPI_NEXT_H

#include <dlfcn.h>
#include <stddef.h>

/* A library with our wrappers has this symbol. */
__attribute__((weak)) const char pomp_mpi_ours_1 = 1;

/* A program that is linked statically has none of these, and no tool behind it. */
#pragma weak dlsym
#pragma weak dladdr
#pragma weak dlopen
#pragma weak dlclose

/* A shared library of the program's may have been linked as the program was. */
static inline int pomp_mpi_is_ours(const void *function) {
  Dl_info at = {0}, marked = {0};
  if (!dladdr(function, &at) || !at.dli_fname)
    return 0;
  void *library = dlopen(at.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
  const void *mark = library ? dlsym(library, "pomp_mpi_ours_1") : NULL;
  int ours = mark && dladdr(mark, &marked) && marked.dli_fbase == at.dli_fbase;
  if (library)
    dlclose(library);
  return ours;
}

static __attribute__((cold, noinline)) void *pomp_mpi_find(void **known, const char *name,
                                                           void *own) {
  void *next = dlsym && dladdr && dlopen && dlclose ? dlsym(RTLD_NEXT, name) : NULL;
  if (!next || pomp_mpi_is_ours(next))
    next = own;
  __atomic_store_n(known, next, __ATOMIC_RELAXED);
  return next;
}

static inline void *pomp_mpi_next(void **known, const char *name, void *own) {
  void *next = __atomic_load_n(known, __ATOMIC_RELAXED);
  return next ? next : pomp_mpi_find(known, name, own);
}

#endif
