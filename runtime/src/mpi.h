/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What a thread does in MPI: each call is the call path's that the thread is on. */
#ifndef POMP_MPI_H
#define POMP_MPI_H

#include "../mpi/told.h"
#include "settings.h"
#include "thread.h"

/* How volumes are accounted for, and whether clocks are compared. */
extern struct pomp_mpi_wanted {
  bool minimal;
  uint32_t clocks;
} pomp_mpi_wanted;

/* Within pomp_slow_begin and _end. */
void pomp_mpi_start(const struct pomp_settings *settings);

/* A block's rows, for who looks on within pomp_slow_begin and _end; NULL where there are none. */
const uint64_t *pomp_mpi_block(const struct pomp_thread *t, uint32_t block);

/* In a forked child: nothing was measured. */
void pomp_mpi_restart(struct pomp_thread *t);

#endif
