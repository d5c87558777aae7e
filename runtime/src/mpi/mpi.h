/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* MPI calls of a thread: each call is booked to the call path that the thread is on. */
#ifndef POMP_MPI_H
#define POMP_MPI_H

#include "../../mpi/hooks.h"
#include "location/thread.h"

/* How volumes are accounted for, and whether clocks are compared. */
extern struct pomp_mpi_wanted {
  bool minimal;
  uint32_t clocks;
} pomp_mpi_wanted;

/* A block's rows, for a snapshot, with the init lock held; NULL where there are none. */
const uint64_t *pomp_mpi_block(const struct pomp_thread *t, uint32_t block);

#endif
