/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Reports the process's place in MPI, as soon as MPI is ready. */
#ifndef POMP_MPI_START_H
#define POMP_MPI_START_H

#include "clocks.h"
#include "groups.h"
#include "hooks.h"

#include <mpi.h>
#include <string.h>

static inline const char *pomp_mpi_level(void) {
  int level = MPI_THREAD_SINGLE;
  PMPI_Query_thread(&level);
  switch (level) {
  case MPI_THREAD_MULTIPLE:
    return "multiple";
  case MPI_THREAD_SERIALIZED:
    return "serialized";
  case MPI_THREAD_FUNNELED:
    return "funneled";
  default:
    return "single";
  }
}

static inline void pomp_mpi_ready(int result, const char *functions) {
  char library[MPI_MAX_LIBRARY_VERSION_STRING] = "";
  struct pomp_mpi_process process = {.library = library, .functions = functions};
  int length = 0;
  if (result != MPI_SUCCESS)
    return;
  PMPI_Comm_rank(MPI_COMM_WORLD, &process.rank);
  PMPI_Comm_size(MPI_COMM_WORLD, &process.size);
  PMPI_Get_library_version(library, &length);
  library[strcspn(library, "\n")] = '\0';
  process.thread_level = pomp_mpi_level();
  bool recorded = pomp_mpi_started(&process);
  pomp_mpi_records = recorded && pomp_mpi_know();
  if (recorded)
    pomp_mpi_begin_comparing(&process);
}

#endif
