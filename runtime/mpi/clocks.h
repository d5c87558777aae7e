/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Comparison of the clocks of a job's machines.  A process of each machine asks a process of
 * another machine, which has asked before, up to the first.  The processes have agreed to do so,
 * and have a communicator that no other code knows of. */
#ifndef POMP_MPI_CLOCKS_H
#define POMP_MPI_CLOCKS_H

#include "hooks.h"

#include <mpi.h>

/* The tag is the communicator's, among those that are made of a group. */
enum { POMP_MPI_ROUNDS = 20, POMP_MPI_OWN_TAG = 30703 };

static MPI_Comm pomp_mpi_own = MPI_COMM_NULL;
static int pomp_mpi_speakers[POMP_MPI_MACHINES]; /* of its ranks, those in the world */

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
      best = (struct pomp_mpi_comparison){pomp_mpi_speakers[rank], asked + took / 2, theirs, took};
  }
  pomp_mpi_compare(when, &best);
  return true;
}

/* The processes form a tree: in each round, half of those that have not asked yet do so at once. */
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

static inline void pomp_mpi_begin_comparing(const struct pomp_mpi_process *process) {
  MPI_Group world = MPI_GROUP_NULL, speakers = MPI_GROUP_NULL;
  unsigned count = pomp_mpi_agree(process, pomp_mpi_speakers);
  if (count < 2)
    return;
  PMPI_Comm_group(MPI_COMM_WORLD, &world);
  PMPI_Group_incl(world, (int)count, pomp_mpi_speakers, &speakers);
  int made = PMPI_Comm_create_group(MPI_COMM_WORLD, speakers, POMP_MPI_OWN_TAG, &pomp_mpi_own);
  PMPI_Group_free(&speakers);
  PMPI_Group_free(&world);
  if (made != MPI_SUCCESS || pomp_mpi_own == MPI_COMM_NULL)
    return;
  PMPI_Comm_set_errhandler(pomp_mpi_own, MPI_ERRORS_RETURN);
  pomp_mpi_compare_clocks("begin");
}

/* Before MPI is finalized, which they all do. */
static inline void pomp_mpi_finishing(void) {
  if (pomp_mpi_own == MPI_COMM_NULL)
    return;
  pomp_mpi_compare_clocks("end");
  PMPI_Comm_free(&pomp_mpi_own);
}

#endif
