/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Records of a call's operations. */
#ifndef POMP_MPI_OPERATION_H
#define POMP_MPI_OPERATION_H

#include "groups.h"

/* The same for each MPI. */
static inline int32_t pomp_mpi_rank(int rank) {
  if (rank == MPI_PROC_NULL)
    return POMP_MPI_NOBODY;
  if (rank == MPI_ANY_SOURCE)
    return POMP_MPI_ANYBODY;
  return rank == MPI_ROOT ? POMP_MPI_ITSELF : rank;
}

static inline int32_t pomp_mpi_tag(int tag) { return tag == MPI_ANY_TAG ? POMP_MPI_ANYBODY : tag; }

/* Takes the sender from the status of what arrived. */
static inline void pomp_mpi_came_from(struct pomp_mpi_about *about, const MPI_Status *status) {
  about->source = pomp_mpi_rank(status->MPI_SOURCE);
  about->source_tag = pomp_mpi_tag(status->MPI_TAG);
}

/* Begins or ends access to a window, of one process or, as MPI_PROC_NULL, of all. */
static inline void pomp_mpi_synchronises(const struct pomp_mpi_call *call, MPI_Win win, int rank,
                                         bool exclusive) {
  struct pomp_mpi_volume none = {0};
  if (!call->recorded)
    return;
  struct pomp_mpi_about about = {.group = pomp_mpi_win(win),
                                 .rank = pomp_mpi_rank(rank),
                                 .tag = exclusive,
                                 .role = POMP_MPI_ACCESSES};
  pomp_mpi_tell(call, &about, POMP_MPI_WHOLE, &none);
}

static inline void pomp_mpi_tested(const struct pomp_mpi_call *call, MPI_Win win, int done) {
  if (done)
    pomp_mpi_synchronises(call, win, MPI_PROC_NULL, false);
}

/* The same of each process of a group. */
static inline void pomp_mpi_synchronises_with(const struct pomp_mpi_call *call, MPI_Win win,
                                              MPI_Group group) {
  MPI_Group all = MPI_GROUP_NULL;
  int count = 0, rank = 0;
  if (!call->recorded)
    return;
  PMPI_Win_get_group(win, &all);
  PMPI_Group_size(group, &count);
  for (int i = 0; i < count; i++) {
    PMPI_Group_translate_ranks(group, 1, &i, all, &rank);
    pomp_mpi_synchronises(call, win, rank, false);
  }
  PMPI_Group_free(&all);
}

#endif
