/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The clocks of a job's processes against each other: each asks another one, which has asked its
 * own before, up to the first.  All of them do, at the same places: they have the same functions.
 */
#ifndef POMP_MPI_CLOCKS_H
#define POMP_MPI_CLOCKS_H

#include "told.h"

#include <mpi.h>

enum { POMP_MPI_ROUNDS = 20 };

static MPI_Comm pomp_mpi_own = MPI_COMM_NULL;

static inline bool pomp_mpi_answer(int rank) {
  uint64_t now = 0;
  for (int i = 0; i < POMP_MPI_ROUNDS; i++) {
    if (PMPI_Recv(&now, sizeof now, MPI_BYTE, rank, 0, pomp_mpi_own, MPI_STATUS_IGNORE))
      return false;
    now = pomp_mpi_ticks();
    if (PMPI_Send(&now, sizeof now, MPI_BYTE, rank, 0, pomp_mpi_own))
      return false;
  }
  return true;
}

/* The quickest answer is the nearest to the truth. */
static inline bool pomp_mpi_ask(int rank, const char *when) {
  struct pomp_mpi_comparison best = {rank, 0, 0, UINT64_MAX};
  for (int i = 0; i < POMP_MPI_ROUNDS; i++) {
    uint64_t theirs = 0, asked = pomp_mpi_ticks();
    if (PMPI_Send(&asked, sizeof asked, MPI_BYTE, rank, 0, pomp_mpi_own) ||
        PMPI_Recv(&theirs, sizeof theirs, MPI_BYTE, rank, 0, pomp_mpi_own, MPI_STATUS_IGNORE))
      return false;
    uint64_t took = pomp_mpi_ticks() - asked;
    if (took < best.round_trip)
      best = (struct pomp_mpi_comparison){rank, asked + took / 2, theirs, took};
  }
  pomp_mpi_compare(when, &best);
  return true;
}

/* A tree: half of those that have not asked yet do so at once. */
static inline void pomp_mpi_compare_clocks(const char *when) {
  int rank = 0, size = 0, apart = 1;
  if (pomp_mpi_own == MPI_COMM_NULL)
    return;
  PMPI_Comm_rank(pomp_mpi_own, &rank);
  PMPI_Comm_size(pomp_mpi_own, &size);
  while (apart < size)
    apart *= 2;
  for (bool fine = true; fine && (apart /= 2) > 0;) {
    int place = rank % (2 * apart);
    if (!place && rank + apart < size)
      fine = pomp_mpi_answer(rank + apart);
    else if (place == apart)
      fine = pomp_mpi_ask(rank - apart, when);
  }
}

static inline void pomp_mpi_begin_comparing(void) {
  if (PMPI_Comm_dup(MPI_COMM_WORLD, &pomp_mpi_own) != MPI_SUCCESS)
    return;
  PMPI_Comm_set_errhandler(pomp_mpi_own, MPI_ERRORS_RETURN);
  pomp_mpi_compare_clocks("begin");
}

/* Before MPI is finalized, which all processes do together. */
static inline void pomp_mpi_finishing(void) {
  if (pomp_mpi_own == MPI_COMM_NULL)
    return;
  pomp_mpi_compare_clocks("end");
  PMPI_Comm_free(&pomp_mpi_own);
}

#endif
