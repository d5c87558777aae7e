/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Calls from Fortran that an MPI's library for Fortran passes on to its profiling interface.
 *
 * MPI's own procedures convert handles, statuses, constants and callbacks.  They then call the C
 * function under its PMPI_ name, which no wrapper sees.  Our functions of these names run the
 * wrapper instead, but only when the procedure of the same name has called: a procedure calls
 * others for itself, and a tool's calls of PMPI_ are not to be measured. */
#ifndef POMP_MPI_FORTRAN_H
#define POMP_MPI_FORTRAN_H

#include <dlfcn.h>
#include <link.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Makes the linker take this member of the archive. */
__attribute__((weak)) const char pomp_mpi_fortran = 1;

/* A procedure of a shared library, and its instructions in this process. */
struct pomp_mpi_procedure {
  const char *library, *name;
  uintptr_t begin, end; /* 0: it is not here */
};

struct pomp_mpi_callers {
  struct pomp_mpi_procedure *procedures;
  unsigned count;
  atomic_bool located;
};

static inline void pomp_mpi_locate_one(struct pomp_mpi_procedure *procedure) {
  Dl_info where = {0};
  ElfW(Sym) *symbol = NULL;
  void *library = dlopen(procedure->library, RTLD_LAZY | RTLD_NOLOAD);
  void *begin = library ? dlsym(library, procedure->name) : NULL;
  if (begin && dladdr1(begin, &where, (void **)&symbol, RTLD_DL_SYMENT) && symbol) {
    __atomic_store_n(&procedure->begin, (uintptr_t)begin, __ATOMIC_RELAXED);
    __atomic_store_n(&procedure->end, (uintptr_t)begin + symbol->st_size, __ATOMIC_RELAXED);
  }
  if (library)
    dlclose(library);
}

/* Threads that are here at once find the same. */
static __attribute__((cold, noinline)) void pomp_mpi_locate(struct pomp_mpi_callers *callers) {
  for (unsigned i = 0; i < callers->count; i++)
    pomp_mpi_locate_one(&callers->procedures[i]);
  atomic_store_explicit(&callers->located, true, memory_order_release);
}

/* `address` is where the call returns to, in the caller. */
static inline bool pomp_mpi_called_by(struct pomp_mpi_callers *callers, const void *address) {
  if (!atomic_load_explicit(&callers->located, memory_order_acquire))
    pomp_mpi_locate(callers);
  for (unsigned i = 0; i < callers->count; i++)
    if ((uintptr_t)address > callers->procedures[i].begin &&
        (uintptr_t)address <= callers->procedures[i].end)
      return true;
  return false;
}

/* The function that ours of a PMPI_ name hides. */
static inline void *pomp_mpi_hidden(void **known, const char *name) {
  void *hidden = __atomic_load_n(known, __ATOMIC_RELAXED);
  if (!hidden) {
    hidden = dlsym(RTLD_NEXT, name);
    __atomic_store_n(known, hidden, __ATOMIC_RELAXED);
  }
  return hidden;
}

#endif
